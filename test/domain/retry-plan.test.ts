import fc from 'fast-check';
import { HOUR, MINUTE } from '../../src/domain/time';
import {
  planRetry,
  retriesAllowed,
  retriesLeft,
  retryLimit,
  type RetryPolicy,
  type RetryQuestion,
} from '../../src/domain/subscription/retries';
import { FIRST, MINUTE_MARGIN, NO_MARGIN } from './subscription-under-test';

const COLLECT_BY = FIRST + 120 * HOUR;

function question(wanted: Partial<RetryQuestion> = {}): RetryQuestion {
  return { retry: 1, firstFailureAt: FIRST, collectBy: COLLECT_BY, noticeAt: FIRST, policy: NO_MARGIN, ...wanted };
}

/** Hours and minutes after the due date, for reading; null where none is planned. */
function planned(wanted: Partial<RetryQuestion> = {}): number | null {
  const retryAt = planRetry(question(wanted));
  return retryAt === null ? null : (retryAt - FIRST) / HOUR;
}

describe('the limit L', () => {
  it.each([
    ['72 h after the first failure', FIRST, COLLECT_BY, FIRST + 72 * HOUR],
    ['72 h where the window ends in the same instant', FIRST + 48 * HOUR, COLLECT_BY, COLLECT_BY],
    ['the end of the window, a millisecond earlier', FIRST + 48 * HOUR + 1, COLLECT_BY, COLLECT_BY],
    ['the end of a window cut by endAt', FIRST, FIRST + HOUR, FIRST + HOUR],
  ])('is %s', (_, firstFailureAt, collectBy, limit) => {
    expect(retryLimit(firstFailureAt, collectBy, NO_MARGIN)).toBe(limit);
  });

  it('is earlier by the transit margin', () => {
    expect(retryLimit(FIRST, COLLECT_BY, MINUTE_MARGIN)).toBe(FIRST + 72 * HOUR - MINUTE);
  });
});

describe('a failure at the due date', () => {
  it.each([
    [1, 24],
    [2, 48],
    [3, 71],
    [4, null],
  ])('has retry %p after %p h', (retry, hours) => {
    expect(planned({ retry })).toBe(hours);
  });

  it.each([
    ['a minute and a millisecond before the planned time', 24 * HOUR - MINUTE - 1, 24 * HOUR],
    ['a minute before it', 24 * HOUR - MINUTE, 24 * HOUR],
    ['a minute less a millisecond before it', 24 * HOUR - MINUTE + 1, 24 * HOUR + 1],
    ['long after it', 50 * HOUR, 50 * HOUR + MINUTE],
  ])('a notice delivered %s', (_, noticeAfter, retryAfter) => {
    expect(planRetry(question({ noticeAt: FIRST + noticeAfter }))).toBe(FIRST + retryAfter);
  });

  it.each([
    ['a minute and a millisecond before L: retried in the last millisecond', 72 * HOUR - MINUTE - 1, 72 * HOUR - 1],
    ['a minute before L: too late', 72 * HOUR - MINUTE, null],
    ['a minute less a millisecond before L: too late', 72 * HOUR - MINUTE + 1, null],
    ['at L: too late', 72 * HOUR, null],
  ])('a notice delivered %s', (_, noticeAfter, retryAfter) => {
    const expected = retryAfter === null ? null : FIRST + retryAfter;
    expect(planRetry(question({ noticeAt: FIRST + noticeAfter }))).toBe(expected);
  });

  it('a retry planned at L itself is dropped, one a millisecond before it is made', () => {
    const policy = (last: number): RetryPolicy => ({ offsets: [24 * HOUR, 48 * HOUR, last], transit: 0 });
    expect(planned({ retry: 3, policy: policy(72 * HOUR) })).toBeNull();
    expect(planRetry(question({ retry: 3, policy: policy(72 * HOUR - 1) }))).toBe(FIRST + 72 * HOUR - 1);
  });
});

describe('a cycle first tried late keeps what is left', () => {
  it.each([
    [48, [72, 96, 119]],
    [49, [73, 97, null]],
    [72, [96, null, null]],
    [95, [119, null, null]],
    [96, [119, null, null]],
    [118, [119, null, null]],
  ])('failed %p h after the due date: retries at %p h', (late, hours) => {
    const failedAt = FIRST + late * HOUR;
    const all = [1, 2, 3].map((retry) => planned({ retry, firstFailureAt: failedAt, noticeAt: failedAt }));
    expect(all).toEqual(hours);
  });

  it.each([
    ['a millisecond before L − 1 h', -1, true],
    ['at L − 1 h', 0, false],
    ['a millisecond after', 1, false],
  ])('the last chance is planned where the notice is delivered %s: %p', (_, offset, planned) => {
    const noticeAt = COLLECT_BY - HOUR + offset;
    const retryAt = planRetry(question({ firstFailureAt: FIRST + 110 * HOUR, noticeAt }));
    expect(retryAt !== null).toBe(planned);
  });

  it('the last chance too comes a minute after its notice', () => {
    const noticeAt = COLLECT_BY - HOUR - 10_000;
    expect(planRetry(question({ firstFailureAt: FIRST + 110 * HOUR, noticeAt }))).toBe(noticeAt + MINUTE);
  });
});

describe('a policy of fewer retries', () => {
  it.each([
    [[], 1],
    [[HOUR], 1],
    [[HOUR, 2 * HOUR], 2],
    [[HOUR, 2 * HOUR, 3 * HOUR], 3],
    [[HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR], 3],
  ])('of offsets %p allows %p', (offsets, allowed) => {
    const policy = { offsets, transit: 0 };
    expect(retriesAllowed(policy)).toBe(allowed);
    expect(planRetry(question({ retry: allowed, policy }))).not.toBeNull();
    expect(planRetry(question({ retry: allowed + 1, policy }))).toBeNull();
  });
});

describe('retries left', () => {
  it.each([
    [1, FIRST, 3],
    [2, FIRST, 2],
    [3, FIRST, 1],
    [4, FIRST, 0],
    [1, FIRST + 49 * HOUR, 2],
    [1, FIRST + 96 * HOUR, 1],
    [1, COLLECT_BY - 30 * MINUTE, 0],
  ])('from retry %p on, first failed at %p: %p', (retry, firstFailureAt, left) => {
    expect(retriesLeft(question({ retry, firstFailureAt, noticeAt: firstFailureAt }))).toBe(left);
  });
});

describe('for any failure, notices and policy', () => {
  const policies = fc.record({
    offsets: fc
      .uniqueArray(fc.integer({ min: 1, max: 72 * HOUR }), { maxLength: 3 })
      .map((offsets) => offsets.sort((a, b) => a - b)),
    transit: fc.constantFrom(0, MINUTE, HOUR),
  });
  const failures = fc.record({
    failedAfter: fc.nat(120 * HOUR),
    windowLength: fc.integer({ min: 1, max: 120 * HOUR }),
    noticesAfter: fc.array(fc.nat(80 * HOUR), { minLength: 3, maxLength: 3 }),
  });

  it('at most 3 retries, each a minute after its notice or later, before L, the 72 h and the end of the window', () => {
    fc.assert(
      fc.property(policies, failures, (policy, { failedAfter, windowLength, noticesAfter }) => {
        const firstFailureAt = FIRST + Math.min(failedAfter, windowLength - 1);
        const collectBy = FIRST + windowLength;
        const retries: number[] = [];
        let failedAt = firstFailureAt;
        for (const after of [...noticesAfter, 0, 0]) {
          const noticeAt = failedAt + after;
          const retry = retries.length + 1;
          const retryAt = planRetry({ retry, firstFailureAt, collectBy, noticeAt, policy });
          if (retryAt === null) break;
          expect(retryAt).toBeGreaterThanOrEqual(noticeAt + MINUTE);
          retries.push(retryAt);
          failedAt = retryAt;
        }
        expect(retries.length).toBeLessThanOrEqual(retriesAllowed(policy));
        for (const retryAt of retries) {
          expect(retryAt).toBeLessThan(retryLimit(firstFailureAt, collectBy, policy));
          expect(retryAt).toBeLessThan(firstFailureAt + 72 * HOUR - policy.transit);
          expect(retryAt).toBeLessThan(collectBy - policy.transit);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('no retry is planned before its offset, but the last chance', () => {
    fc.assert(
      fc.property(
        policies,
        failures,
        fc.integer({ min: 1, max: 3 }),
        (policy, { failedAfter, noticesAfter }, retry) => {
          const firstFailureAt = FIRST + failedAfter;
          const noticeAt = firstFailureAt + (noticesAfter[0] ?? 0);
          const retryAt = planRetry({ retry, firstFailureAt, collectBy: COLLECT_BY, noticeAt, policy });
          const limit = retryLimit(firstFailureAt, COLLECT_BY, policy);
          const offset = policy.offsets[retry - 1];
          if (retryAt === null) return;
          const isLastChance = retry === 1 && retryAt >= limit - HOUR;
          expect(isLastChance || (offset !== undefined && retryAt >= firstFailureAt + offset)).toBe(true);
        },
      ),
    );
  });

  it('as many retries are left as can be planned one after the other', () => {
    fc.assert(
      fc.property(policies, fc.nat(120 * HOUR), (policy, failedAfter) => {
        const firstFailureAt = FIRST + failedAfter;
        const asked = { firstFailureAt, collectBy: COLLECT_BY, noticeAt: firstFailureAt, policy };
        const possible = [1, 2, 3].filter((retry) => planRetry({ ...asked, retry }) !== null).length;
        expect(retriesLeft({ ...asked, retry: 1 })).toBe(possible);
      }),
    );
  });
});
