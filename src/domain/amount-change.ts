import { addMonths } from './calendar';
import { HOUR, type Instant } from './instant';
import { euros, type Money } from './money';
import type { Repetition } from './repetition';

/** "Amount increase: allowed not more than once every 6 months" (reference, Subscription limits 3). */
const MONTHS_BETWEEN_INCREASES = 6;
/** A cycle may take an increase that becomes free this long after its due date; its first attempt waits (decisions 20). */
export const INCREASE_GRACE = 24 * HOUR;

/** "Maximum amount for an increase", in cents (reference, Limits; decisions 19). */
const CAPS: Readonly<Record<Repetition, number>> = {
  WEEKLY: 15_000,
  MONTHLY: 50_000,
  QUARTERLY: 150_000,
  HALF_YEARLY: 250_000,
  YEARLY: 500_000,
};

export function increaseCap(repetition: Repetition): Money {
  return euros(CAPS[repetition]);
}

export type AmountRule = 'first_payment' | 'cap' | 'consent_above_cap' | 'six_months';

/** What a change of amount is judged by. */
export interface AmountQuestion {
  readonly repetition: Repetition;
  readonly consentAmount: Money;
  /** The last collected amount, or the frozen amount of an open cycle (decisions 21). */
  readonly current: Money;
  readonly collectedOnce: boolean;
  /** createdAt of the first successful authorization at the last counted increase; null where there was none. */
  readonly lastIncreaseAt: Instant | null;
  readonly amount: Money;
  /** Of the cycle that is to take it. */
  readonly dueAt: Instant;
  /** Nothing of that cycle is sent at or after it. */
  readonly sendBefore: Instant;
}

export type AmountVerdict =
  | {
      readonly kind: 'allowed';
      readonly change: 'increase' | 'reduction' | 'unchanged';
      /** Whether the six-month rule counts it. */
      readonly counts: boolean;
      /** The cycle's first attempt waits for it; null where it need not. */
      readonly notBefore: Instant | null;
    }
  | RefusedAmount;

export interface RefusedAmount {
  readonly kind: 'refused';
  readonly rule: AmountRule;
  /** The highest amount that this cycle may collect. */
  readonly highestAllowed: Money;
  /** From when on time heals it; null where it does not. */
  readonly allowedFrom: Instant | null;
  readonly newConsentRequired: boolean;
}

/** Whether a cycle may collect the amount (decisions 9, 19, 20). */
export function judgeAmount(question: AmountQuestion): AmountVerdict {
  const { amount, current, consentAmount, collectedOnce } = question;
  if (amount.value === current.value) return allowed('unchanged', false, null);
  if (!collectedOnce) return refused('first_payment', consentAmount, null, false);
  if (amount.value < current.value) return allowed('reduction', false, null);
  if (amount.value <= consentAmount.value) return allowed('increase', false, null);
  return judgeCountedIncrease(question);
}

/** Beyond the consent amount: cap, consent below the cap, six months since the last one. */
function judgeCountedIncrease(question: AmountQuestion): AmountVerdict {
  const cap = increaseCap(question.repetition);
  if (question.consentAmount.value > cap.value) return refused('consent_above_cap', freeAmount(question), null, true);
  const freeFrom = nextIncreaseAt(question.lastIncreaseAt);
  const inTime = freeFrom === null || isInTime(freeFrom, question);
  const highest = inTime ? higher(cap, freeAmount(question)) : freeAmount(question);
  if (question.amount.value > cap.value) return refused('cap', highest, null, true);
  if (!inTime) return refused('six_months', highest, freeFrom, false);
  const waits = freeFrom !== null && freeFrom > question.dueAt;
  return allowed('increase', true, waits ? freeFrom : null);
}

function isInTime(freeFrom: Instant, { dueAt, sendBefore }: AmountQuestion): boolean {
  return freeFrom <= dueAt || (freeFrom <= dueAt + INCREASE_GRACE && freeFrom < sendBefore);
}

/** Whether the six-month rule counts a cycle collected at `amount` after one at `current` (decisions 19). */
export function isCountedIncrease(amount: Money, current: Money, consentAmount: Money): boolean {
  return amount.value > current.value && amount.value > consentAmount.value;
}

/** When the next counted increase is allowed: six calendar months after the last; null where there was none. */
export function nextIncreaseAt(lastIncreaseAt: Instant | null): Instant | null {
  return lastIncreaseAt === null ? null : addMonths(lastIncreaseAt, MONTHS_BETWEEN_INCREASES);
}

/** Up to it, nothing counts. */
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
