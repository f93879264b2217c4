import { endOf, estimate } from '../../src/domain/reconciliation/estimate';
import { HOUR, MINUTE } from '../../src/domain/time';

test.each([
  [1_000_000, 100, 'up to 1000000 payments to compare, 3 calls each: about 8 h 20 min at 100 calls a second'],
  [1_000_000, null, 'up to 1000000 payments to compare, 3 calls each: about 1 h 28 min if the service answers quickly'],
  [119_999, 100, 'up to 119999 payments to compare, 3 calls each: about 1 h 0 min at 100 calls a second'],
  [2_001, 100, 'up to 2001 payments to compare, 3 calls each: about 2 min at 100 calls a second'],
  [1_999, 100, 'up to 1999 payments to compare, 3 calls each: about a minute at 100 calls a second'],
  [1, 0.5, 'up to 1 payment to compare, 3 calls each: about a minute at 0.5 calls a second'],
])('comparing %d payments with a cap of %p is estimated by the calls it makes', (payments, cap, words) => {
  expect(estimate(payments, cap)).toBe(words);
});

test('the estimated end of a comparison assumes that the remaining payments take as long as the earlier ones', () => {
  const since = 1_000 * HOUR;
  expect(endOf({ done: 250, left: 750, since }, since + 10 * MINUTE)).toBe(since + 40 * MINUTE);
  expect(endOf({ done: 250, left: -3, since }, since + 10 * MINUTE)).toBe(since + 10 * MINUTE);
  expect(endOf({ done: 0, left: 750, since }, since + MINUTE)).toBeNull();
});
