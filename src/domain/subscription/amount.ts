import { euros, type Money } from '../money';
import { CLOCK_SKEW } from '../send';
import { HOUR, type Instant } from '../time';
import { addMonths, collectionWindow, dueAt, INTERVALS, type Repetition } from './schedule';
import type { PendingAttempt, SubscriptionState } from './state';

/** "Amount increase: allowed not more than once every 6 months" (reference, Subscription limits 3). */
const MONTHS_BETWEEN_INCREASES = 6;
/**
 * A cycle may collect an increase that becomes allowed up to this long after its due date. Its first attempt waits for that
 * instant, plus the clock skew: if the service's clock is behind, it would otherwise refuse the increase for good, as within the
 * six months (rule 20).
 */
export const INCREASE_GRACE = 24 * HOUR;

export function increaseCap(repetition: Repetition): Money {
  return euros(INTERVALS[repetition].cap);
}

export type AmountRule = 'first_payment' | 'cap' | 'consent_above_cap' | 'six_months';

/** What a change of amount is checked against. */
export interface AmountQuestion {
  readonly repetition: Repetition;
  readonly consentAmount: Money;
  /** The last collected amount, or the frozen amount of an open cycle (rule 21). */
  readonly current: Money;
  readonly collectedOnce: boolean;
  /** createdAt of the first successful authorization at the last increase that counts; null if there was none. */
  readonly lastIncreaseAt: Instant | null;
  readonly amount: Money;
  /** The due date of the cycle that would collect the amount. */
  readonly dueAt: Instant;
  /** Nothing is sent for that cycle at or after this instant. */
  readonly sendBefore: Instant;
}

export type AmountVerdict =
  | {
      readonly kind: 'allowed';
      readonly change: 'increase' | 'reduction' | 'unchanged';
      /** Whether the six-month rule counts the change. */
      readonly counts: boolean;
      /** The first attempt of the cycle waits until this instant; null if it need not wait. */
      readonly notBefore: Instant | null;
    }
  | RefusedAmount;

export interface RefusedAmount {
  readonly kind: 'refused';
  readonly rule: AmountRule;
  /** The highest amount that this cycle may collect. */
  readonly highestAllowed: Money;
  /** The instant from which the amount is allowed; null if there is none, or if it is not known yet. */
  readonly allowedFrom: Instant | null;
  readonly newConsentRequired: boolean;
}

/** Judges whether a cycle may collect the amount (rules 9, 19, 20). */
export function judgeAmount(question: AmountQuestion): AmountVerdict {
  const { amount, current, consentAmount, collectedOnce } = question;
  if (amount.value === current.value) return allowed('unchanged', false, null);
  if (!collectedOnce) return refused('first_payment', consentAmount, null, false);
  if (amount.value < current.value) return allowed('reduction', false, null);
  if (amount.value <= consentAmount.value) return allowed('increase', false, null);
  return judgeCountedIncrease(question);
}

/**
 * Judges an increase above the consent's amount. It is allowed if neither of the two amounts exceeds the cap, and if
 * the six months since the last such increase end early enough for the cycle (rules 19, 20).
 */
function judgeCountedIncrease(question: AmountQuestion): AmountVerdict {
  const cap = increaseCap(question.repetition);
  if (question.consentAmount.value > cap.value) return refused('consent_above_cap', freeAmount(question), null, true);
  const freeFrom = nextIncreaseAt(question.lastIncreaseAt);
  const inTime = freeFrom === null || isInTime(freeFrom, question);
  const highest = inTime ? higher(cap, freeAmount(question)) : freeAmount(question);
  if (question.amount.value > cap.value) return refused('cap', highest, null, true);
  if (!inTime) return refused('six_months', highest, freeFrom, false);
  const surelyFrom = freeFrom === null ? null : freeFrom + CLOCK_SKEW;
  return allowed('increase', true, surelyFrom !== null && surelyFrom > question.dueAt ? surelyFrom : null);
}

function isInTime(freeFrom: Instant, { dueAt, sendBefore }: AmountQuestion): boolean {
  const surelyFrom = freeFrom + CLOCK_SKEW;
  return surelyFrom <= dueAt || (freeFrom <= dueAt + INCREASE_GRACE && surelyFrom < sendBefore);
}

/** Whether the six-month rule counts a cycle collected at `amount` after one at `current` (rule 19). */
export function isCountedIncrease(amount: Money, current: Money, consentAmount: Money): boolean {
  return amount.value > current.value && amount.value > consentAmount.value;
}

/** When the next increase that counts is allowed: six calendar months after the last; null if there was none. */
export function nextIncreaseAt(lastIncreaseAt: Instant | null): Instant | null {
  return lastIncreaseAt === null ? null : addMonths(lastIncreaseAt, MONTHS_BETWEEN_INCREASES);
}

/** Increases up to this amount do not count. */
function freeAmount({ consentAmount, current }: AmountQuestion): Money {
  return higher(consentAmount, current);
}

function higher(a: Money, b: Money): Money {
  return a.value >= b.value ? a : b;
}

function allowed(
  change: 'increase' | 'reduction' | 'unchanged',
  counts: boolean,
  notBefore: Instant | null,
): AmountVerdict {
  return { kind: 'allowed', change, counts, notBefore };
}

function refused(
  rule: AmountRule,
  highestAllowed: Money,
  allowedFrom: Instant | null,
  newConsentRequired: boolean,
): AmountVerdict {
  return { kind: 'refused', rule, highestAllowed, allowedFrom, newConsentRequired };
}

/** The amount that a change is compared with: that of a cycle in progress, otherwise the last collected amount (rule 21). */
export function currentAmount(state: SubscriptionState): Money {
  return state.open?.amount ?? latestPending(state)?.amount ?? state.current;
}

/** The attempt of the latest cycle that is followed in parallel, unless a later cycle has been authorized since. */
function latestPending(state: SubscriptionState): PendingAttempt | undefined {
  return state.pending
    .filter(({ cycle }) => isCurrentOnceAuthorized(state, cycle))
    .toSorted((one, other) => one.cycle - other.cycle)
    .at(-1);
}

/**
 * Whether `cycle` would set the current amount when authorized: no later cycle has been authorized. If no cycle has set the current
 * amount yet, every later cycle before the state's own `cycle` counts as authorized.
 */
export function isCurrentOnceAuthorized({ currentOf, cycle: next }: SubscriptionState, cycle: number): boolean {
  return currentOf === null ? cycle === next - 1 : cycle > currentOf;
}

export function verdictOn(state: SubscriptionState, amount: Money, cycle: number): AmountVerdict {
  const window = collectionWindow(state.terms, cycle);
  return judgeAmount({
    repetition: state.terms.repetition,
    consentAmount: state.terms.consentAmount,
    current: currentAmount(state),
    collectedOnce: state.collectedOnce,
    lastIncreaseAt: lastIncreaseOf(state),
    amount,
    dueAt: window.dueAt,
    sendBefore: window.collectBy - state.policy.transit,
  });
}

/** The time of the last increase that counts. A cycle in progress with such an increase is included, at its due date. */
export function lastIncreaseOf(state: SubscriptionState): Instant | null {
  return underWay(state)
    .filter((each) => countsOnceAuthorized(state, each))
    .map(({ cycle }) => dueAt(state.terms, cycle))
    .reduce((last: Instant | null, at) => later(last, at), state.lastIncreaseAt);
}

type UnderWay = Pick<PendingAttempt, 'cycle' | 'amount' | 'countsAsIncrease'>;

function underWay({ open, pending }: SubscriptionState): readonly UnderWay[] {
  return open === null ? pending : [...pending, open];
}

/**
 * Whether a cycle in progress counts as an increase if it is authorized. For one that is followed in parallel, the
 * field `countsAsIncrease` has the answer.
 */
export function countsOnceAuthorized(state: SubscriptionState, { countsAsIncrease, amount }: UnderWay): boolean {
  return countsAsIncrease ?? isIncreaseNow(state, amount);
}

/** Whether the six-month rule counts the amount compared with the last collected one. */
export function isIncreaseNow({ current, terms }: SubscriptionState, amount: Money): boolean {
  return isCountedIncrease(amount, current, terms.consentAmount);
}

export function later(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.max(one, other);
}
