/**
 * `npm run bench [-- NAME] [--size N] [--pairs N]` compares dueday with what one would write without it, in the same run. At the
 * end it prints `NAME: ratio R (target T)` for each target, and `NAME: failed` for a row without a result; it exits with 1 if a
 * target was missed or a row failed. Each row is written to bench/results.md as soon as it is measured.
 * `--cycles` is another name for `--size`, for a row that counts cycles.
 */
import { parseArgs } from 'node:util';
import { createLogger } from '../src/platform/log';
import { installRuntime } from '../src/process/worker';
import { keepResult } from './results';
import { holds, type Row, type RowResult, verdict } from './row';
import { ROWS } from './rows';
import { closeMerchant } from './worlds/merchant';

interface BenchOrder {
  readonly names: readonly string[];
  readonly size: number | null;
  readonly pairs: number | null;
}

function readOrder(): BenchOrder {
  const { values, positionals } = parseArgs({
    options: { size: { type: 'string' }, cycles: { type: 'string' }, pairs: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => ROWS[name] === undefined);
  if (unknown !== undefined) throw new RangeError(`expected one of ${Object.keys(ROWS).join(', ')}; got ${unknown}`);
  const names = positionals.length > 0 ? positionals : Object.keys(ROWS);
  const size = readCount('--size', values.size) ?? readCount('--cycles', values.cycles);
  return { names, size, pairs: readCount('--pairs', values.pairs) };
}

function readCount(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`${name}: expected 1 or more; got ${text}`);
  return count;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** @returns null if the row failed; the others are measured nevertheless */
async function measure(name: string, row: Row, order: BenchOrder): Promise<RowResult | null> {
  const [size, pairs] = [order.size ?? row.size, order.pairs ?? row.pairs];
  say(`${name}: ${row.about}; ${size} ${row.counts}, ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`);
  const began = performance.now();
  try {
    const result = await row.run({ size, pairs, say: (line) => say(`  ${line}`) });
    await keepResult(name, row, { size, pairs }, result);
    return result;
  } catch (error) {
    process.stderr.write(`${name}: ${textOf(error)}\n`);
    return null;
  } finally {
    say(`  measured in ${Math.round((performance.now() - began) / 1000)} s`);
  }
}

async function main(): Promise<void> {
  const order = readOrder();
  await installRuntime(createLogger('error'));
  const results: [string, RowResult | null][] = [];
  try {
    for (const name of order.names) results.push([name, await measure(name, ROWS[name]!, order)]);
  } finally {
    await closeMerchant();
  }
  for (const [name, result] of results) {
    for (const line of result?.outcomes.map((outcome) => verdict(name, outcome)) ?? [`${name}: failed`]) say(line);
  }
  process.exit(results.every(([, result]) => result?.outcomes.every(holds) ?? false) ? 0 : 1);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

void main().catch((error: unknown) => {
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(error instanceof RangeError ? 2 : 1);
});
