import { type MetricRow, metricRows } from '../docs/documented-metrics';
import { formatted } from '../support/formatted';
import { type KnownMetric, knownMetrics, registeredMetrics } from './known-series';

/** The board of `deploy/grafana`: a row of panels for each table of docs/reference/metrics.md, a panel for each of its lines. */

/** The layout: panels in a row, and their width and height, of Grafana's 24 columns. */
const [ACROSS, WIDTH, HEIGHT] = [3, 8, 7];
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Metrics of the whole ledger are the same in each process that counts them. */
const OF_LEDGER = 'Metrics of the whole ledger';
/** Metrics of Temporal Core are shown as the sum of all workers. */
const OF_CORE = 'Metrics of Temporal Core';

/** @returns the board as JSON, formatted as the file is */
export async function boardSource(): Promise<string> {
  const known = knownMetrics(await registeredMetrics());
  const all = metricRows();
  const panels: object[] = [];
  let y = 0;
  for (const section of new Set(all.map((row) => row.section))) {
    const graphs = all.filter((row) => row.section === section).flatMap((row) => panelsOf(row, known));
    const top = y + 1;
    panels.push({ type: 'row', title: section, gridPos: { h: 1, w: 24, x: 0, y } });
    panels.push(...graphs.map((graph, index) => ({ ...graph, gridPos: placeOf(index, top) })));
    y = top + HEIGHT * Math.ceil(graphs.length / ACROSS);
  }
  return formatted('board.json', JSON.stringify(boardOf(panels)));
}

function boardOf(panels: readonly object[]): object {
  return {
    uid: 'dueday',
    title: 'dueday',
    description: 'Written by `npm run board` from docs/reference/metrics.md.',
    tags: ['dueday'],
    schemaVersion: 39,
    editable: true,
    timezone: 'utc',
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }] },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

function placeOf(index: number, top: number): object {
  return { h: HEIGHT, w: WIDTH, x: WIDTH * (index % ACROSS), y: top + HEIGHT * Math.floor(index / ACROSS) };
}

type Known = ReadonlyMap<string, KnownMetric>;

/** The panels of a line: one for each unit that its metrics have. */
function panelsOf(row: MetricRow, known: Known): readonly object[] {
  const units = [...new Set(row.names.map((name) => unitOf(name, known)))];
  return units.map((unit) => {
    const names = row.names.filter((name) => unitOf(name, known) === unit);
    return {
      type: 'timeseries',
      title: titleOf(row) + (units.length === 1 ? '' : `, ${UNITS[unit]}`),
      description: row.tells,
      datasource: DATASOURCE,
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: names.map((name, place) => ({ refId: refId(place), ...targetOf(row, name, known) })),
    };
  });
}

/** A line of several metrics is named by its description, up to the first clause. */
function titleOf({ names, tells }: MetricRow): string {
  const [name = '', ...more] = names;
  return more.length === 0 ? readable(name) : (/^[^,;:(]+/.exec(tells)?.[0] ?? tells).replaceAll('`', '').trim();
}

function targetOf(row: MetricRow, name: string, known: Known): object {
  const metric = known.get(name);
  if (metric === undefined) throw new Error(`docs/reference/metrics.md lists ${name}, which is not a metric`);
  const labels = groupedBy(row, metric).map((label) => `{{${label}}}`);
  const legend = row.names.length > 1 || labels.length === 0 ? [readable(name), ...labels] : labels;
  return { datasource: DATASOURCE, expr: expressionOf(row, name, metric), legendFormat: legend.join(' ') };
}

/** The labels by which a panel groups: all of dueday's own, and of Temporal Core's only those that the line names. */
function groupedBy({ section, tells }: MetricRow, { labels }: KnownMetric): readonly string[] {
  if (section === OF_LEDGER) return labels;
  if (section !== OF_CORE) return ['instance', ...labels];
  return ['task_queue', ...labels.filter((label) => tells.includes(`\`${label}\``))];
}

function expressionOf(row: MetricRow, name: string, metric: KnownMetric): string {
  const labels = groupedBy(row, metric);
  const by = (operator: string, more: readonly string[] = []) => {
    const all = [...more, ...labels];
    return all.length === 0 ? operator : `${operator} by (${all.join(', ')})`;
  };
  switch (metric.type) {
    case 'histogram':
      return `histogram_quantile(0.95, ${by('sum', ['le'])} (rate(${name}_bucket[$__rate_interval])))`;
    case 'counter':
      return `${by('sum')} (rate(${name}[$__rate_interval]))`;
    case 'gauge':
      return `${by(row.section === OF_CORE ? 'sum' : 'max')} (${name})${isInstant(name) ? ' * 1000' : ''}`;
  }
}

function readable(name: string): string {
  return name.replace(/^(dueday|temporal)_/, '').replaceAll('_', ' ');
}

/** A to Z: no line has more metrics. */
function refId(place: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + place);
}

/** Units by Grafana's names, with their names in titles. */
const UNITS = {
  cps: 'a second',
  percentunit: 'of a processor',
  dateTimeAsIso: 'instant',
  s: 'seconds',
  bytes: 'bytes',
  short: 'number',
} as const;

/** Grafana's instants are in milliseconds. */
function isInstant(name: string): boolean {
  return name.endsWith('_start_time_seconds');
}

function unitOf(name: string, known: Known): keyof typeof UNITS {
  if (known.get(name)?.type === 'counter') return name.endsWith('_seconds_total') ? 'percentunit' : 'cps';
  if (isInstant(name)) return 'dateTimeAsIso';
  if (name.endsWith('_seconds')) return 's';
  return name.endsWith('_bytes') ? 'bytes' : 'short';
}
