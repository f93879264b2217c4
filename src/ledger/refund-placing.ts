import type { CaptureId, OrderId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { type Money, sameMoney } from '../domain/money';
import type { RefundVerdict } from '../domain/payment/refund-rules';
import { instantToColumn, textToColumn } from './column';
import type { Db } from './db';
import { insertEvent, type NewEvent } from './events';
import { getRefund, type RefundRecord } from './refunds';

/** What is asked of a refund, whatever it gives back. */
export interface RefundTerms {
  /** Follows from the request, so that the same one again meets what it made. */
  readonly refundId: OrderId;
  readonly amount: Money;
  /** Null: the only one there is. */
  readonly captureId: string | null;
  readonly reason: string | null;
  /** The name of the API key that asks. */
  readonly actor: string;
  readonly at: Instant;
  /** Real time. */
  readonly realAt: number;
}

/** What it gives back: a cycle of a subscription, or a one-time payment. */
export interface RefundTarget {
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
  /** Null for a subscription that has none: nothing of it is collected. */
  readonly paymentId: PaymentId | null;
}

export type OrderRefundResult =
  | { readonly kind: 'ordered'; readonly refund: RefundRecord }
  /** Ordered before, by the same request. */
  | { readonly kind: 'exists'; readonly refund: RefundRecord }
  /** The id stands for another refund already. */
  | { readonly kind: 'reused' }
  | Extract<RefundVerdict, { kind: 'refused' }>;

/**
 * Places a refund once, or keeps a record of why none may be. What it gives back is locked by the caller, so that two
 * requests at once cannot both take what is left.
 */
export async function placeRefund(
  db: Db,
  target: RefundTarget,
  terms: RefundTerms,
  judge: () => Promise<RefundVerdict>,
): Promise<OrderRefundResult> {
  const before = await getRefund(db, terms.refundId);
  if (before !== null) {
    return isSameOrder(before, target, terms) ? { kind: 'exists', refund: before } : { kind: 'reused' };
  }
  const verdict = await judge();
  if (verdict.kind === 'refused') {
    await recordRefusal(db, target, terms, verdict);
    return verdict;
  }
  return { kind: 'ordered', refund: await insertRefund(db, target, terms, verdict.captureId) };
}

function isSameOrder(before: RefundRecord, target: RefundTarget, terms: RefundTerms): boolean {
  return (
    before.subscriptionId === target.subscriptionId &&
    before.cycle === target.cycle &&
    before.paymentId === target.paymentId &&
    sameMoney(before.amount, terms.amount) &&
    (terms.captureId === null || before.captureId === terms.captureId) &&
    before.reason === textToColumn(terms.reason)
  );
}

async function insertRefund(
  db: Db,
  target: RefundTarget,
  terms: RefundTerms,
  captureId: CaptureId,
): Promise<RefundRecord> {
  const { subscriptionId, cycle, paymentId } = target;
  const { refundId, amount, reason, actor, at, realAt } = terms;
  await db.query(
    `insert into orders (
       kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, reason, actor, created_at, created_real_at
     ) values ('refund', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[refundId, subscriptionId, cycle, paymentId, captureId, amount.value, textToColumn(reason), actor],
      ...[instantToColumn(at), instantToColumn(realAt)],
    ],
  );
  const refund = await getRefund(db, refundId);
  if (refund === null) throw new Error(`the refund ${refundId} was inserted and is gone`);
  await insertEvent(db, {
    ...aboutOf(target, terms),
    type: 'refund.requested',
    data: { refundId, ...cycleOf(target), captureId, amount, reason: refund.reason },
  });
  return refund;
}

async function recordRefusal(
  db: Db,
  target: RefundTarget,
  terms: RefundTerms,
  { rule, message, highestAllowed }: Extract<RefundVerdict, { kind: 'refused' }>,
): Promise<void> {
  const { captureId, amount, reason } = terms;
  await insertEvent(db, {
    ...aboutOf(target, terms),
    type: 'refund.refused',
    data: { ...cycleOf(target), captureId, amount, reason, rule, highestAllowed, message },
  });
}

/** The trail of a subscription names no payment: it is the subscription's own. */
function aboutOf(
  { subscriptionId, paymentId }: RefundTarget,
  { at, actor }: RefundTerms,
): Pick<NewEvent, 'subscriptionId' | 'paymentId' | 'at' | 'actor'> {
  return { subscriptionId, at, actor, ...(subscriptionId === null && paymentId !== null ? { paymentId } : {}) };
}

function cycleOf({ cycle }: RefundTarget): { readonly cycle?: number } {
  return cycle === null ? {} : { cycle };
}
