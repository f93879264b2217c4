import type { PaymentId } from '../ids';
import type { Money } from '../money';
import { isVerdict } from '../send';
import type { Instant } from '../time';
import type { CapturablePayment } from './capture-rules';
import { DEADLINE_NOTICE, isSettled, paymentStatus, remainingOf } from './payment';

/** A one-time payment as its rows have it: all that its next step follows from. */
export interface PaymentState extends CapturablePayment {
  readonly requestId: string;
  readonly paymentId: PaymentId;
  /** Whether the merchant's notice of the capture deadline has been ordered. */
  readonly isDeadlineAnnounced: boolean;
}

/** What the ledger alone does, in the transaction that decides it. */
export type PaymentLedgerStep =
  /** Notify the merchant of the capture deadline: money is left uncaptured (rule 26). */
  | { readonly kind: 'announce_deadline'; readonly remaining: Money; readonly captureBy: Instant }
  /** The capture deadline has passed: what is left goes back to the payer. */
  | { readonly kind: 'expire'; readonly captureBy: Instant };

export type PaymentWaitReason = 'deadline_notice' | 'deadline' | 'captures';

/** What takes time or calls another system. A wait ends at its instant or with the next change; null: only with a change. */
export type OpenPaymentStep =
  /** Poll the consent, the authorization and, of Single Immediate, the booking. */
  | { readonly kind: 'follow_payment' | 'release' | 'finish' }
  | { readonly kind: 'wait'; readonly until: Instant | null; readonly why: PaymentWaitReason };

export type PaymentStep = PaymentLedgerStep | OpenPaymentStep;

/** The one decision of a one-time payment's life. Pure. Captures are orders of their own: they go on beside it. */
export function nextPaymentStep(state: PaymentState, now: Instant): PaymentStep {
  const status = paymentStatus(state);
  if (isSettled(status)) return { kind: 'finish' };
  if (state.isBeingReleased) return { kind: 'release' };
  if (status === 'pending_consent' || state.plan === 'SINGLE') return { kind: 'follow_payment' };
  const { captureBy } = state;
  if (captureBy === null) throw new Error(`payment ${state.paymentId} is ${status} and has no capture deadline`);
  if (now >= captureBy) return hasOpenCaptures(state) ? waitUntil(null, 'captures') : { kind: 'expire', captureBy };
  if (state.isDeadlineAnnounced) return waitUntil(captureBy, 'deadline');
  if (now < captureBy - DEADLINE_NOTICE) return waitUntil(captureBy - DEADLINE_NOTICE, 'deadline_notice');
  const remaining = remainingOf(state);
  // Captures under way take all of it: if one fails, there is something to announce.
  return remaining.value === 0 ? waitUntil(captureBy, 'captures') : { kind: 'announce_deadline', remaining, captureBy };
}

/** Neither successful nor failed: they may still move money, and nothing expires before they have ended. */
function hasOpenCaptures({ captures }: PaymentState): boolean {
  return captures.some(({ state }) => !isVerdict(state));
}

function waitUntil(until: Instant | null, why: PaymentWaitReason): OpenPaymentStep {
  return { kind: 'wait', until, why };
}
