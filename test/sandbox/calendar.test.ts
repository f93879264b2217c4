import fc from 'fast-check';
import { datesAround, REPETITIONS, scheduledAt } from '../../src/sandbox/payments/calendar';

const HOUR = 3_600_000;
const at = (day: string): number => Date.parse(`${day}T10:00:00.123Z`);

it.each([
  ['MONTHLY', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  ['YEARLY', '2028-02-29', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['QUARTERLY', '2026-11-30', ['2026-11-30', '2027-02-28', '2027-05-30']],
  ['HALF_YEARLY', '2027-08-31', ['2027-08-31', '2028-02-29', '2028-08-31']],
  ['WEEKLY', '2027-03-25', ['2027-03-25', '2027-04-01', '2027-04-08']],
] as const)('a %s subscription from %s falls due on the expected days of the calendar', (repetition, first, dates) => {
  const schedule = { repetition, firstPaymentAt: at(first), endAt: null };
  expect(dates.map((_date, n) => scheduledAt(schedule, n))).toEqual(dates.map(at));
});

it('the simulator finds every due date around an instant and no other, whatever the schedule', () => {
  const instants = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2060-01-01') });
  const property = fc.property(
    fc.constantFrom(...REPETITIONS),
    instants,
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: -200 * HOUR, max: 200 * HOUR }),
    fc.option(fc.integer({ min: 1, max: 60 })),
    (repetition, firstPaymentAt, near, offset, endAfter) => {
      const open = { repetition, firstPaymentAt, endAt: null };
      const schedule = { ...open, endAt: endAfter === null ? null : scheduledAt(open, endAfter) };
      const instant = scheduledAt(open, near) + offset;
      const expected = Array.from({ length: 65 }, (_none, cycle) => ({ cycle, scheduledAt: scheduledAt(open, cycle) }))
        .filter((date) => Math.abs(date.scheduledAt - instant) <= 120 * HOUR)
        .filter((date) => endAfter === null || date.cycle < endAfter);
      expect(datesAround(schedule, instant, 120 * HOUR)).toEqual(expected);
    },
  );
  fc.assert(property, { numRuns: 500 });
});
