import { pino } from 'pino';
import type { AdminDeps } from '../../src/admin/dependencies';
import { startRound, type Work } from '../../src/jobs/repeated-work';

const RUNNING = new AbortController().signal;

interface Rounds {
  readonly look: Work;
  /** The numbers that were started since the last call of this function. */
  readonly started: () => number[];
  readonly warnings: string[];
}

/** Repeated work that starts the numbers from 1 to `count`, in order. */
function rounds(count: number, begin: (n: number) => string = () => 'running'): Rounds {
  const [started, warnings]: [number[], string[]] = [[], []];
  const write = (line: string) => {
    const { order, msg } = JSON.parse(line) as { order: string; msg: string };
    warnings.push(`${order}: ${msg}`);
  };
  const logger = pino({ level: 'warn' }, { write });
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
  const look = startRound({ logger } as unknown as AdminDeps, { what: 'numbers', find });
  return { look, warnings, started: () => started.splice(0) };
}

test('a round starts everything, and the next one starts everything again', async () => {
  const { look, started } = rounds(250);
  for (let n = 0; n < 2; n += 1) {
    await look(RUNNING);
    expect(started()).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  }
});

test('a round ends after five hundred starts, and the next round continues after them', async () => {
  const { look, started } = rounds(700);
  await look(RUNNING);
  expect(started()).toHaveLength(500);
  await look(RUNNING);
  expect(started()).toEqual(Array.from({ length: 200 }, (_, index) => 501 + index));
});

test.each([
  ['cannot be started now', () => 'not_ready'],
  [
    'fail',
    () => {
      throw new Error('another program');
    },
  ],
])('a round ends after three starts in a row that %s, and the next continues there', async (_what, fail) => {
  const { look, started } = rounds(8, (n) => (n <= 3 ? fail() : 'running'));
  await look(RUNNING);
  expect(started()).toEqual([1, 2, 3]);
  await look(RUNNING);
  expect(started()).toEqual([4, 5, 6, 7, 8]);
});

test('a round continues after one or two starts in a row that fail, and starts the others', async () => {
  const { look, started } = rounds(6, (n) => (n % 3 === 0 ? 'running' : 'not_ready'));
  await look(RUNNING);
  expect(started()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('an order whose workflow has ended is reported once', async () => {
  const { look, warnings } = rounds(2, (n) => (n === 1 ? 'finished' : 'running'));
  await look(RUNNING);
  await look(RUNNING);
  expect(warnings).toEqual(['number 1: an order is orphaned: its workflow has ended']);
});

test('a round that must end starts nothing more, and the next round continues there', async () => {
  const stopping = new AbortController();
  const { look, started } = rounds(300, (n) => {
    if (n === 2) stopping.abort();
    return 'running';
  });
  await look(stopping.signal);
  expect(started()).toEqual([1, 2]);
  await look(RUNNING);
  expect(started()).toEqual(Array.from({ length: 298 }, (_, index) => 3 + index));
});

test('a round that fails is logged, and so is the next one', async () => {
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
  const look = startRound({ logger } as unknown as AdminDeps, { what: 'numbers', find });
  await look(RUNNING);
  broken = false;
  await look(RUNNING);
  expect([warnings, found]).toEqual([['the search for orphaned numbers failed'], 1]);
});
