import fc from 'fast-check';
import { DAILY_AT, firstDailyFrom, nextDailyAfter } from '../../src/domain/subscription/schedule';
import { DAY, HOUR } from '../../src/domain/time';

const at = (iso: string) => Date.parse(iso);

test.each([
  ['a millisecond before its time', '2027-01-31T02:59:59.999Z', '2027-01-31T03:00:00.000Z', '2027-01-31T03:00:00.000Z'],
  ['at its time', '2027-01-31T03:00:00.000Z', '2027-01-31T03:00:00.000Z', '2027-02-01T03:00:00.000Z'],
  ['a millisecond after its time', '2027-01-31T03:00:00.001Z', '2027-02-01T03:00:00.000Z', '2027-02-01T03:00:00.000Z'],
  ['at midnight', '2027-12-31T24:00:00.000Z', '2028-01-01T03:00:00.000Z', '2028-01-01T03:00:00.000Z'],
  [
    'on the night the clocks change',
    '2027-03-28T01:30:00.000Z',
    '2027-03-28T03:00:00.000Z',
    '2027-03-28T03:00:00.000Z',
  ],
  ['on 28 February of a leap year', '2028-02-28T12:00:00.000Z', '2028-02-29T03:00:00.000Z', '2028-02-29T03:00:00.000Z'],
])('the first and the next time of the daily work, asked %s', (_when, now, first, next) => {
  expect(firstDailyFrom(at(now))).toBe(at(first));
  expect(nextDailyAfter(at(now))).toBe(at(next));
});

test('the daily work comes once a day, at three in the morning UTC, never more than a day ahead', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }), (now) => {
      const next = nextDailyAfter(now);
      expect(next - now).toBeGreaterThan(0);
      expect(next - now).toBeLessThanOrEqual(DAY);
      expect(next % DAY).toBe(DAILY_AT);
      expect(nextDailyAfter(next)).toBe(next + DAY);
    }),
  );
  expect(DAILY_AT).toBe(3 * HOUR);
});
