import { DAILY_PARTS, type DailyOutcome, type DailyState, FIRST, nextDaily } from '../../src/domain/daily-work';
import { DAY, HOUR } from '../../src/domain/time';

const THREE = Date.parse('2027-01-31T03:00:00.000Z');
const done = (words: string): DailyOutcome => ({ kind: 'done', words });
const idle: DailyState = { ...FIRST, part: null, startedAt: THREE };
const at = (part: DailyState['part'], more: Partial<DailyState> = {}): DailyState => ({ ...idle, part, ...more });

test('the daily work first compares workflows, then waits for the first day', () => {
  const { step, state } = nextDaily(FIRST, null, THREE - HOUR);
  expect(step).toEqual({ kind: 'workflows', after: null });
  const next = nextDaily(state, { kind: 'page', counts: { checked: 2 }, after: null }, THREE - HOUR);
  expect(next.step).toEqual({ kind: 'wait', until: THREE });
  expect(next.state).toMatchObject({ startedAt: null, last: null });
  expect(nextDaily(next.state, null, THREE - 1).step).toEqual({ kind: 'wait', until: THREE });
  const late = nextDaily(next.state, null, THREE + 5);
  expect(late.step).toEqual({ kind: 'consents', dueBy: THREE + 5 + 7 * DAY, after: null });
});

test.each([
  ['a millisecond before three', THREE - 1, { kind: 'wait', until: THREE }],
  ['at three', THREE, { kind: 'consents', dueBy: THREE + 7 * DAY, after: null }],
])('the first day of the daily work begins at three in the morning UTC: %s', (_when, now, step) => {
  expect(nextDaily({ ...FIRST, part: null }, null, now).step).toEqual(step);
});

test.each([
  ['a millisecond before the next day', THREE + DAY - 1, { kind: 'wait', until: THREE + DAY }],
  ['on the next day, at three', THREE + DAY, { kind: 'consents', dueBy: THREE + 8 * DAY, after: null }],
  [
    'five days and an hour later',
    THREE + 5 * DAY + HOUR,
    { kind: 'consents', dueBy: THREE + 12 * DAY + HOUR, after: null },
  ],
])('the daily work makes up for missed days with a single day: %s', (_when, now, step) => {
  expect(nextDaily(idle, null, now).step).toEqual(step);
});

test('the parts of the daily work follow one another, the comparison with the service last, and their results are the report of the day', () => {
  let { state, step } = nextDaily(idle, null, THREE + DAY);
  const steps = [step.kind];
  for (const part of DAILY_PARTS) {
    ({ state, step } = nextDaily(state, done(`words of ${part}`), THREE + DAY + HOUR));
    steps.push(step.kind);
  }
  expect(steps).toEqual(['consents', 'leftovers', 'workflows', 'reconciliation', 'wait']);
  expect(step).toEqual({ kind: 'wait', until: THREE + 2 * DAY });
  const parts = Object.fromEntries(DAILY_PARTS.map((part) => [part, `words of ${part}`]));
  expect(state.last).toEqual({ at: THREE + DAY, parts });
});

test('the daily work compares the records of the last 31 days, and stops comparing when the next day begins', () => {
  const { step } = nextDaily(at('workflows'), { kind: 'page', counts: {}, after: null }, THREE + HOUR);
  const period = { from: THREE - 31 * DAY, to: THREE };
  expect(step).toEqual({ kind: 'reconciliation', period, until: THREE + DAY, timeout: 2 * HOUR });
});

test('the pages of a part of the daily work follow one another, and their counts are summed', () => {
  const first = nextDaily(at('consents'), { kind: 'page', counts: { asked: 2, ended: 1 }, after: 'sub_m' }, THREE);
  expect(first.step).toMatchObject({ kind: 'consents', after: 'sub_m' });
  const last = nextDaily(first.state, { kind: 'page', counts: { asked: 3, ended: 0 }, after: null }, THREE);
  expect(last.step).toEqual({ kind: 'leftovers' });
  expect(last.state.done).toEqual({ consents: '5 asked, 1 ended' });
});

test.each([
  ['a millisecond before the limit', THREE + 12 * HOUR - 1, 'consents'],
  ['at the limit', THREE + 12 * HOUR, 'leftovers'],
])('the daily check of consents leaves the rest for the next day after half a day: %s', (_when, now, kind) => {
  const page = { kind: 'page', counts: { asked: 2 }, after: 'sub_m' } as const;
  expect(nextDaily(at('consents'), page, now).step.kind).toBe(kind);
});

test('the daily comparison of workflows has no time limit', () => {
  const page = { kind: 'page', counts: { checked: 2 }, after: 'sub_m' } as const;
  expect(nextDaily(at('workflows'), page, THREE + 20 * HOUR).step).toEqual({ kind: 'workflows', after: 'sub_m' });
});

test('a part of the daily work that fails is reported with its counts, and the other parts still run', () => {
  const state = at('consents', { counts: { asked: 7 }, after: 'sub_m' });
  const failed = nextDaily(state, { kind: 'failed', reason: 'the disk is full' }, THREE);
  expect(failed.step).toEqual({ kind: 'leftovers' });
  expect(failed.state).toMatchObject({
    after: null,
    counts: {},
    done: { consents: '7 asked; failed: the disk is full' },
  });
  const next = nextDaily(failed.state, { kind: 'failed', reason: 'still full' }, THREE);
  expect(next.step).toEqual({ kind: 'workflows', after: null });
});
