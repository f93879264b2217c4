import type { AuthorizationId, CaptureId, PaymentId } from '../ids';
import type { Money } from '../money';
import type { PaymentPlan, PaymentStatus } from '../payment/payment';
import { CLOCK_SKEW, type OrderState } from '../send';
import { CONSENT_SESSION } from '../subscription/state';
import { DAY, type Instant } from '../time';
import {
  differenceOfOrder,
  differencesOfRefunds,
  disagreement,
  explainedBy,
  idsOf,
  isForeign,
  unexplained,
} from './compare';
import type { Difference, LedgerRefund, LedgerSend, ServicePayment } from './records';

/** What the ledger knows of a one-time payment. */
export interface LedgerOneTimePayment {
  readonly subscriptionId: null;
  readonly paymentId: PaymentId;
  readonly plan: PaymentPlan;
  readonly status: PaymentStatus;
  readonly amount: Money;
  /** Since when the ledger has known the payment. */
  readonly knownSince: Instant;
  /** Real time at which the consent session, of 10 minutes, started. */
  readonly requestedRealAt: number;
  /** Null before the service has listed an authorization. */
  readonly authorization: LedgerAuthorization | null;
  /** Ordered here, or booked by the service itself. */
  readonly captures: readonly LedgerCapture[];
  readonly refunds: readonly LedgerRefund[];
}

export interface LedgerAuthorization {
  readonly authorizationId: AuthorizationId;
  readonly state: 'pending' | 'successful' | 'failed' | 'released' | 'expired';
  readonly at: Instant;
  /** Null for Single Immediate, and before the authorization is successful. */
  readonly captureBy: Instant | null;
  readonly isBeingReleased: boolean;
}

/** A booking by the service, or an ordered capture. */
export interface LedgerCapture extends LedgerSend<OrderState> {
  readonly captureId: CaptureId | null;
  readonly finalCapture: boolean;
}

/** One instant, by both clocks. */
export interface Now {
  readonly business: Instant;
  readonly real: number;
}

/**
 * All differences about a one-time payment. What is still in progress is not a difference, except a capture or refund
 * that the service does not list a day after it was sent.
 * @param now the time of the comparison: a record whose deadline has passed may have expired
 */
export function findOneTimeDifferences(ledger: LedgerOneTimePayment, service: ServicePayment, now: Now): Difference[] {
  return [
    ...differenceOfAuthorization(ledger, service, now.business),
    ...ledger.captures.flatMap((capture) => differenceOfCapture(ledger, capture, service, now.business)),
    ...unknownDebits(ledger, service, now.real),
    ...differencesOfRefunds({ ...ledger, debits: ledger.captures }, service, now.business),
  ];
}

function differenceOfAuthorization(ledger: LedgerOneTimePayment, service: ServicePayment, now: Instant): Difference[] {
  const { authorization, amount } = ledger;
  if (authorization === null || authorization.state === 'pending') return [];
  const { authorizationId } = authorization;
  const theirs = service.authorizations.find((each) => each.authorizationId === authorizationId);
  const expected = expectedOf(authorization, ledger.captures, now);
  return disagreement('authorization', { authorizationId }, { ...authorization, amount }, theirs, expected);
}

/** The states that the service may show for a final state in the ledger: an authorization that is not captured in time expires. */
function expectedOf(
  { state, captureBy, isBeingReleased }: LedgerAuthorization,
  captures: readonly LedgerCapture[],
  now: Instant,
): readonly string[] {
  if (state === 'failed' || state === 'released') return [state];
  const isOver = state === 'expired' || (captureBy !== null && now >= captureBy - CLOCK_SKEW);
  // "Any remainder of the authorized amount is released back" by a final capture (reference, Fields).
  const isRestReleased = captures.some((each) => each.finalCapture && each.state === 'successful');
  const mayBeReleased = captureBy !== null && (isBeingReleased || isRestReleased);
  return ['successful', ...(mayBeReleased ? ['released'] : []), ...(isOver ? ['expired'] : [])];
}

function differenceOfCapture(
  { authorization }: LedgerOneTimePayment,
  capture: LedgerCapture,
  service: ServicePayment,
  now: Instant,
): Difference[] {
  const { captureId } = capture;
  if (captureId === null) return [];
  const theirs = service.captures.find((each) => each.captureId === captureId);
  const authorizationId = authorization?.authorizationId ?? null;
  return differenceOfOrder('debit', { captureId, authorizationId }, capture, theirs, now);
}

/**
 * Real ms after the request of the consent during which the payment's workflow may still be polling. It notices within
 * hours what the service shows; a record that the ledger still lacks a day after the session is not being polled by any
 * workflow.
 */
const POLLED_FOR = CONSENT_SESSION + DAY;

/** Debits, and authorizations that may become debits, that match nothing in the ledger. */
function unknownDebits(ledger: LedgerOneTimePayment, service: ServicePayment, realNow: number): Difference[] {
  const { captures, refunds, knownSince, authorization, requestedRealAt } = ledger;
  const mayBePolled = realNow < requestedRealAt + POLLED_FOR;
  const ownCaptures = idsOf(captures.map((each) => each.captureId));
  const foreign = service.captures.filter((each) => isForeign(each, each.captureId, ownCaptures, knownSince));
  const explained = explainedBy(captures, foreign, (each) => each.captureId);
  const booking = mayBePolled && isBookingToCome(ledger) ? foreign[0]?.captureId : undefined;
  const debits = foreign.filter(({ captureId: id }) => !explained.includes(id) && id !== booking);
  const ownAuthorizations = idsOf([authorization?.authorizationId ?? null]);
  const authorizations =
    mayBePolled && isAuthorizationToCome(ledger)
      ? []
      : service.authorizations.filter((each) => isForeign(each, each.authorizationId, ownAuthorizations, knownSince));
  return unexplained(debits, authorizations, refunds);
}

/**
 * Whether the service is still being polled for a booking. "The full amount is debited at once": the service books by
 * itself, and is polled until the ledger has the booking.
 */
function isBookingToCome({ plan, status, captures }: LedgerOneTimePayment): boolean {
  const isFollowed = status === 'pending_consent' || status === 'authorized';
  return plan === 'SINGLE' && isFollowed && captures.length === 0;
}

/** Whether the service is still being polled for an authorization. */
function isAuthorizationToCome({ authorization, status }: LedgerOneTimePayment): boolean {
  return authorization === null && status === 'pending_consent';
}
