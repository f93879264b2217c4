import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricRows } from '../docs/documented-metrics';
import { boardSource } from './board';
import { registeredMetrics, strangeSeries } from './known-series';
import { parsePromql } from './promql';

interface Board {
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const source = readFileSync(join(__dirname, '../../deploy/grafana/dueday.json'), 'utf8');
const { panels } = JSON.parse(source) as Board;
const graphs = panels.filter(({ type }) => type === 'timeseries');

test('the dashboard is what `npm run board` generates from docs/reference/metrics.md', async () => {
  expect(source === (await boardSource())).toBe(true);
});

test("the dashboard's panels show every metric, each once", () => {
  const parts = /_(bucket|count|sum)$/;
  const shown = expressions().map((expression) => parsePromql(expression).selectors[0]!.metric.replace(parts, ''));
  expect(shown.toSorted()).toEqual(
    metricRows()
      .flatMap(({ names }) => names)
      .toSorted(),
  );
});

test('the dashboard uses series that exist', async () => {
  const registry = await registeredMetrics();
  const strange = expressions().flatMap((expression) => strangeSeries(parsePromql(expression), registry));
  expect(strange).toEqual([]);
});

test('each panel of the dashboard has its own id, title and place', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(graphs.map(({ title }) => title)).size).toBe(graphs.length);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

/** The expressions of the panels, with a fixed range instead of Grafana's variable. */
function expressions(): readonly string[] {
  return graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
}
