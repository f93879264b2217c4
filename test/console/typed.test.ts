import { AMOUNT_EXPECTED, amountOf, centsOf, pairsOf } from '../../src/console/views/common/typed';
import { decimalOf } from '../../src/domain/money';

test.each([
  ['12', 1200],
  ['12.5', 1250],
  ['12,50', 1250],
  [' 0.01 ', 1],
  ['999999999.99', 99_999_999_999],
])('an amount typed as "%s" is %d cents', (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

test.each(['', '-1', '1.234', '1,000.00', '1e3', '0x10', 'twelve', '12.'])('"%s" is refused as an amount', (text) => {
  expect(centsOf(text)).toBeNull();
  expect(() => amountOf(text)).toThrow('expected euros, such as 12.50');
});

test('a formatted amount parses to the same amount', () => {
  expect([0, 1, 99, 100, 1999].map((value) => decimalOf({ value })).map(centsOf)).toEqual([0, 1, 99, 100, 1999]);
  expect(AMOUNT_EXPECTED).toContain('12.50');
});

test('metadata pairs are parsed, and a comma inside a value is kept', () => {
  expect(pairsOf('shop=north, team=a=b')).toEqual({ shop: 'north', team: 'a=b' });
  expect(pairsOf('city=Berlin, Mitte,shop=north')).toEqual({ city: 'Berlin, Mitte', shop: 'north' });
  expect(pairsOf('shop')).toEqual({ shop: '' });
  expect(pairsOf('  ')).toBeUndefined();
});
