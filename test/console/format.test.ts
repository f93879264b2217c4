import { count, counted, hoursLeft, withAmounts } from '../../src/console/format';

test('a count on the page has digit grouping like every other number, and uses the singular for exactly one', () => {
  expect(counted(1, 'payment')).toBe('1 payment');
  expect(counted(0, 'payment')).toBe('0 payments');
  expect(counted(1204000, 'try', 'tries')).toBe(`${count(1204000)} tries`);
  expect(count(1204000)).not.toBe('1204000');
});

test('the time left is given in its two largest units, and is null from the deadline on', () => {
  const left = (minutes: number) => hoursLeft('2030-12-02T08:00:00.000Z', Date.UTC(2030, 11, 2, 8) - minutes * 60_000);
  expect([left(0), left(1), left(200), left(3_120)]).toEqual([null, '1 min', '3 h 20 min', '2 d 4 h']);
});

test.each([
  ['cycle 0 was collected: 19.99 EUR, at the first attempt', 'cycle 0 was collected: €19.99, at the first attempt'],
  ['At most 1000000.00 EUR: 0.05 EUR captured.', 'At most €1,000,000.00: €0.05 captured.'],
  ['version 1.19.99 EUR', 'version 1.19.99 EUR'],
  ['50 EUR', '50 EUR'],
])('amounts in the text “%s” of the API are written as on the page', (text, shown) => {
  expect(withAmounts(text)).toBe(shown);
});
