import {
  type AmountQuestion,
  increaseCap,
  INCREASE_GRACE,
  judgeAmount,
  nextIncreaseAt,
} from '../../src/domain/subscription/amount';
import { HOUR, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { REPETITIONS, type Repetition } from '../../src/domain/subscription/schedule';
import { at } from './subscription-under-test';

const DUE = at('2027-07-31');

/** Judges a change to this amount, for a consent amount of 50.00 EUR a month, and 50.00 EUR collected last. */
function judge(cents: number, wanted: Partial<AmountQuestion> = {}) {
  return judgeAmount({
    repetition: 'MONTHLY',
    consentAmount: euros(5000),
    current: euros(5000),
    collectedOnce: true,
    lastIncreaseAt: null,
    dueAt: DUE,
    sendBefore: (wanted.dueAt ?? DUE) + 120 * HOUR,
    ...wanted,
    amount: euros(cents),
  });
}

const allowed = (change: string, counts = false) => ({ kind: 'allowed', change, counts, notBefore: null });
const refused = (rule: string, highest: number, more: object = {}) => ({
  kind: 'refused',
  rule,
  highestAllowed: euros(highest),
  allowedFrom: null,
  newConsentRequired: false,
  ...more,
});

it.each([4999, 5001])('before the first collection %p cents are refused, as the consent amount is 5000', (cents) => {
  expect(judge(cents, { collectedOnce: false })).toEqual(refused('first_payment', 5000));
});

it('before a cycle has been collected the consent amount itself is not a change', () => {
  expect(judge(5000, { collectedOnce: false })).toEqual(allowed('unchanged'));
});

it.each([4999, 1])('a reduction to %p cents is allowed at any time', (cents) => {
  expect(judge(cents, { lastIncreaseAt: DUE - 1 })).toEqual(allowed('reduction'));
});

it('an increase up to the consent amount is always allowed, whenever the last counted increase was', () => {
  expect(judge(5000, { current: euros(4000), lastIncreaseAt: DUE - 1 })).toEqual(allowed('increase'));
});

it('a cent beyond the consent amount counts as an increase', () => {
  expect(judge(5001, { current: euros(4000) })).toEqual(allowed('increase', true));
});

it('an increase up to the consent amount does not count even if the consent amount is above the cap', () => {
  expect(judge(60_000, { consentAmount: euros(60_000), current: euros(100) })).toEqual(allowed('increase'));
});

const CAPS: Record<Repetition, number> = {
  WEEKLY: 15_000,
  MONTHLY: 50_000,
  QUARTERLY: 150_000,
  HALF_YEARLY: 250_000,
  YEARLY: 500_000,
};

it.each(REPETITIONS)('an increase of a %s amount above the consent amount is allowed up to the cap', (repetition) => {
  const cap = CAPS[repetition];
  expect(increaseCap(repetition)).toEqual(euros(cap));
  expect(judge(cap, { repetition })).toEqual(allowed('increase', true));
  expect(judge(cap + 1, { repetition })).toEqual(refused('cap', cap, { newConsentRequired: true }));
});

it('an increase beyond the consent amount is refused if the consent amount is at the cap or above it', () => {
  const above = { consentAmount: euros(50_000), current: euros(50_000) };
  expect(judge(50_001, above)).toEqual(refused('cap', 50_000, { newConsentRequired: true }));
  expect(judge(50_002, { consentAmount: euros(50_001), current: euros(50_001) })).toEqual(
    refused('consent_above_cap', 50_001, { newConsentRequired: true }),
  );
});

const since = at('2027-01-31T10:00:00.000');
const free = nextIncreaseAt(since) ?? 0;
const after = { current: euros(6000), lastIncreaseAt: since };

const waiting = { ...allowed('increase', true), notBefore: free + MINUTE };

it('after a counted increase the next one is allowed six calendar months later, at the same time of day', () => {
  expect(free).toBe(at('2027-07-31T10:00:00.000'));
  expect(nextIncreaseAt(at('2027-08-31'))).toBe(at('2028-02-29'));
  expect(nextIncreaseAt(at('2026-08-31'))).toBe(at('2027-02-28'));
  expect(nextIncreaseAt(null)).toBeNull();
});

it('after a counted increase to 60.00 EUR an increase is refused a day and a millisecond before the six months end, with the date from which it is allowed', () => {
  const verdict = judge(7000, { ...after, dueAt: free - INCREASE_GRACE - 1 });
  expect(verdict).toEqual(refused('six_months', 6000, { allowedFrom: free }));
});

it('after a counted increase to 60.00 EUR an increase is allowed a day before the six months end: the first attempt waits', () => {
  const verdict = judge(7000, { ...after, dueAt: free - INCREASE_GRACE });
  expect(verdict).toEqual(waiting);
});

it.each([
  ['exactly six months after it waits a minute more, as the clock of the service may be behind', 0, waiting],
  ['a millisecond before the six months are over waits until a minute after them', -1, waiting],
  ['a millisecond less than a minute after the six months waits for that millisecond', MINUTE - 1, waiting],
  ['a minute after the six months waits for nothing', MINUTE, allowed('increase', true)],
])('an increase after a counted increase, due %s', (_, offset, verdict) => {
  expect(judge(7000, { ...after, dueAt: free + offset })).toEqual(verdict);
});

it.each([
  ['a minute after the six months is refused', 0, refused('six_months', 6000, { allowedFrom: free })],
  ['a minute and a millisecond after the six months waits', 1, waiting],
])('an increase after a counted increase whose send limit is %s', (_, offset, verdict) => {
  const sendBefore = free + MINUTE + offset;
  expect(judge(7000, { ...after, dueAt: free, sendBefore })).toEqual(verdict);
});

it('after a counted increase to 60.00 EUR and a reduction to 40.00, an increase back to 60.00 counts as an increase again', () => {
  const verdict = judge(6000, { ...after, current: euros(4000), dueAt: at('2027-03-31') });
  expect(verdict).toEqual(refused('six_months', 5000, { allowedFrom: free }));
});

it('after a counted increase to 60.00 EUR the refusal of an increase above the cap names the highest allowed amount, which is 60.00 until the six months end', () => {
  const early = judge(50_001, { ...after, dueAt: at('2027-03-31') });
  expect(early).toEqual(refused('cap', 6000, { newConsentRequired: true }));
});
