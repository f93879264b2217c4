import type { PaymentId } from '../ids';
import type { Money } from '../money';
import { isVerdict } from '../send';
import type { Instant } from '../time';
import type { CapturablePayment } from './capture-rules';
import { DEADLINE_NOTICE, isFollowed, isSettled, paymentStatus, remainingOf } from './payment';

/** A one-time payment as its rows show it: everything that decides its next step. */
export interface PaymentState extends CapturablePayment {
  readonly requestId: string;
  readonly paymentId: PaymentId;
  /** Whether the merchant's notice of the capture deadline has been ordered. */
  readonly isDeadlineAnnounced: boolean;
}

/** A step that needs only the ledger, taken in the transaction that decides it. */
export type PaymentLedgerStep =
  /** Notify the merchant of the capture deadline: money is left uncaptured (rule 26). */
  | { readonly kind: 'announce_deadline'; readonly remaining: Money; readonly captureBy: Instant }
  /** The capture deadline has passed: the uncaptured amount returns to the payer. */
  | { readonly kind: 'expire'; readonly captureBy: Instant };

export type PaymentWaitReason = 'deadline_notice' | 'deadline' | 'captures';

/** A step that takes time or calls another system. A wait ends at its instant or with the next change; null: only with a change. */
export type OpenPaymentStep =
  /** `follow_payment`: poll the consent, the authorization and, for Single Immediate, the booking. */
  | { readonly kind: 'follow_payment' | 'release' | 'finish' }
  | { readonly kind: 'wait'; readonly until: Instant | null; readonly why: PaymentWaitReason };

export type PaymentStep = PaymentLedgerStep | OpenPaymentStep;

/** Decides the next step of a one-time payment. Pure. Captures are separate orders and continue in parallel. */
export function nextPaymentStep(state: PaymentState, now: Instant): PaymentStep {
  const status = paymentStatus(state);
  if (isSettled(status)) return { kind: 'finish' };
  if (state.isBeingReleased) return { kind: 'release' };
  if (isFollowed(state.plan, status)) return { kind: 'follow_payment' };
  const { captureBy } = state;
  if (captureBy === null) throw new Error(`payment ${state.paymentId} is ${status} and has no capture deadline`);
  if (now >= captureBy) return hasOpenCaptures(state) ? waitUntil(null, 'captures') : { kind: 'expire', captureBy };
  if (state.isDeadlineAnnounced) return waitUntil(captureBy, 'deadline');
  if (now < captureBy - DEADLINE_NOTICE) return waitUntil(captureBy - DEADLINE_NOTICE, 'deadline_notice');
  const remaining = remainingOf(state);
  // Captures in progress leave nothing to capture; if one fails, the deadline must still be announced.
  return remaining.value === 0 ? waitUntil(captureBy, 'captures') : { kind: 'announce_deadline', remaining, captureBy };
}

/** Captures that are neither successful nor failed: they may still move money, and nothing expires before they have ended. */
function hasOpenCaptures({ captures }: PaymentState): boolean {
  return captures.some(({ state }) => !isVerdict(state));
}

function waitUntil(until: Instant | null, why: PaymentWaitReason): OpenPaymentStep {
  return { kind: 'wait', until, why };
}
