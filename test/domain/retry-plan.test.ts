import fc from 'fast-check';
import { HOUR, type Instant, MINUTE } from '../../src/domain/time';
import {
  earliestRetry,
  MAX_RETRIES,
  planRetry,
  retriesLeft,
  retriesPlanned,
  retryGap,
  retryLimit,
  type RetryPolicy,
  type RetryQuestion,
} from '../../src/domain/subscription/retries';
import { FIRST, MINUTE_MARGIN, NO_MARGIN } from './subscription-under-test';

const COLLECT_BY = FIRST + 120 * HOUR;

function question(wanted: Partial<RetryQuestion> = {}): RetryQuestion {
  const { firstFailureAt = FIRST } = wanted;
  const usual = { retry: 1, previousAt: firstFailureAt, collectBy: COLLECT_BY, noticeAt: firstFailureAt };
  return { ...usual, policy: NO_MARGIN, ...wanted, firstFailureAt };
}

/** The planned time of the retry in hours after the due date; null if no retry is planned. */
function planned(wanted: Partial<RetryQuestion> = {}): number | null {
  const retryAt = planRetry(question(wanted));
  return retryAt === null ? null : (retryAt - FIRST) / HOUR;
}

function policyOf(offsets: readonly number[], asked = 6 * HOUR, transit = 0): RetryPolicy {
  return { offsets, transit, gap: retryGap(offsets, asked) };
}

it.each([
  ['72 h after the first failure', FIRST, COLLECT_BY, FIRST + 72 * HOUR],
  ['72 h after the first failure if the window ends just then', FIRST + 48 * HOUR, COLLECT_BY, COLLECT_BY],
  ['the end of the window if that is a millisecond earlier', FIRST + 48 * HOUR + 1, COLLECT_BY, COLLECT_BY],
  ['the end of a window cut by endAt', FIRST, FIRST + HOUR, FIRST + HOUR],
])('the limit L of retries is %s', (_, firstFailureAt, collectBy, limit) => {
  expect(retryLimit(firstFailureAt, collectBy, NO_MARGIN)).toBe(limit);
});

it('the limit L of retries is earlier by the transit margin', () => {
  expect(retryLimit(FIRST, COLLECT_BY, MINUTE_MARGIN)).toBe(FIRST + 72 * HOUR - MINUTE);
});

it.each([
  [0, 24],
  [24 * HOUR - 1, 30 - 1 / HOUR],
  [24 * HOUR, 48],
  [24 * HOUR + 1, 48],
  [48 * HOUR, 71],
  [60 * HOUR, 71],
  [65 * HOUR, 71],
  [65 * HOUR + 1, 71 + 1 / HOUR],
  [71 * HOUR - 1, null],
  [71 * HOUR, null],
  [71 * HOUR + 20 * MINUTE, null],
])('the retry after an attempt %p ms after the first failure is planned at %p h', (sent, hours) => {
  const previousAt = FIRST + sent;
  const retryAt = planned({ retry: 2, previousAt, noticeAt: previousAt });
  if (hours === null) expect(retryAt).toBeNull();
  else expect(retryAt).toBeCloseTo(hours, 9);
});

it('no fourth retry is planned, however early the first three were made', () => {
  expect(planned({ retry: MAX_RETRIES, previousAt: FIRST + 2 * HOUR })).toBe(24);
  expect(planned({ retry: MAX_RETRIES + 1, previousAt: FIRST + 2 * HOUR })).toBeNull();
});

it('a retry that an operator requests ahead of the plan does not change the planned times', () => {
  const asked = FIRST + 2 * HOUR;
  expect(planned({ retry: 2, previousAt: asked, noticeAt: asked, policy: policyOf([24 * HOUR]) })).toBe(24);
});

it('the clock of this machine decides which planned time has been used, not that of the service', () => {
  const previousAt = FIRST + 24 * HOUR;
  expect(planned({ retry: 2, previousAt, noticeAt: previousAt - 100 })).toBe(48);
});

it.each([
  ['a minute and a millisecond before the planned time leaves it', 24 * HOUR - MINUTE - 1, 24 * HOUR],
  ['a minute before the planned time leaves it', 24 * HOUR - MINUTE, 24 * HOUR],
  [
    'a minute less a millisecond before the planned time moves it by a millisecond',
    24 * HOUR - MINUTE + 1,
    24 * HOUR + 1,
  ],
  ['long after the planned time moves it to a minute after the notice', 50 * HOUR, 50 * HOUR + MINUTE],
])('a notice delivered %s', (_, noticeAfter, retryAfter) => {
  expect(planRetry(question({ noticeAt: FIRST + noticeAfter }))).toBe(FIRST + retryAfter);
});

it.each([
  [
    'a minute and a millisecond before L permits a retry in the last millisecond',
    72 * HOUR - MINUTE - 1,
    72 * HOUR - 1,
  ],
  ['a minute before L is too late for a retry', 72 * HOUR - MINUTE, null],
  ['a minute less a millisecond before L is too late for a retry', 72 * HOUR - MINUTE + 1, null],
  ['at L is too late for a retry', 72 * HOUR, null],
])('a notice delivered %s', (_, noticeAfter, retryAfter) => {
  const expected = retryAfter === null ? null : FIRST + retryAfter;
  expect(planRetry(question({ noticeAt: FIRST + noticeAfter }))).toBe(expected);
});

it('a retry that is planned at L is dropped, and one that is planned a millisecond before L is made', () => {
  const third = { retry: 3, previousAt: FIRST + 48 * HOUR };
  expect(planned({ ...third, policy: policyOf([24 * HOUR, 48 * HOUR, 72 * HOUR]) })).toBeNull();
  const policy = policyOf([24 * HOUR, 48 * HOUR, 72 * HOUR - 1]);
  expect(planRetry(question({ ...third, policy }))).toBe(FIRST + 72 * HOUR - 1);
});

it.each([
  ['as configured if the offsets are further apart', [24, 48, 71], 6, 6],
  ['the smallest distance between two offsets if that is less than configured', [24, 26, 71], 6, 2],
  ['the first offset if that is less than any distance', [3, 24, 48], 6, 3],
  ['as configured if that is the distance itself', [6, 24], 6, 6],
  ['zero if none is configured', [24, 48, 71], 0, 0],
  ['as configured if there are no offsets', [], 24, 24],
])('the gap between two attempts is %s', (_, offsets, asked, gap) => {
  const of = offsets.map((hours) => hours * HOUR);
  expect(retryGap(of, asked * HOUR) / HOUR).toBe(gap);
});

it.each([
  ['a millisecond before the planned time: the retry is made as planned', 42 * HOUR - 1, 48 * HOUR],
  ['at the planned time: the retry is made as planned', 42 * HOUR, 48 * HOUR],
  ['a millisecond after the planned time: the retry moves', 42 * HOUR + 1, 48 * HOUR + 1],
])('the gap between two attempts ends %s', (_, sent, retryAfter) => {
  const previousAt = FIRST + sent;
  expect(planRetry(question({ retry: 2, previousAt, noticeAt: previousAt }))).toBe(FIRST + retryAfter);
});

it.each([
  ['a millisecond before L: the retry is made at that time', 66 * HOUR - 1, 72 * HOUR - 1],
  ['at L: the retry is dropped', 66 * HOUR, null],
])('the gap between two attempts ends %s', (_, sent, retryAfter) => {
  const previousAt = FIRST + sent;
  const expected = retryAfter === null ? null : FIRST + retryAfter;
  expect(planRetry(question({ retry: 3, previousAt, noticeAt: previousAt }))).toBe(expected);
});

/** Attempts in hours after the first failure: each is made as soon as the plan, its notice and `free` allow. */
function attempts(noticeAfter: number, free: Instant, policy = MINUTE_MARGIN): number[] {
  const made: number[] = [];
  let [previousAt, noticeAt] = [FIRST, FIRST + noticeAfter];
  for (;;) {
    const retryAt = planRetry(question({ retry: made.length + 1, previousAt, noticeAt, policy }));
    const at = retryAt === null ? null : Math.max(retryAt, free);
    if (at === null || at >= retryLimit(FIRST, COLLECT_BY, policy)) return made;
    made.push(at);
    [previousAt, noticeAt] = [at, at];
  }
}

const from = (hours: number, minutes = 0) => FIRST + hours * HOUR + minutes * MINUTE;

it.each([
  ['retries that are never stopped are made at all planned times', 0, 0, [from(24), from(48), from(71)]],
  ['retries resumed at +60 are made at 60 h and at 71 h', 0, from(60), [from(60), from(71)]],
  ['retries resumed at +71:20 are made once, at 71:20 h', 0, from(71, 20), [from(71, 20)]],
  ['retries resumed at L are not made', 0, from(71, 59), []],
  [
    'retries first notified at +47 are made a minute later, after the gap, and at 71 h',
    47 * HOUR,
    0,
    [from(47, 1), from(53, 1), from(71)],
  ],
])('with planned times of 24, 48 and 71 h, and L at 71:59: %s', (_, noticeAfter, free, made) => {
  expect(attempts(noticeAfter, free)).toEqual(made);
});

it.each([
  [48, [72, 96, 119]],
  [49, [73, 97]],
  [72, [96]],
  [95, [119]],
  [96, [119]],
  [118, [119]],
  [118.5, []],
])('a cycle that was first tried late, and failed %p h after the due date, has retries at %p h', (late, hours) => {
  const firstFailureAt = FIRST + late * HOUR;
  const made: number[] = [];
  let previousAt = firstFailureAt;
  for (;;) {
    const retryAt = planRetry(question({ retry: made.length + 1, firstFailureAt, previousAt, noticeAt: previousAt }));
    if (retryAt === null) break;
    made.push((retryAt - FIRST) / HOUR);
    previousAt = retryAt;
  }
  expect(made).toEqual(hours);
});

it.each([
  ['an hour and a millisecond before the last chance', -1, true],
  ['an hour before the last chance', 0, true],
  ['a millisecond less than an hour before the last chance', 1, false],
])('whether the last chance is planned for a cycle that failed %s', (_, offset, isPlanned) => {
  const retryAt = planRetry(question({ firstFailureAt: COLLECT_BY - 2 * HOUR + offset }));
  expect(retryAt).toBe(isPlanned ? COLLECT_BY - HOUR : null);
});

it.each([
  ['a minute and a millisecond before the last chance', -1, true],
  ['a minute before the last chance', 0, true],
  ['a millisecond less than a minute before the last chance', 1, false],
])('whether the last chance is planned with a notice delivered %s', (_, offset, isPlanned) => {
  const noticeAt = COLLECT_BY - HOUR - MINUTE + offset;
  const retryAt = planRetry(question({ firstFailureAt: FIRST + 110 * HOUR, noticeAt }));
  expect(retryAt).toBe(isPlanned ? COLLECT_BY - HOUR : null);
});

it('the gap between attempts does not apply to the last chance', () => {
  const firstFailureAt = COLLECT_BY - 3 * HOUR;
  expect(planRetry(question({ firstFailureAt }))).toBe(COLLECT_BY - HOUR);
});

it('a cycle has no last chance once a retry was made', () => {
  const firstFailureAt = FIRST + 110 * HOUR;
  expect(planRetry(question({ retry: 2, firstFailureAt, previousAt: firstFailureAt + HOUR }))).toBeNull();
});

it.each([
  ['a minute after the notice, before the planned time and within the gap', FIRST + HOUR, FIRST + HOUR + MINUTE],
  ['in the last millisecond', FIRST + 72 * HOUR - MINUTE - 1, FIRST + 72 * HOUR - 1],
  ['before L, but not at L', FIRST + 72 * HOUR - MINUTE, null],
])('a retry that an operator requests is made %s', (_, noticeAt, retryAt) => {
  expect(earliestRetry(question({ noticeAt }), FIRST)).toBe(retryAt);
});

it('a retry that an operator requests may be the third of its cycle, but not the fourth', () => {
  expect(earliestRetry(question({ retry: 3 }), FIRST)).toBe(FIRST + MINUTE);
  expect(earliestRetry(question({ retry: 4 }), FIRST)).toBeNull();
});

test.each([
  [[], 1],
  [[HOUR], 1],
  [[HOUR, 2 * HOUR], 2],
  [[HOUR, 2 * HOUR, 3 * HOUR], 3],
  [[HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR], 3],
])('a policy with the offsets %p permits %p retries', (offsets, count) => {
  expect(retriesPlanned(policyOf(offsets))).toBe(count);
});

it.each([
  [1, FIRST, FIRST, 3],
  [2, FIRST, FIRST + 24 * HOUR, 2],
  [3, FIRST, FIRST + 48 * HOUR, 1],
  [4, FIRST, FIRST + 49 * HOUR, 0],
  [2, FIRST, FIRST + 60 * HOUR, 1],
  [2, FIRST, FIRST + 71 * HOUR, 0],
  [2, FIRST, FIRST + 2 * HOUR, 2],
  [1, FIRST + 49 * HOUR, FIRST + 49 * HOUR, 2],
  [1, FIRST + 96 * HOUR, FIRST + 96 * HOUR, 1],
  [1, COLLECT_BY - 30 * MINUTE, COLLECT_BY - 30 * MINUTE, 0],
])('from retry %p on, failed first at %p, sent last at %p: %p are left', (retry, firstFailureAt, previousAt, left) => {
  expect(retriesLeft(question({ retry, firstFailureAt, previousAt, noticeAt: previousAt }))).toBe(left);
});

describe('for any failure, notices and policy', () => {
  const policies = fc
    .record({
      offsets: fc
        .uniqueArray(fc.integer({ min: 1, max: 72 * HOUR }), { maxLength: 3 })
        .map((offsets) => offsets.sort((a, b) => a - b)),
      asked: fc.constantFrom(0, HOUR, 6 * HOUR, 24 * HOUR),
      transit: fc.constantFrom(0, MINUTE, HOUR),
    })
    .map(({ offsets, asked, transit }) => policyOf(offsets, asked, transit));
  const waits = fc.array(fc.oneof(fc.nat(HOUR), fc.nat(80 * HOUR)), { minLength: 4, maxLength: 4 });
  const lives = fc.record({
    policy: policies,
    failedAfter: fc.nat(120 * HOUR),
    windowLength: fc.integer({ min: 1, max: 120 * HOUR }),
    notices: waits,
    delays: waits,
  });

  interface Life {
    readonly limit: Instant;
    readonly firstFailureAt: Instant;
    readonly retries: readonly { readonly at: Instant; readonly plannedAt: Instant; readonly noticeAt: Instant }[];
  }

  /** Each retry is made some time after its planned time, as if a pause or an outage had stopped it. */
  function live({
    policy,
    failedAfter,
    windowLength,
    notices,
    delays,
  }: typeof lives extends fc.Arbitrary<infer T> ? T : never): Life {
    const firstFailureAt = FIRST + Math.min(failedAfter, windowLength - 1);
    const collectBy = FIRST + windowLength;
    const limit = retryLimit(firstFailureAt, collectBy, policy);
    const retries: { at: Instant; plannedAt: Instant; noticeAt: Instant }[] = [];
    let previousAt = firstFailureAt;
    for (const [index, after] of notices.entries()) {
      const noticeAt = previousAt + after;
      const retry = retries.length + 1;
      const plannedAt = planRetry({ retry, firstFailureAt, previousAt, collectBy, noticeAt, policy });
      if (plannedAt === null) break;
      const at = plannedAt + (delays[index] ?? 0);
      if (at >= limit) break;
      retries.push({ at, plannedAt, noticeAt });
      previousAt = at;
    }
    return { limit, firstFailureAt, retries };
  }

  function always(holds: (life: Life, policy: RetryPolicy) => void): void {
    fc.assert(
      fc.property(lives, (each) => holds(live(each), each.policy)),
      { numRuns: 1000 },
    );
  }

  it('at most 3 retries are made, each a minute after its notice or later, and before L', () => {
    always(({ limit, retries }) => {
      expect(retries.length).toBeLessThanOrEqual(MAX_RETRIES);
      for (const { at, plannedAt, noticeAt } of retries) {
        expect(plannedAt).toBeGreaterThanOrEqual(noticeAt + MINUTE);
        expect(at).toBeLessThan(limit);
      }
    });
  });

  it('two attempts are never closer together than the gap, except for the last chance', () => {
    always(({ limit, firstFailureAt, retries }, { gap }) => {
      retries.forEach(({ plannedAt }, index) => {
        if (index === 0 && plannedAt === limit - HOUR) return;
        expect(plannedAt - (retries[index - 1]?.at ?? firstFailureAt)).toBeGreaterThanOrEqual(gap);
      });
    });
  });

  it('each retry follows a separate planned time that has come, except for the last chance', () => {
    always(({ limit, firstFailureAt, retries }, { offsets }) => {
      const times = offsets.map((offset) => firstFailureAt + offset);
      retries.forEach(({ plannedAt }, index) => {
        if (index === 0 && plannedAt === limit - HOUR) return;
        const after = retries[index - 1]?.at ?? firstFailureAt;
        expect(times.some((time) => time > after && time <= plannedAt)).toBe(true);
      });
    });
  });

  it('as many retries are reported as left as are made if every notice is delivered at once and nothing stops them', () => {
    fc.assert(
      fc.property(policies, fc.nat(120 * HOUR), (policy, failedAfter) => {
        const firstFailureAt = FIRST + failedAfter;
        const none = [0, 0, 0, 0];
        const life = live({ policy, failedAfter, windowLength: 120 * HOUR + 1, notices: none, delays: none });
        const asked = question({ firstFailureAt, collectBy: FIRST + 120 * HOUR + 1, policy });
        expect(retriesLeft(asked)).toBe(life.retries.length);
      }),
    );
  });
});
