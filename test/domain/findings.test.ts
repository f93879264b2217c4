import { givesStanding, haveOneCause } from '../../src/domain/findings';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { waitingTime } from '../../src/domain/findings';

test.each([
  // Of a few: more than half, and at least five.
  [4, 7, false],
  [5, 9, true],
  [5, 10, false],
  [19, 38, false],
  [20, 39, true],
  // From 40 on: more than twenty, and more than one in a hundred.
  [20, 40, false],
  [21, 40, true],
  [21, 2_099, true],
  [21, 2_100, false],
  [10_000, 1_000_000, false],
  [10_001, 1_000_000, true],
])('the same problem of %i of %i live subscriptions counts as one cause: %s', (affected, live, expected) => {
  expect(haveOneCause(affected, live)).toBe(expected);
});

const DUE = Date.UTC(2027, 0, 31, 10);

test.each([
  ['without a cap no attempt waits', { waiting: 10_000, started: [] }, null, 1, 0],
  ['each waiting attempt takes five calls', { waiting: 3, started: [] }, 5, 1, 3_000],
  ['attempts started since DUE count as well', { waiting: 1, started: [{ hour: DUE, count: 2 }] }, 5, 1, 3_000],
  ['attempts of an earlier hour do not count', { waiting: 1, started: [{ hour: DUE - HOUR, count: 9 }] }, 5, 1, 1_000],
  ['the cap is of real time', { waiting: 3, started: [] }, 5, 60, 3 * MINUTE],
])('the waiting time that a cap implies: %s', (_what, backlog, callsPerSecond, speed, expected) => {
  expect(waitingTime(backlog, DUE, callsPerSecond, speed)).toBe(expected);
});

test('many attempts due at once, sent as fast as the cap allows, are not reported as late until their expected end (rule 42)', () => {
  const all = 10_000;
  const perHour = (10 / 5) * 3_600;
  for (let passed = 0; passed * perHour < all * HOUR; passed += MINUTE) {
    const done = Math.floor((passed * perHour) / HOUR);
    const started = [
      { hour: DUE, count: Math.min(done, perHour) },
      { hour: DUE + HOUR, count: Math.max(0, done - perHour) },
    ];
    expect(waitingTime({ waiting: all - done, started }, DUE, 10, 1)).toBeGreaterThanOrEqual(passed);
  }
  expect(waitingTime({ waiting: 0, started: [] }, DUE - DAY, 10, 1)).toBe(0);
});

test('a subscription needs attention because of items about its own state, not because of differences or late attempts (rule 25)', () => {
  expect(['unresolved', 'capture_failed', 'orphaned', 'unrecordable'].map(givesStanding)).toEqual(Array(4).fill(true));
  // Items about differences, contradictions, orders and lateness are closed in other ways.
  const others = ['debit_unknown', 'contradiction', 'refund_unresolved', 'overdue', 'consent_unreadable'];
  expect(others.map(givesStanding)).toEqual(Array(5).fill(false));
});
