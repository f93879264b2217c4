import fc from 'fast-check';
import { dueAt, hasCycle, REPETITIONS } from '../../src/domain/subscription/schedule';
import { NOTHING, sumOf, euros } from '../../src/domain/money';
import { dueDatesWithin, type Expected, Forecast } from '../../src/domain/reports/forecast';
import { DAY, HOUR, toIso, daysOf, type Period } from '../../src/domain/time';
import { at } from './subscription-under-test';

const FIRST = at('2027-01-31T10:00:00.123');

function expected(changes: Partial<Expected> = {}): Expected {
  return {
    status: 'active',
    firstPaymentAt: FIRST,
    repetition: 'MONTHLY',
    endAt: null,
    nextDueAt: changes.firstPaymentAt ?? FIRST,
    pausedUntil: null,
    amount: euros(1999),
    pendingChange: null,
    skipped: [],
    ...changes,
  };
}

function between(from: string, to: string): Period {
  return { from: at(from), to: at(to) };
}

function dates(changes: Partial<Expected>, period: Period): string[] {
  return dueDatesWithin(expected(changes), period).map((due) => toIso(due).slice(0, 10));
}

const YEAR = between('2027-01-01', '2028-01-01');

it('due dates in a period keep the day of the anchor over month ends and a leap day', () => {
  expect(dates({}, between('2028-01-31', '2028-05-01'))).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
  ]);
  const leap = { firstPaymentAt: at('2028-02-29'), repetition: 'YEARLY' } as const;
  expect(dates(leap, between('2031-03-01', '2032-03-01'))).toEqual(['2032-02-29']);
});

it.each([
  ['a due date equal to from is in it', FIRST, FIRST + 1, 1],
  ['a due date a millisecond before from is not', FIRST + 1, FIRST + DAY, 0],
  ['a due date equal to to is not', FIRST - DAY, FIRST, 0],
  ['a due date a millisecond before to is in it', FIRST - DAY, FIRST + 1, 1],
])('what falls due in a period: %s', (_what, from, to, count) => {
  expect(dueDatesWithin(expected(), { from, to })).toHaveLength(count);
});

it.each([
  ['equal to endAt does not exist', 0, 0],
  ['a millisecond before endAt does', 1, 1],
])('what falls due in a period: a due date %s', (_what, after, count) => {
  const second = dueAt(expected(), 1);
  const period = { from: second - DAY, to: second + DAY };
  expect(dueDatesWithin(expected({ endAt: second + after }), period)).toHaveLength(count);
});

it('what falls due in a period begins at nextDueAt, so that cycles which were tried are omitted', () => {
  const third = dueAt(expected(), 2);
  expect(dates({ nextDueAt: third }, between('2027-01-01', '2027-05-01'))).toEqual(['2027-03-31', '2027-04-30']);
  expect(dates({ nextDueAt: third + 1 }, between('2027-01-01', '2027-05-01'))).toEqual(['2027-04-30']);
});

it('what falls due in a period omits a cycle that an operator has skipped, and no other', () => {
  expect(dates({ skipped: [dueAt(expected(), 1)] }, between('2027-01-01', '2027-04-01'))).toEqual([
    '2027-01-31',
    '2027-03-31',
  ]);
});

it('what falls due during a pause with an end begins at that end, including a due date at that instant', () => {
  const third = dueAt(expected(), 2);
  const paused = (pausedUntil: number | null) =>
    dates({ status: 'paused', pausedUntil }, between('2027-01-01', '2027-05-01'));
  expect(paused(third)).toEqual(['2027-03-31', '2027-04-30']);
  expect(paused(third + 1)).toEqual(['2027-04-30']);
  expect(paused(third - 1)).toEqual(['2027-03-31', '2027-04-30']);
  expect(paused(at('2027-06-01'))).toEqual([]);
});

it('nothing falls due during a pause without an end, and an ended pause has no effect', () => {
  expect(dates({ status: 'paused' }, YEAR)).toEqual([]);
  expect(dates({ pausedUntil: at('2027-12-01') }, YEAR)).toHaveLength(12);
});

it.each(REPETITIONS)(
  'a due date of %s, far from the first payment, is found without computing all due dates between',
  (repetition) => {
    let asked = 0;
    const old: Expected = {
      ...expected({ repetition, nextDueAt: 0 }),
      get firstPaymentAt() {
        asked += 1;
        return at('1970-01-31T00:00:00.001');
      },
    };
    const period = between('9998-12-31', '9999-12-30');
    const due = dueDatesWithin(old, period);
    expect(due.length).toBeGreaterThan(0);
    // Some 100,000 months and 400,000 weeks lie between; an estimate by the longest month is off by 2 % of them.
    expect(asked).toBeLessThan(due.length + 2000);
  },
);

const DECADES = { min: at('1990-01-01'), max: at('2060-01-01') };
const anyInstant = fc.integer(DECADES);
/** Instants near due dates, where mistakes are likely. */
const aroundDue = fc.record({ n: fc.integer({ min: 0, max: 300 }), off: fc.constantFrom(-1, 0, 1, HOUR, -DAY) });

const anyCase = fc
  .record({
    firstPaymentAt: anyInstant,
    repetition: fc.constantFrom(...REPETITIONS),
    next: aroundDue,
    end: fc.option(aroundDue),
    resumed: fc.option(aroundDue),
    paused: fc.boolean(),
    skipped: fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 5 }),
    from: aroundDue,
    length: fc.integer({ min: 1, max: 366 * DAY }),
    cents: fc.integer({ min: 1, max: 100_000_000 }),
  })
  .map((any): { expected: Expected; period: Period } => {
    const { firstPaymentAt, repetition } = any;
    const calendar = { firstPaymentAt, repetition, endAt: null };
    const place = ({ n, off }: { n: number; off: number }) => dueAt(calendar, n) + off;
    const from = place(any.from);
    return {
      expected: {
        ...calendar,
        endAt: any.end === null ? null : place(any.end),
        nextDueAt: place(any.next),
        status: any.paused ? 'paused' : 'active',
        pausedUntil: any.resumed === null ? null : place(any.resumed),
        amount: euros(any.cents),
        pendingChange: null,
        skipped: any.skipped.map((n) => dueAt(calendar, n)),
      },
      period: { from, to: from + any.length },
    };
  });

/** Finds the due dates of a period by checking every cycle from the first one on. */
function scan(subject: Expected, period: Period): number[] {
  const found: number[] = [];
  for (let n = 0; hasCycle(subject, n) && dueAt(subject, n) < period.to; n += 1) {
    const due = dueAt(subject, n);
    const isStopped = subject.status === 'paused' && (subject.pausedUntil === null || due < subject.pausedUntil);
    if (due >= period.from && due >= subject.nextDueAt && !isStopped && !subject.skipped.includes(due)) found.push(due);
  }
  return found;
}

it('what falls due equals a scan of every cycle from the first', () => {
  let found = 0;
  fc.assert(
    fc.property(anyCase, ({ expected: subject, period }) => {
      const due = dueDatesWithin(subject, period);
      found += due.length;
      expect(due).toEqual(scan(subject, period));
    }),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(0);
});

it('a forecast has every day of its period in order, and on each the due dates of that day', () => {
  fc.assert(
    fc.property(fc.array(anyCase, { minLength: 1, maxLength: 5 }), (cases) => {
      const { period } = cases[0]!;
      const forecast = new Forecast(period);
      cases.forEach((each) => forecast.add(each.expected));
      const days = forecast.days();
      expect(days.map(({ day }) => day)).toEqual(daysOf(period));
      const wanted = new Map<string, { count: number; cents: number }>();
      for (const { expected: subject } of cases) {
        for (const due of scan(subject, period)) {
          const name = toIso(due).slice(0, 10);
          const { count, cents } = wanted.get(name) ?? { count: 0, cents: 0 };
          wanted.set(name, { count: count + 1, cents: cents + subject.amount.value });
        }
      }
      const found = days.filter(({ count }) => count > 0);
      expect(found.map(({ day, count, amount }) => [toIso(day).slice(0, 10), { count, cents: amount.value }])).toEqual(
        [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      expect(days.filter(({ count, amount }) => count === 0 && amount.value !== 0)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

const names = (from: number, to: number) => daysOf({ from, to }).map((day) => toIso(day).slice(0, 10));
const midnight = at('2027-03-01');

it.each([
  ['a whole day has that day', midnight, midnight + DAY, ['2027-03-01']],
  [
    'a whole day and the millisecond before it has two days',
    midnight - 1,
    midnight + DAY,
    ['2027-02-28', '2027-03-01'],
  ],
  ['a whole day and the millisecond after it has two days', midnight, midnight + DAY + 1, ['2027-03-01', '2027-03-02']],
  ['a millisecond has the day that it is in', midnight + HOUR, midnight + HOUR + 1, ['2027-03-01']],
  ['no length has no day', midnight, midnight, []],
])('a period of %s', (_what, from, to, days) => {
  expect(names(from, to)).toEqual(days);
});

it('a period of 366 days may touch 367 calendar days', () => {
  expect(names(midnight + 1, midnight + 1 + 366 * DAY)).toHaveLength(367);
  expect(names(midnight, midnight + 366 * DAY)).toHaveLength(366);
});

it('sums of a forecast are exact up to the greatest safe integer, and an error beyond it', () => {
  const most = { amount: euros(Number.MAX_SAFE_INTEGER), count: 1 };
  expect(() => sumOf([most, { amount: euros(1), count: 1 }])).toThrow('have no exact sum');
  expect(sumOf([most, NOTHING])).toEqual(most);
  const forecast = new Forecast({ from: FIRST, to: FIRST + 1 });
  forecast.add(expected({ amount: most.amount }));
  expect(forecast.days()).toEqual([{ day: at('2027-01-31'), ...most }]);
  expect(() => forecast.add(expected({ amount: euros(1) }))).toThrow('have no exact sum');
});

it('the sum of an empty forecast is zero', () => {
  expect(sumOf([])).toEqual(NOTHING);
});
