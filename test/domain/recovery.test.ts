import fc from 'fast-check';
import { euros } from '../../src/domain/money';
import {
  ADVISED_HOURS,
  adviseRetries,
  figuresOf,
  type RetryAdvice,
  type RetryHistory,
} from '../../src/domain/reports/recovery';

const history = (refusedUntil: number, collectedAfter: number | null, count = 1, cents = 1999): RetryHistory => ({
  refusedUntil,
  collectedAfter,
  count,
  amount: euros(count * cents),
});
const at = (hours: number, advice: readonly RetryAdvice[]) => advice.find((each) => each.hours === hours)!;
const counts = ({ met, refused, unknown }: RetryAdvice) => [met.count, refused.count, unknown.count];

describe('a retry at another time', () => {
  test('would have collected from the time at which a real retry collected', () => {
    const advice = adviseRetries([history(0, 24)], []);
    expect(counts(at(18, advice))).toEqual([0, 0, 1]);
    expect(counts(at(24, advice))).toEqual([1, 0, 0]);
    expect(counts(at(71, advice))).toEqual([1, 0, 0]);
  });

  test('would have been refused up to the last real refusal', () => {
    const advice = adviseRetries([history(48, 71)], []);
    expect(counts(at(48, advice))).toEqual([0, 1, 0]);
    expect(counts(at(54, advice))).toEqual([0, 0, 1]);
    expect(counts(at(71, advice))).toEqual([1, 0, 0]);
  });

  test('has an unknown result after the last refusal of a cycle that was never collected', () => {
    const advice = adviseRetries([history(66, null)], []);
    expect(counts(at(66, advice))).toEqual([0, 1, 0]);
    expect(counts(at(71, advice))).toEqual([0, 0, 1]);
  });

  test('counts each history exactly once at each time, in number and amount', () => {
    const hour = fc.integer({ min: 0, max: 72 });
    const histories = fc.array(
      fc.tuple(hour, fc.option(hour), fc.integer({ min: 1, max: 50 })).map(([refused, collected, count]) => {
        return history(refused, collected === null ? null : Math.max(refused + 1, collected), count);
      }),
    );
    fc.assert(
      fc.property(histories, (all) => {
        const whole = all.reduce((sum, { count }) => sum + count, 0);
        for (const each of adviseRetries(all, [])) {
          expect(counts(each).reduce((sum, n) => sum + n)).toBe(whole);
          expect(each.met.amount.value).toBe(each.met.count * 1999);
        }
      }),
    );
  });
});

test('the advice for a time of retry counts retries that were made within three hours of that time', () => {
  const made = [20, 21, 27, 28].flatMap((hours) => [
    { hours, isCollected: true, count: 2 },
    { hours, isCollected: false, count: 1 },
  ]);
  expect(at(24, adviseRetries([], made))).toMatchObject({ tried: 6, collected: 4 });
  expect(at(18, adviseRetries([], made))).toMatchObject({ tried: 6, collected: 4 });
  expect(at(36, adviseRetries([], made))).toMatchObject({ tried: 0, collected: 0 });
});

test('advice on retries is given only for times within the 72 hours', () => {
  expect(adviseRetries([], []).map(({ hours }) => hours)).toEqual([...ADVISED_HOURS]);
  expect(Math.max(...ADVISED_HOURS)).toBeLessThan(72);
});

test('sums of cycles with the same outcome are added, and an outcome without sums is zero', () => {
  const sums = (['recovered', 'lost', 'recovered'] as const).map((fate, nth) => ({
    key: String(nth),
    fate,
    count: nth + 1,
    amount: euros((nth + 1) * 100),
  }));
  expect(figuresOf(sums)).toEqual({
    firstAttempt: { count: 0, amount: euros(0) },
    recovered: { count: 4, amount: euros(400) },
    recoveredByLink: { count: 0, amount: euros(0) },
    lost: { count: 2, amount: euros(200) },
    open: { count: 0, amount: euros(0) },
  });
});
