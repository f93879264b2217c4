import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addMonths,
  type Calendar,
  dueAt,
  firstCycleFrom,
  hasCycle,
  type Repetition,
  REPETITIONS,
} from '../../src/domain/subscription/schedule';
import { DAY, toIso } from '../../src/domain/time';
import { at } from './subscription-under-test';

/** The months of each interval; null for the weekly one. */
const MONTHS = { WEEKLY: null, MONTHLY: 1, QUARTERLY: 3, HALF_YEARLY: 6, YEARLY: 12 };

function days(repetition: Repetition, first: string, count: number): string[] {
  const calendar: Calendar = { firstPaymentAt: at(first), repetition, endAt: null };
  return Array.from({ length: count }, (_, n) => toIso(dueAt(calendar, n)).slice(0, 10));
}

it.each<[Repetition, string, string[]]>([
  ['MONTHLY', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']],
  ['MONTHLY', '2028-01-31', ['2028-01-31', '2028-02-29', '2028-03-31']],
  ['MONTHLY', '2028-01-30', ['2028-01-30', '2028-02-29', '2028-03-30']],
  ['MONTHLY', '2027-01-29', ['2027-01-29', '2027-02-28', '2027-03-29']],
  ['MONTHLY', '2027-01-28', ['2027-01-28', '2027-02-28', '2027-03-28']],
  ['MONTHLY', '2027-02-28', ['2027-02-28', '2027-03-28', '2027-04-28']],
  ['QUARTERLY', '2027-11-30', ['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30']],
  ['QUARTERLY', '2027-01-31', ['2027-01-31', '2027-04-30', '2027-07-31', '2027-10-31', '2028-01-31']],
  ['HALF_YEARLY', '2027-08-31', ['2027-08-31', '2028-02-29', '2028-08-31', '2029-02-28']],
])('a due date at a month end stays with its anchor: %s from %s (rule 1)', (repetition, first, expected) => {
  expect(days(repetition, first, expected.length)).toEqual(expected);
});

it('a yearly subscription that starts on 29 February falls due on 28, 28, 28 and 29 February (rule 1)', () => {
  expect(days('YEARLY', '2028-02-29', 9).map((day) => day.slice(5))).toEqual([
    '02-29',
    '02-28',
    '02-28',
    '02-28',
    '02-29',
    '02-28',
    '02-28',
    '02-28',
    '02-29',
  ]);
});

it('the calendar counts 2000 as a leap year and 2100 not as one', () => {
  expect(days('YEARLY', '1996-02-29', 2)).toEqual(['1996-02-29', '1997-02-28']);
  expect(toIso(addMonths(at('1996-02-29'), 48))).toBe('2000-02-29T00:00:00.000Z');
  expect(toIso(addMonths(at('2096-02-29'), 48))).toBe('2100-02-28T00:00:00.000Z');
});

it.each<[Repetition, string, string[]]>([
  ['MONTHLY', '2027-11-30', ['2027-11-30', '2027-12-30', '2028-01-30']],
  ['MONTHLY', '2027-12-31', ['2027-12-31', '2028-01-31', '2028-02-29']],
  ['WEEKLY', '2027-12-27', ['2027-12-27', '2028-01-03', '2028-01-10']],
  ['YEARLY', '2027-12-31', ['2027-12-31', '2028-12-31']],
])('due dates continue over the end of a year: %s from %s (rule 1)', (repetition, first, expected) => {
  expect(days(repetition, first, expected.length)).toEqual(expected);
});

it.each([
  ['the weekend clocks go forward in Europe', '2027-03-21T01:30:00.123'],
  ['the weekend clocks go back in Europe', '2027-10-24T00:59:59.999'],
  ['the weekend clocks go forward in the United States', '2027-03-07T07:00:00.001'],
  ['the weekend clocks go back in the United States', '2027-10-31T06:00:00.000'],
])('the time of day of due dates stays in UTC over %s, to the millisecond (rule 1)', (_, first) => {
  for (const repetition of REPETITIONS) {
    const calendar: Calendar = { firstPaymentAt: at(first), repetition, endAt: null };
    const times = [1, 2, 3].map((n) => toIso(dueAt(calendar, n)).slice(10));
    expect(times).toEqual(Array(3).fill(`${first.slice(10)}Z`));
  }
});

it('weekly due dates are 7 × 24 hours apart', () => {
  const calendar: Calendar = { firstPaymentAt: at('2027-03-21T01:30:00.123'), repetition: 'WEEKLY', endAt: null };
  expect(dueAt(calendar, 2) - dueAt(calendar, 1)).toBe(7 * DAY);
});

describe('endAt is exclusive (rule 2)', () => {
  const calendar = (endAt: number | null): Calendar => ({
    firstPaymentAt: at('2027-01-31'),
    repetition: 'MONTHLY',
    endAt,
  });

  it.each([
    [-1, false],
    [0, false],
    [1, true],
  ])('a due date exists if endAt is %p ms after it: %p', (offset, exists) => {
    expect(hasCycle(calendar(at('2027-03-31') + offset), 2)).toBe(exists);
  });

  it('without endAt, every later cycle exists', () => {
    expect(hasCycle(calendar(null), 12_000)).toBe(true);
  });

  it('no cycle exists before the first cycle', () => {
    expect(hasCycle(calendar(null), -1)).toBe(false);
  });
});

describe('firstCycleFrom', () => {
  const calendar: Calendar = { firstPaymentAt: at('2027-01-31'), repetition: 'MONTHLY', endAt: null };

  it.each([
    ['long before the first', 0, at('2020-01-01')],
    ['at the first', 0, at('2027-01-31')],
    ['a millisecond after the first', 1, at('2027-01-31') + 1],
    ['a millisecond before the second', 1, at('2027-02-28') - 1],
    ['at the second', 1, at('2027-02-28')],
    ['a millisecond after the second', 2, at('2027-02-28') + 1],
  ])('the first cycle from an instant %s is cycle %i', (_, expected, instant) => {
    expect(firstCycleFrom(calendar, instant)).toBe(expected);
  });
});

describe('for any anchor, repetition and end', () => {
  const calendars = fc.record({
    firstPaymentAt: fc.oneof(
      fc.integer({ min: at('1970-01-01'), max: at('2120-01-01') }),
      fc
        .tuple(fc.integer({ min: 1970, max: 2120 }), fc.nat(11), fc.integer({ min: -3, max: 1 }), fc.nat(DAY - 1))
        .map(([year, month, day, time]) => Date.UTC(year, month + 1, day) + time),
    ),
    repetition: fc.constantFrom(...REPETITIONS),
    endAt: fc.constant(null),
  });
  const cycles = fc.nat(600);

  it('due dates are strictly increasing', () => {
    fc.assert(
      fc.property(calendars, cycles, (calendar, n) => {
        expect(dueAt(calendar, n + 1)).toBeGreaterThan(dueAt(calendar, n));
      }),
    );
  });

  it('due dates equal those that the library luxon computes in UTC from the anchor', () => {
    fc.assert(
      fc.property(calendars, cycles, (calendar, n) => {
        const months = MONTHS[calendar.repetition];
        const anchor = DateTime.fromMillis(calendar.firstPaymentAt, { zone: 'utc' });
        const expected = months === null ? anchor.plus({ weeks: n }) : anchor.plus({ months: n * months });
        expect(toIso(dueAt(calendar, n))).toBe(expected.toISO());
      }),
      { numRuns: 1000 },
    );
  });

  it('the first due date is the anchor', () => {
    fc.assert(fc.property(calendars, (calendar) => expect(dueAt(calendar, 0)).toBe(calendar.firstPaymentAt)));
  });

  it('added months equal those that the library luxon adds, also backwards', () => {
    const instants = fc.integer({ min: at('1900-01-01'), max: at('2200-01-01') });
    fc.assert(
      fc.property(instants, fc.integer({ min: -600, max: 600 }), (instant, months) => {
        const expected = DateTime.fromMillis(instant, { zone: 'utc' }).plus({ months }).toMillis();
        expect(addMonths(instant, months)).toBe(expected);
      }),
    );
  });

  it('cycles exist up to endAt and none after it', () => {
    fc.assert(
      fc.property(calendars, cycles, fc.integer({ min: -1, max: 1 }), (open, n, offset) => {
        const calendar = { ...open, endAt: dueAt(open, n) + offset };
        expect(n === 0 || hasCycle(calendar, n - 1)).toBe(true);
        expect(hasCycle(calendar, n)).toBe(offset > 0);
        expect(hasCycle(calendar, n + 1)).toBe(false);
      }),
    );
  });

  it('the first cycle from an instant is the one that a scan finds', () => {
    const around = fc.record({ near: cycles, offset: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.nat(40 * DAY)) });
    fc.assert(
      fc.property(calendars, around, (calendar, { near, offset }) => {
        const instant = dueAt(calendar, near) + offset;
        let scanned = 0;
        while (dueAt(calendar, scanned) < instant) scanned += 1;
        expect(firstCycleFrom(calendar, instant)).toBe(scanned);
      }),
    );
  });
});
