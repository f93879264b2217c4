import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(__dirname, '../../docs/reference/metrics.md');

/** One row of the tables in docs/reference/metrics.md. */
export interface MetricRow {
  /** The heading that its table is under. */
  readonly section: string;
  readonly names: readonly string[];
  readonly tells: string;
}

export function metricRows(): readonly MetricRow[] {
  return readFileSync(PAGE, 'utf8')
    .split('\n## ')
    .slice(1)
    .flatMap((section) => rowsOf(section.slice(0, section.indexOf('\n')), section));
}

function rowsOf(section: string, text: string): readonly MetricRow[] {
  return [...text.matchAll(/^\| (`[^|]+?) +\| ([^|]+?) +\|$/gm)].map(([, cell = '', tells = '']) => {
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return { section, names, tells };
  });
}

/** The names in the first column of those tables. */
export function documentedMetrics(prefix: 'dueday_' | 'temporal_'): readonly string[] {
  return metricRows()
    .flatMap(({ names }) => names)
    .filter((name) => name.startsWith(prefix));
}
