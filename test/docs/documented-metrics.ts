import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(__dirname, '../../docs/operations.md');

/** The names in the first column of the tables below "Metrics" in docs/operations.md. */
export function documentedMetrics(prefix: 'dueday_' | 'temporal_'): readonly string[] {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('\n## Metrics\n');
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]+?) +\|/.exec(line)?.[1] ?? []);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  return names.filter((name) => name.startsWith(prefix));
}
