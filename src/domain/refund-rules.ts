import type { CaptureId } from './ids';
import type { Instant } from './instant';
import {
  CLOCK_SKEW,
  type ListedRecord,
  matchSent,
  type RecordMatch,
  recordsNotOurs,
  type Sent,
} from './listed-records';
import { euros, formatMoney, type Money } from './money';
import type { CycleStatus } from './subscription';

/** A cycle as far as refunds go. */
export interface RefundableCycle {
  readonly cycle: number;
  /** Null where nothing is known of the cycle yet. */
  readonly status: CycleStatus | null;
  /** The debit that collected it; null where there is none, or its capture is not known. */
  readonly capture: { readonly captureId: CaptureId; readonly amount: Money } | null;
  /** Sum of the refunds ordered so far but for the failed ones: pending, unknown and successful all count. */
  readonly refunded: Money;
}

export interface WantedRefund {
  readonly amount: Money;
  /** Null: the cycle's own, of which there is one. */
  readonly captureId: string | null;
}

export type RefundRule = 'not_collected' | 'other_capture' | 'exceeds_captured';

export type RefundVerdict =
  | { readonly kind: 'allowed'; readonly captureId: CaptureId }
  | {
      readonly kind: 'refused';
      readonly rule: RefundRule;
      /** For people. */
      readonly message: string;
      /** What may still be refunded of this cycle. */
      readonly highestAllowed: Money;
    };

/** Refunds: sum at most what was captured, each tied to its capture; none where nothing was collected (decisions 27). */
export function judgeRefund(cycle: RefundableCycle, wanted: WantedRefund): RefundVerdict {
  const { capture, status } = cycle;
  if (status !== 'collected' || capture === null) {
    const standing = status === 'collected' ? 'collected, but its capture is not known' : (status ?? 'not due yet');
    return refused('not_collected', euros(0), `Cycle ${cycle.cycle} is ${standing}: there is nothing to refund.`);
  }
  const left = euros(Math.max(0, capture.amount.value - cycle.refunded.value));
  if (wanted.captureId !== null && wanted.captureId !== capture.captureId) {
    return refused('other_capture', left, `Cycle ${cycle.cycle} was collected by another capture than the one named.`);
  }
  if (wanted.amount.value > left.value) {
    const all = `${formatMoney(capture.amount)} captured, ${formatMoney(cycle.refunded)} refunded or being refunded`;
    return refused('exceeds_captured', left, `At most ${formatMoney(left)} may be refunded: ${all}.`);
  }
  return { kind: 'allowed', captureId: capture.captureId };
}

function refused(rule: RefundRule, highestAllowed: Money, message: string): RefundVerdict {
  return { kind: 'refused', rule, message, highestAllowed };
}

/** A refund as the service lists it. */
export interface ListedRefund extends ListedRecord {
  readonly refundId: string;
  /** The service may leave it out. */
  readonly captureId?: CaptureId | undefined;
}

/**
 * Look before the leap: a refund of this capture that the ledger lacks, which may have been made since ours was ordered
 * (less the skew of the service's clock) and has not failed, stops the POST (decisions 16, 18).
 */
export function findUnknownRefunds<T extends ListedRefund>(
  listed: readonly T[],
  captureId: CaptureId,
  ledgerIds: readonly string[],
  orderedAt: Instant,
): readonly T[] {
  return recordsNotOurs(ofCapture(listed, captureId), idOf, ledgerIds, orderedAt - CLOCK_SKEW);
}

/** Whether the service's list of refunds shows the one that was sent, see {@link matchSent}. */
export function matchSentRefund<T extends ListedRefund>(
  listed: readonly T[],
  captureId: CaptureId,
  sent: Sent,
): RecordMatch<T> {
  return matchSent(ofCapture(listed, captureId), idOf, sent);
}

/** A record that names another capture is not ours: what we send names its capture. */
function ofCapture<T extends ListedRefund>(listed: readonly T[], captureId: CaptureId): readonly T[] {
  return listed.filter((each) => each.captureId === undefined || each.captureId === captureId);
}

function idOf({ refundId }: ListedRefund): string {
  return refundId;
}
