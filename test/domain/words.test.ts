import { consentEndedBy, isTerminal, SUBSCRIPTION_STATUSES } from '../../src/domain/subscription/state';
import { toIso } from '../../src/domain/time';
import { counted, euros, formatMoney, sameMoney } from '../../src/domain/money';
import { at } from './subscription-under-test';

it.each([
  [0, '0.00 EUR'],
  [1, '0.01 EUR'],
  [99, '0.99 EUR'],
  [100, '1.00 EUR'],
  [1999, '19.99 EUR'],
  [500_000, '5000.00 EUR'],
])('an amount of %p cents reads %s', (cents, text) => {
  expect(formatMoney(euros(cents))).toBe(text);
});

it.each([-1, 0.5, 19.99, NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])('an amount of %p cents is an error', (cents) => {
  expect(() => euros(cents)).toThrow(RangeError);
});

it('two amounts that differ by a cent are not the same', () => {
  expect([1998, 1999, 2000].map((cents) => sameMoney(euros(1999), euros(cents)))).toEqual([false, true, false]);
});

test.each([
  [0, '0 payments'],
  [1, '1 payment'],
  [2, '2 payments'],
  [1204, '1204 payments'],
])('a count of %p payments reads %s', (n, text) => {
  expect(counted(n, 'payment')).toBe(text);
});

test('a count may have an irregular plural, and any number format', () => {
  expect([1, 2].map((n) => counted(n, 'try', 'tries'))).toEqual(['1 try', '2 tries']);
  expect(counted(1204, 'difference waits', 'differences wait', (n) => n.toLocaleString('en'))).toBe(
    '1,204 differences wait',
  );
});

it.each([
  [null, false, 'payer'],
  ['cancelled_by_payer', false, 'payer'],
  ['something new', false, 'payer'],
  ['cancelled_by_merchant', false, 'merchant'],
  ['CANCELLED_BY_MERCHANT', false, 'merchant'],
  [null, true, 'merchant'],
  ['cancelled_by_payer', true, 'payer'],
  ['something new', true, 'merchant'],
])('the end of a consent with the reason %p, deleted by us %p, is by the %s', (reason, weDeleted, by) => {
  expect(consentEndedBy(reason, weDeleted)).toBe(by);
});

it('a subscription ends in one of three statuses', () => {
  expect(SUBSCRIPTION_STATUSES.filter(isTerminal)).toEqual(['consent_failed', 'cancelled', 'completed']);
});

it('instants are written in UTC with milliseconds', () => {
  expect(toIso(at('2027-01-31'))).toBe('2027-01-31T00:00:00.000Z');
  expect(toIso(at('2028-02-29T23:59:59.999'))).toBe('2028-02-29T23:59:59.999Z');
});
