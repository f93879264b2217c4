import {
  judgeAuthorization,
  type PastAuthorization,
  type SubscriptionTerms,
} from '../../../src/sandbox/limits/subscription-limits';

const HOUR = 3_600_000;
const at = (iso: string): number => Date.parse(iso);
const FIRST = at('2027-01-31T10:00:00.000Z');
const FEBRUARY = at('2027-02-28T10:00:00.000Z');

const monthly = (changes: Partial<SubscriptionTerms> = {}): SubscriptionTerms => ({
  repetition: 'MONTHLY',
  startAt: at('2026-01-01T00:00:00.000Z'),
  firstPaymentAt: FIRST,
  endAt: null,
  amount: 1999,
  ...changes,
});
const weekly = monthly({ repetition: 'WEEKLY' });

const made = (
  cycle: number,
  createdAt: number,
  result: PastAuthorization['result'] = 'successful',
): PastAuthorization => ({
  amount: 1999,
  createdAt,
  cycle,
  result,
});

function judge(now: number, past: readonly PastAuthorization[] = [], terms = monthly()): string | number {
  const verdict = judgeAuthorization(terms, past, 1999, now);
  return verdict.kind === 'allowed' ? verdict.cycle : verdict.detail;
}

it.each([
  ['a millisecond too early', FIRST - 120 * HOUR - 1, 'INTERVAL_NOT_MATCHED'],
  ['120 hours early', FIRST - 120 * HOUR, 0],
  ['on the date', FIRST, 0],
  ['120 hours late', FIRST + 120 * HOUR, 0],
  ['a millisecond too late', FIRST + 120 * HOUR + 1, 'INTERVAL_NOT_MATCHED'],
])('the limit of 120 hours around a date applies to an authorization %s', (_when, now, expected) => {
  expect(judge(now)).toBe(expected);
});

it('the limit of 120 hours applies to dates that are counted from the first: the 31st, the 28th, the 31st again', () => {
  const dates = ['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29'].map((day) => at(`${day}T10:00:00.000Z`));
  expect(dates.map((date) => judge(date))).toEqual([1, 2, 3, 13]);
  expect(dates.map((date) => judge(date + 120 * HOUR))).toEqual([1, 2, 3, 13]);
  expect(dates.map((date) => judge(date + 120 * HOUR + 1))).toEqual(Array(4).fill('INTERVAL_NOT_MATCHED'));
  expect(dates.map((date) => judge(date - 120 * HOUR - 1))).toEqual(Array(4).fill('INTERVAL_NOT_MATCHED'));
});

it.each([
  ['QUARTERLY', '2027-04-30T10:00:00.000Z'],
  ['HALF_YEARLY', '2027-07-31T10:00:00.000Z'],
  ['YEARLY', '2028-01-31T10:00:00.000Z'],
] as const)('the simulator finds the second date of a %s subscription', (repetition, date) => {
  const terms = monthly({ repetition });
  expect(judge(at(date), [made(0, FIRST)], terms)).toBe(1);
  expect(judge(FEBRUARY, [made(0, FIRST)], terms)).toBe('INTERVAL_NOT_MATCHED');
});

it('the simulator finds a date decades after the first', () => {
  expect(judge(at('2067-01-31T10:00:00.000Z'))).toBe(480);
  expect(judge(FIRST + 2000 * 7 * 24 * HOUR, [], weekly)).toBe(2000);
});

it('the rule of one payment per date refuses a payment of a date that is paid or pending', () => {
  expect(judge(FIRST + 1, [made(0, FIRST)])).toBe('INTERVAL_NOT_MATCHED');
  expect(judge(FIRST + 1, [made(0, FIRST, 'pending')])).toBe('INTERVAL_NOT_MATCHED');
  expect(judge(FIRST + 1, [made(0, FIRST, 'failed')])).toBe(0);
});

it('the rule of one payment per date allows a weekly payment at most 120 hours early', () => {
  const next = FIRST + 168 * HOUR;
  expect(judge(next - 120 * HOUR - 1, [made(0, FIRST)], weekly)).toBe('INTERVAL_NOT_MATCHED');
  expect(judge(next - 120 * HOUR, [made(0, FIRST)], weekly)).toBe(1);
});

it('the rule of one payment per date matches a payment to the older of two open weekly dates', () => {
  expect(judge(FIRST + 60 * HOUR, [], weekly)).toBe(0);
  expect(judge(FIRST + 120 * HOUR, [], weekly)).toBe(0);
  expect(judge(FIRST + 120 * HOUR + 1, [], weekly)).toBe(1);
});

it('an agreement allows no payment before startAt', () => {
  const terms = monthly({ startAt: FIRST - HOUR });
  expect(judge(FIRST - HOUR - 1, [], terms)).toBe('INTERVAL_NOT_MATCHED');
  expect(judge(FIRST - HOUR, [], terms)).toBe(0);
});

it('an agreement has no date at endAt, and one a millisecond before it', () => {
  const onDate = FEBRUARY - 24 * HOUR;
  expect(judge(onDate, [made(0, FIRST)], monthly({ endAt: FEBRUARY }))).toBe('INTERVAL_NOT_MATCHED');
  expect(judge(onDate, [made(0, FIRST)], monthly({ endAt: FEBRUARY + 1 }))).toBe(1);
});

it('an agreement allows no payment from endAt on, even if a date is within 120 hours', () => {
  const terms = monthly({ endAt: FEBRUARY + HOUR });
  expect(judge(FEBRUARY + HOUR - 1, [made(0, FIRST)], terms)).toBe(1);
  expect(judge(FEBRUARY + HOUR, [made(0, FIRST)], terms)).toBe('INTERVAL_NOT_MATCHED');
});

const failures = (...offsets: number[]): PastAuthorization[] =>
  offsets.map((offset) => made(0, FIRST + offset, 'failed'));

it('the limit of attempts after a failed one allows three more and refuses the fourth', () => {
  expect(judge(FIRST + 10 * HOUR, failures(0))).toBe(0);
  expect(judge(FIRST + 10 * HOUR, failures(0, 1))).toBe(0);
  expect(judge(FIRST + 10 * HOUR, failures(0, 1, 2))).toBe(0);
  expect(judge(FIRST + 10 * HOUR, failures(0, 1, 2, 3))).toBe('RETRY_NOT_ALLOWED');
});

it('the limit of attempts after a failed one allows one 72 hours after the first failure and refuses it a millisecond later', () => {
  const first = failures(5 * HOUR, 6 * HOUR);
  expect(judge(FIRST + 77 * HOUR, first)).toBe(0);
  expect(judge(FIRST + 77 * HOUR + 1, first)).toBe('RETRY_NOT_ALLOWED');
});

it('the limit of attempts after a failed one also holds for a fifth weekly attempt: it does not count as the first of the next date', () => {
  const used = failures(0, 1, 2, 3);
  expect(judge(FIRST + 119 * HOUR, used, weekly)).toBe('RETRY_NOT_ALLOWED');
  expect(judge(FIRST + 120 * HOUR + 1, used, weekly)).toBe(1);
});

it('the limit of attempts after a failed one starts again with the next date', () => {
  expect(judge(FEBRUARY, failures(0, 1, 2, 3))).toBe(1);
});

it('a second payment within the window of a paid date counts for that date if the simulator breaks the rule one-debit-per-date', () => {
  const again = (now: number, past: readonly PastAuthorization[]): string | number => {
    const verdict = judgeAuthorization(weekly, past, 1999, now, new Set(['one-debit-per-date'] as const));
    return verdict.kind === 'allowed' ? verdict.cycle : verdict.detail;
  };
  const paid = [made(0, FIRST)];
  // This instant is also within 120 hours of the second date, to which the payment would otherwise be matched.
  const between = FIRST + 60 * HOUR;
  expect([judge(FIRST + HOUR, paid, weekly), judge(between, paid, weekly)]).toEqual(['INTERVAL_NOT_MATCHED', 1]);
  expect([again(FIRST + HOUR, paid), again(between, paid)]).toEqual([0, 0]);
  expect(again(FIRST + 168 * HOUR, paid)).toBe(1);
  const late = [made(0, FIRST, 'failed'), made(0, FIRST + HOUR)];
  expect(again(FIRST + 73 * HOUR, late)).toBe('RETRY_NOT_ALLOWED');
});
