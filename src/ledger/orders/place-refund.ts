import type { Pool } from 'pg';
import type { CaptureId, PaymentId, SubscriptionId, OrderId } from '../../domain/ids';
import { type Money, sameMoney, euros } from '../../domain/money';
import {
  type RefundVerdict,
  judgeRefund,
  type RefundableCycle,
  judgePaymentRefund,
  type RefundableCapture,
  type WantedRefund,
} from '../../domain/payment/refund-rules';
import type { CycleStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, instantToColumn, textToColumn } from '../sql/statements';
import { insertEvent, type NewEvent } from '../audit/entries';
import { lockPayment } from '../payments/changes';
import { type PaymentRecord, requirePayment } from '../rows/payment';
import {
  type BeyondLimit,
  findBeyondLimit,
  getRefund,
  type LimitedRefund,
  type RefundRecord,
  refundedOfCapture,
} from '../rows/refund';

/** A debit as a refund names it. */
interface NamedDebit {
  /** Null for one of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  readonly captureId: string;
}

type UnexplainedDebit = Omit<RefundableCapture, 'refunded'>;

/**
 * A debit that a reconciliation has found and nothing of ours explains, such as one that landed after it was given up;
 * null where none has found it.
 */
async function findUnexplainedDebit(
  db: Db,
  { subscriptionId, paymentId, captureId }: NamedDebit,
): Promise<UnexplainedDebit | null> {
  const found = await readRecord<{ amount: Money | null }>(db, 'select unexplained_debit($1, $2, $3) as amount', [
    subscriptionId,
    paymentId,
    captureId,
  ]);
  const amount = found?.amount ?? null;
  return amount === null ? null : { captureId: captureId as CaptureId, amount };
}

/** What a request says of a refund: of a cycle or of a one-time payment. */
interface RefundTerms extends Actor, WantedRefund, LimitedRefund {
  /** Follows from the request, so that the same one again meets what it made. */
  readonly refundId: OrderId;
  readonly reason: string | null;
  readonly at: Instant;
}

/** What it gives back: a cycle of a subscription, or a one-time payment. */
interface RefundTarget {
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
  /** With it the key would refund more in 24 hours than it may. */
  | ({ readonly kind: 'beyond_limit' } & BeyondLimit)
  | Extract<RefundVerdict, { kind: 'refused' }>;

/** `allowed` where it would be ordered: of this capture. */
export type JudgedRefund =
  | Exclude<OrderRefundResult, { kind: 'ordered' }>
  | Extract<RefundVerdict, { kind: 'allowed' }>;

/** What it gives back is locked, so that two requests at once cannot both take what is left. */
interface AskedRefund {
  readonly target: RefundTarget;
  readonly terms: RefundTerms;
  readonly judge: () => Promise<RefundVerdict>;
}

/** Places a refund once, or keeps a record of why none may be. */
async function placeRefund(db: Db, asked: AskedRefund): Promise<OrderRefundResult> {
  const judged = await judgeWithin(db, asked);
  if (judged.kind !== 'allowed') return judged;
  return { kind: 'ordered', refund: await insertRefund(db, asked, judged.captureId) };
}

/** Keeps a record of a refusal. */
async function judgeWithin(db: Db, { target, terms, judge }: AskedRefund): Promise<JudgedRefund> {
  const before = await getRefund(db, terms.refundId);
  if (before !== null) {
    return isSameOrder(before, target, terms) ? { kind: 'exists', refund: before } : { kind: 'reused' };
  }
  const verdict = await judge();
  if (verdict.kind === 'refused') {
    await recordRefusal(db, target, terms, verdict);
    return verdict;
  }
  const beyond = await findBeyondLimit(db, terms);
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

async function insertRefund(db: Db, { target, terms }: AskedRefund, captureId: CaptureId): Promise<RefundRecord> {
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

/** A null `captureId` is the cycle's own. */
export interface NewRefund extends RefundTerms {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
}

/**
 * Orders a refund, or says why none may be: all of it under the subscription's lock, so that two requests at once
 * cannot both take what is left. What is ordered counts at once, before its outcome is known, and counts no more once
 * it fails (rule 27).
 * @throws where the subscription is not in the ledger.
 */
export async function orderRefund(pool: Pool, order: NewRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db) => placeRefund(db, await askedOfCycle(db, order)));
}

/** What {@link orderRefund} would answer now, with a refusal in the trail as there; orders nothing. @throws alike */
export async function judgeRefundOrder(pool: Pool, order: NewRefund): Promise<JudgedRefund> {
  return inTransaction(pool, async (db) => judgeWithin(db, await askedOfCycle(db, order)));
}

async function askedOfCycle(db: Db, order: NewRefund): Promise<AskedRefund> {
  const { subscriptionId, cycle } = order;
  const paymentId = await lockSubscription(db, subscriptionId);
  return {
    target: { subscriptionId, cycle, paymentId },
    terms: order,
    judge: async () => judgeRefund(await readCycle(db, paymentId, order), order),
  };
}

/** A subscription without a payment has nothing collected. */
async function lockSubscription(db: Db, subscriptionId: SubscriptionId): Promise<PaymentId | null> {
  const row = await readRecord<{ paymentId: PaymentId | null }>(
    db,
    `select payment_id from subscriptions where subscription_id = $1 and status <> 'draft' for update`,
    [subscriptionId],
  );
  if (row === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return row.paymentId;
}

/** The cycle with its own debit, or with one that nothing of ours explains, where the order names that. */
async function readCycle(db: Db, paymentId: PaymentId | null, order: NewRefund): Promise<RefundableCycle> {
  const { subscriptionId, cycle, captureId } = order;
  const found = await readRecord<Pick<RefundableCycle, 'capture'> & { status: CycleStatus }>(
    db,
    `select c.status, a.capture_id as "capture?.capture_id", 
       case when a.capture_id is not null then a.amount end as "capture?.amount"
     from cycles c
     left join attempts a on (a.subscription_id, a.cycle) = (c.subscription_id, c.cycle) and a.state = 'successful'
     where c.subscription_id = $1 and c.cycle = $2`,
    [subscriptionId, cycle],
  );
  const isStrange = found !== null && captureId !== null && captureId !== found.capture?.captureId;
  const unexplained =
    isStrange && paymentId !== null ? await findUnexplainedDebit(db, { subscriptionId, paymentId, captureId }) : null;
  const capture = unexplained ?? found?.capture ?? null;
  return {
    cycle,
    status: unexplained === null ? (found?.status ?? null) : 'collected',
    capture,
    refunded: capture === null ? euros(0) : await refundedOfCapture(db, subscriptionId, capture.captureId),
  };
}

export interface NewPaymentRefund extends RefundTerms {
  readonly paymentId: PaymentId;
  /** Whether Event Dependent payments may be refunded (rule 27). */
  readonly eventDependentRefunds: boolean;
}

/**
 * Orders a refund of a one-time payment, or says why none may be, under the payment's lock (rule 27).
 * @throws where the payment is not in the ledger.
 */
export async function orderPaymentRefund(pool: Pool, order: NewPaymentRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db) => placeRefund(db, await askedOfPayment(db, order)));
}

/** What {@link orderPaymentRefund} would answer now, as {@link judgeRefundOrder}. @throws alike */
export async function judgePaymentRefundOrder(pool: Pool, order: NewPaymentRefund): Promise<JudgedRefund> {
  return inTransaction(pool, async (db) => judgeWithin(db, await askedOfPayment(db, order)));
}

async function askedOfPayment(db: Db, order: NewPaymentRefund): Promise<AskedRefund> {
  const { paymentId, eventDependentRefunds } = order;
  await lockPayment(db, paymentId);
  return {
    target: { subscriptionId: null, cycle: null, paymentId },
    terms: order,
    judge: async () => {
      const payment = await requirePayment(db, paymentId);
      const captures = refundableOf(payment, await debitsOf(db, payment, order));
      return judgePaymentRefund({ plan: payment.plan, captures }, order, eventDependentRefunds);
    },
  };
}

/** Successful captures, and a debit that nothing of ours explains, where the order names that. */
async function debitsOf(
  db: Db,
  { paymentId, captures }: PaymentRecord,
  { captureId }: NewPaymentRefund,
): Promise<readonly UnexplainedDebit[]> {
  const own = captures.flatMap((each) =>
    each.state === 'successful' && each.captureId !== null ? [{ captureId: each.captureId, amount: each.amount }] : [],
  );
  if (captureId === null || captures.some((each) => each.captureId === captureId)) return own;
  const strange = await findUnexplainedDebit(db, { subscriptionId: null, paymentId, captureId });
  return strange === null ? own : [...own, strange];
}

/** With what of them is given back or being given back. */
function refundableOf({ refunds }: PaymentRecord, debits: readonly UnexplainedDebit[]): RefundableCapture[] {
  return debits.map(({ captureId, amount }) => {
    const given = refunds.filter((each) => each.captureId === captureId && each.state !== 'failed');
    return { captureId, amount, refunded: euros(given.reduce((sum, each) => sum + each.amount.value, 0)) };
  });
}
