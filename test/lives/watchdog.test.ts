import { createPool } from '../../src/ledger';
import { createTestDatabase } from '../support/database';
import { SharedTime } from './shared-time';
import { type Progress, watch, Watchdog } from './watchdog';

const STILL: Progress = { steps: 7, now: 1_000, loans: 40, running: 0, processor: 500 };

/** The watchdog's verdict at each of these checks, after a first check from which it starts. */
function judged(checks: readonly Progress[]): boolean[] {
  const watchdog = new Watchdog();
  watchdog.isStuck(STILL);
  return checks.map((progress) => watchdog.isStuck(progress));
}

const repeated = (count: number, change: (check: number) => Partial<Progress> = () => ({})) =>
  Array.from({ length: count }, (_, check) => ({ ...STILL, ...change(check) }));

it('a run that does nothing and waits for nothing is stuck at the eighteenth check', () => {
  expect(judged(repeated(17))).not.toContain(true);
  expect(judged(repeated(18)).at(-1)).toBe(true);
});

it('a run whose statements are still running in the ledger is never stuck, however long they take', () => {
  expect(judged(repeated(1_000, () => ({ running: 1 })))).not.toContain(true);
});

it.each([
  ['a step of a life', { steps: 8 }],
  ['time that passes', { now: 2_000 }],
  ['a connection that the ledger lends', { loans: 41 }],
])('%s starts the count of idle checks again', (_, change) => {
  const moved = { ...STILL, ...change };
  const before = repeated(17);
  const after = Array.from({ length: 19 }, () => moved);
  const verdicts = judged([...before, ...after]);
  expect(verdicts.indexOf(true)).toBe(17 + 18);
});

it('a run that asks the ledger without a step is stuck once it has used three minutes of processor time', () => {
  const looping = (processor: number) => judged(repeated(3, (check) => ({ loans: 41 + check, processor }))).at(-1);
  expect(looping(500 + 179_999)).toBe(false);
  expect(looping(500 + 180_000)).toBe(true);
});

it('a run that takes steps is never stuck, however much processor time it uses', () => {
  const busy = repeated(100, (check) => ({ steps: 8 + check, processor: 1_000_000 * check }));
  expect(judged(busy)).not.toContain(true);
});

it('a run in which a life waits for ever is reported with what the life waits for, unless the run ends first', async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { url, drop } = await createTestDatabase();
  const ledger = createPool({ databaseUrl: url, max: 2 });
  try {
    const time = new SharedTime({ now: () => 0, passUntil: async () => undefined });
    void time.live('life-0', () => new Promise(() => undefined));
    time.note('life-0', 'waits for a signal');
    expect(await watch({ ledger }, time, AbortSignal.abort(), 1)).toBeNull();
    const report = await watch({ ledger }, time, new AbortController().signal, 1);
    expect(report).toContain('life-0 does not wait: waits for a signal');
    expect(report).toContain('stuck at');
  } finally {
    await ledger.end();
    await drop();
  }
});
