import { euros, type Money } from '../money';
import type { OrderState } from '../send';
import type { Instant } from '../time';

/** The plans of one-time payments; the third plan is the subscription. */
export const PAYMENT_PLANS = ['SINGLE', 'EVENT_DEPENDENT'] as const;
export type PaymentPlan = (typeof PAYMENT_PLANS)[number];

export const PAYMENT_STATUSES = [
  'pending_consent',
  'consent_failed',
  'authorized',
  'partly_captured',
  'captured',
  'released',
  'expired',
  'failed',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export interface PaymentCapture {
  readonly amount: Money;
  /** Whether the capture closes the payment; the rest is then released. */
  readonly finalCapture: boolean;
  readonly state: OrderState;
}

/** Why a capture or a refund was not ordered. */
export interface OrderRefusal<Rule extends string> {
  readonly kind: 'refused';
  readonly rule: Rule;
  /** For users. */
  readonly message: string;
  /** The highest amount that may still be captured or refunded. */
  readonly highestAllowed: Money;
}

export function refused<Rule extends string>(rule: Rule, highestAllowed: Money, message: string): OrderRefusal<Rule> {
  return { kind: 'refused', rule, message, highestAllowed };
}

/** What the ledger knows of a one-time payment that determines its status. */
export interface PaymentFacts {
  readonly plan: PaymentPlan;
  readonly amount: Money;
  readonly partialCapture: boolean;
  readonly multipleCapture: boolean;
  readonly consent: 'pending' | 'successful' | 'failed' | 'cancelled';
  /** Null before the service has listed an authorization. */
  readonly authorization: 'pending' | 'successful' | 'failed' | null;
  readonly captures: readonly PaymentCapture[];
  /** The sum of successful refunds of these captures, without refunds of debits that the ledger does not know. */
  readonly refunded: Money;
  /** The release is ordered: no further capture is accepted. */
  readonly isBeingReleased: boolean;
  /** The service has confirmed the release. */
  readonly isReleased: boolean;
  /** The capture deadline has passed. */
  readonly isExpired: boolean;
}

/** The status, from the stages of the reference's general lifecycle. */
export function paymentStatus(facts: PaymentFacts): PaymentStatus {
  if (facts.consent === 'failed' || facts.consent === 'cancelled') return 'consent_failed';
  if (facts.authorization === 'failed') return 'failed';
  if (facts.authorization !== 'successful') return 'pending_consent';
  if (facts.isReleased) return 'released';
  const captured = sumOf(facts.captures.filter(({ state }) => state === 'successful'));
  if (captured === 0) return statusUncaptured(facts);
  if (facts.refunded.value >= captured && isClosed(facts)) return 'refunded';
  return isClosed(facts) ? 'captured' : 'partly_captured';
}

/** The service itself books a Single Immediate payment; if the booking fails, the payment has failed. */
function statusUncaptured({ plan, captures, isExpired }: PaymentFacts): PaymentStatus {
  if (plan === 'SINGLE') return captures.some(({ state }) => state === 'failed') ? 'failed' : 'authorized';
  return isExpired ? 'expired' : 'authorized';
}

/** Whether nothing more can be captured: all is captured, released or expired, a capture was final, or the flags allow no further one. */
export function isClosed(facts: PaymentFacts): boolean {
  const made = facts.captures.filter(({ state }) => state === 'successful');
  if (facts.isReleased || facts.isExpired || made.some(({ finalCapture }) => finalCapture)) return true;
  return sumOf(made) >= facts.amount.value || (made.length > 0 && !mayBeSeveral(facts));
}

/**
 * The amount that can still be captured; captures in progress count as captured. Nothing for Single Immediate, which the
 * service books itself; nothing once a release is ordered, or while a capture is in progress after which no other may follow.
 */
export function remainingOf(facts: PaymentFacts): Money {
  if (facts.plan === 'SINGLE') return euros(0);
  if (facts.authorization !== 'successful' || facts.isBeingReleased || isClosed(facts)) return euros(0);
  const live = liveCaptures(facts);
  if (live.length > 0 && (!mayBeSeveral(facts) || live.some(({ finalCapture }) => finalCapture))) return euros(0);
  return euros(Math.max(0, facts.amount.value - sumOf(live)));
}

/** All captures that have not failed: ordered, pending or unknown ones may still be debited. */
export function liveCaptures({ captures }: Pick<PaymentFacts, 'captures'>): readonly PaymentCapture[] {
  return captures.filter(({ state }) => state !== 'failed');
}

/** "One capture only; partialCapture must also be true for multiple captures" (reference, Capture flag combinations). */
export function mayBeSeveral({
  partialCapture,
  multipleCapture,
}: Pick<PaymentFacts, 'partialCapture' | 'multipleCapture'>): boolean {
  return partialCapture && multipleCapture;
}

export function sumOf(captures: readonly PaymentCapture[]): number {
  return captures.reduce((sum, { amount }) => sum + amount.value, 0);
}

/** Statuses after which nothing but refunds can follow. */
export function isSettled(status: PaymentStatus): boolean {
  return status !== 'pending_consent' && status !== 'authorized' && status !== 'partly_captured';
}

/** Whether the service is polled: for the answers of payer and bank, and for the booking of a Single Immediate payment. */
export function isFollowed(plan: PaymentPlan, status: PaymentStatus): boolean {
  return status === 'pending_consent' || (plan === 'SINGLE' && status === 'authorized');
}

/** "authorization createdAt (UTC) plus the number of seconds of timeToCapture" (reference, Limits). */
export function captureDeadline(authorizedAt: Instant, timeToCapture: number): Instant {
  return authorizedAt + timeToCapture * 1000;
}

/** How long before the capture deadline the merchant is notified if an amount is left (rule 26). */
export const DEADLINE_NOTICE = 24 * 60 * 60 * 1000;
