import { pino } from 'pino';
import { startRound, type Work } from '../../src/jobs/repeated-work';
import type { OrderRun } from '../../src/temporal';
import { silentLog } from '../support/silent-log';

const RUNNING = new AbortController().signal;

interface Rounds {
  readonly round: Work;
  /** The numbers that were started since the last call of this function. */
  readonly started: () => number[];
}

/** Repeated work that starts the numbers from 1 to `count`, in order. */
function rounds(count: number, begin: (n: number) => OrderRun['kind'] = () => 'running'): Rounds {
  const started: number[] = [];
  const find = async (after: number | null, limit: number) =>
    Array.from({ length: count }, (_, index) => index + 1)
      .filter((n) => n > (after ?? 0))
      .slice(0, limit)
      .map((n) => ({
        position: n,
        name: `number ${n}`,
        begin: async () => {
          started.push(n);
          return { kind: begin(n) };
        },
      }));
  const round = startRound({ logger: silentLog() }, find);
  return { round, started: () => started.splice(0) };
}

test('a round starts everything, and the next one starts everything again', async () => {
  const { round, started } = rounds(250);
  for (let n = 0; n < 2; n += 1) {
    await round(RUNNING);
    expect(started()).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  }
});

test('a round ends after five hundred starts, and the next round continues after them', async () => {
  const { round, started } = rounds(700);
  await round(RUNNING);
  expect(started()).toHaveLength(500);
  await round(RUNNING);
  expect(started()).toEqual(Array.from({ length: 200 }, (_, index) => 501 + index));
});

test.each<[string, () => OrderRun['kind']]>([
  ['cannot be started now', () => 'not_ready'],
  [
    'fail',
    () => {
      throw new Error('another program');
    },
  ],
])('a round ends after three starts in a row that %s, and the next continues there', async (_what, fail) => {
  const { round, started } = rounds(8, (n) => (n <= 3 ? fail() : 'running'));
  await round(RUNNING);
  expect(started()).toEqual([1, 2, 3]);
  await round(RUNNING);
  expect(started()).toEqual([4, 5, 6, 7, 8]);
});

test('a round continues after one or two starts in a row that fail, and starts the others', async () => {
  const { round, started } = rounds(6, (n) => (n % 3 === 0 ? 'running' : 'not_ready'));
  await round(RUNNING);
  expect(started()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a round that must end starts nothing more, and the next round continues there', async () => {
  const stopping = new AbortController();
  const { round, started } = rounds(300, (n) => {
    if (n === 2) stopping.abort();
    return 'running';
  });
  await round(stopping.signal);
  expect(started()).toEqual([1, 2]);
  await round(RUNNING);
  expect(started()).toEqual(Array.from({ length: 298 }, (_, index) => 3 + index));
});

test('a round that fails is logged, and the next one searches again', async () => {
  let broken = true;
  const warnings: string[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
  let found = 0;
  const find = async () => {
    if (broken) throw new Error('PostgreSQL is away');
    found += 1;
    return [];
  };
  const round = startRound({ logger }, find);
  await round(RUNNING);
  broken = false;
  await round(RUNNING);
  expect([warnings, found]).toEqual([['the search for orphaned orders failed'], 1]);
});
