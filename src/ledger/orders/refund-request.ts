import type { CaptureId, OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import { sameMoney } from '../../domain/money';
import type { RefundVerdict, WantedRefund } from '../../domain/payment/refund-rules';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { type Db, instantToColumn, textToColumn } from '../sql/statements';
import { insertEvent, type NewEvent } from '../audit/entries';
import { checkRefundLimit, type ExceededLimit, getRefund, type LimitedRefund, type RefundRecord } from '../rows/refund';

/** A refund as requested, for a cycle or for a one-time payment. */
export interface RefundTerms extends Actor, WantedRefund, LimitedRefund {
  /** Derived from the request, so that a repeated request finds the order it created. */
  readonly refundId: OrderId;
  readonly reason: string | null;
  readonly at: Instant;
}

/** What is refunded: a cycle of a subscription, or a one-time payment. */
interface RefundTarget {
  readonly subscriptionId: SubscriptionId | null;
  readonly cycle: number | null;
  /** Null for a subscription without a payment: nothing has been collected. */
  readonly paymentId: PaymentId | null;
}

export type OrderRefundResult =
  | { readonly kind: 'ordered'; readonly refund: RefundRecord }
  /** Already ordered by the same request. */
  | { readonly kind: 'exists'; readonly refund: RefundRecord }
  /** The id already belongs to another refund. */
  | { readonly kind: 'reused' }
  /** The key would exceed its refund limit for 24 hours. */
  | ({ readonly kind: 'beyond_limit' } & ExceededLimit)
  | Extract<RefundVerdict, { kind: 'refused' }>;

/** `allowed` if it would be ordered, with the capture concerned. */
export type JudgedRefund =
  | Exclude<OrderRefundResult, { kind: 'ordered' }>
  | Extract<RefundVerdict, { kind: 'allowed' }>;

/** A refund to be created. Its target is locked, so that two concurrent requests cannot both use the remaining amount. */
export interface RefundRequest {
  readonly target: RefundTarget;
  readonly terms: RefundTerms;
  readonly judge: () => Promise<RefundVerdict>;
}

/** Creates a refund once, or says why it is refused. */
export async function createRefund(db: Db, request: RefundRequest): Promise<OrderRefundResult> {
  const verdict = await judgeWithin(db, request);
  if (verdict.kind !== 'allowed') return verdict;
  return { kind: 'ordered', refund: await insertRefund(db, request, verdict.captureId) };
}

/** Says whether the refund may be ordered, and records a refusal by rule 27; one by the key's limit is not recorded. */
export async function judgeWithin(db: Db, { target, terms, judge }: RefundRequest): Promise<JudgedRefund> {
  const before = await getRefund(db, terms.refundId);
  if (before !== null) {
    return isSameOrder(before, target, terms) ? { kind: 'exists', refund: before } : { kind: 'reused' };
  }
  const verdict = await judge();
  if (verdict.kind === 'refused') {
    await recordRefusal(db, target, terms, verdict);
    return verdict;
  }
  const beyond = await checkRefundLimit(db, terms);
  return beyond === null ? verdict : { kind: 'beyond_limit', ...beyond };
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

async function insertRefund(db: Db, { target, terms }: RefundRequest, captureId: CaptureId): Promise<RefundRecord> {
  const { subscriptionId, cycle, paymentId } = target;
  const { refundId, amount, reason, actor, at, realAt } = terms;
  await db.query(
    `insert into orders (
       kind, order_id, subscription_id, cycle, payment_id, capture_id, amount, reason, actor, created_at, created_real_at
     ) values ('refund', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      refundId,
      subscriptionId,
      cycle,
      paymentId,
      captureId,
      amount.value,
      textToColumn(reason),
      actor,
      instantToColumn(at),
      instantToColumn(realAt),
    ],
  );
  const refund = await getRefund(db, refundId);
  if (refund === null) throw new Error(`the refund ${refundId} was inserted and no longer exists`);
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

/** Audit entries of a subscription name no payment: the payment is the subscription's own. */
function aboutOf(
  { subscriptionId, paymentId }: RefundTarget,
  { at, ...by }: RefundTerms,
): Pick<NewEvent, 'subscriptionId' | 'paymentId' | 'at' | keyof Actor> {
  return {
    subscriptionId,
    at,
    ...actorOf(by),
    ...(subscriptionId === null && paymentId !== null ? { paymentId } : {}),
  };
}

function cycleOf({ cycle }: RefundTarget): { readonly cycle?: number } {
  return cycle === null ? {} : { cycle };
}
