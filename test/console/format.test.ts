import { count, counted } from '../../src/console/format';

test('a count on the page is grouped like every other number, and has the singular for exactly one', () => {
  expect(counted(1, 'payment')).toBe('1 payment');
  expect(counted(0, 'payment')).toBe('0 payments');
  expect(counted(1204000, 'try', 'tries')).toBe(`${count(1204000)} tries`);
  expect(count(1204000)).not.toBe('1204000');
});
