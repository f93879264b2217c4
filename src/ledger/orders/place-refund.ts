import type { Pool } from 'pg';
import type { CaptureId, PaymentId, SubscriptionId } from '../../domain/ids';
import { type Money, euros } from '../../domain/money';
import {
  judgePaymentRefund,
  judgeRefund,
  type RefundableCapture,
  type RefundableCycle,
} from '../../domain/payment/refund-rules';
import type { CycleStatus } from '../../domain/subscription/state';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, readValue } from '../sql/statements';
import { lockPayment } from '../payments/changes';
import { type PaymentRecord, requirePayment } from '../rows/payment';
import { refundedOfCapture } from '../rows/refund';
import {
  createRefund,
  type JudgedRefund,
  judgeWithin,
  type OrderRefundResult,
  type RefundRequest,
  type RefundTerms,
} from './refund-request';

/** A debit as identified by a refund. */
interface NamedDebit {
  /** Null for a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  readonly captureId: string;
}

type UnexplainedDebit = Omit<RefundableCapture, 'refunded'>;

/**
 * A debit that a reconciliation has found and nothing in the ledger explains, such as one that succeeded after it was given
 * up; null if no reconciliation has found it.
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

/**
 * The payment by which the payer has paid a cycle that was not collected: a refund of the cycle refunds this payment. Null
 * if the cycle was collected, or is not paid.
 */
export async function paidByLink(db: Db, subscriptionId: SubscriptionId, cycle: number): Promise<PaymentId | null> {
  return readValue(
    db,
    `select paid_link(c.subscription_id, c.cycle) ->> 'paymentId' from cycles c
     where c.subscription_id = $1 and c.cycle = $2 and c.status <> 'collected'`,
    [subscriptionId, cycle],
  );
}

/** A null `captureId` means the cycle's own capture. */
export interface NewRefund extends RefundTerms {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
}

/**
 * Orders a refund, or says why it is refused. All of it runs under the subscription's lock, so that two concurrent requests
 * cannot both take what is left. An order counts immediately, before its outcome is known, and stops counting if
 * it fails (rule 27).
 * @throws if the subscription is not in the ledger.
 */
export async function orderRefund(pool: Pool, order: NewRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db) => createRefund(db, await requestForCycle(db, order)));
}

/**
 * What {@link orderRefund} would return now, recording a refusal in the audit log in the same way; orders nothing.
 * @throws as {@link orderRefund} does
 */
export async function judgeRefundOrder(pool: Pool, order: NewRefund): Promise<JudgedRefund> {
  return inTransaction(pool, async (db) => judgeWithin(db, await requestForCycle(db, order)));
}

async function requestForCycle(db: Db, order: NewRefund): Promise<RefundRequest> {
  const { subscriptionId, cycle } = order;
  const paymentId = await lockSubscription(db, subscriptionId);
  return {
    target: { subscriptionId, cycle, paymentId },
    terms: order,
    judge: async () => judgeRefund(await readCycle(db, paymentId, order), order),
  };
}

/** Null for a subscription without a payment: nothing was collected. */
async function lockSubscription(db: Db, subscriptionId: SubscriptionId): Promise<PaymentId | null> {
  const row = await readRecord<{ paymentId: PaymentId | null }>(
    db,
    `select payment_id from subscriptions where subscription_id = $1 and status <> 'draft' for update`,
    [subscriptionId],
  );
  if (row === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return row.paymentId;
}

/**
 * The cycle with the debit that collected it, or with another debit if the order names one: a second debit of the cycle, or an
 * unexplained debit.
 */
async function readCycle(db: Db, paymentId: PaymentId | null, order: NewRefund): Promise<RefundableCycle> {
  const { subscriptionId, cycle, captureId } = order;
  const found = await readRecord<Pick<RefundableCycle, 'capture'> & { status: CycleStatus }>(
    db,
    `select c.status, a.capture_id as "capture?.capture_id", 
       case when a.capture_id is not null then a.amount end as "capture?.amount"
     from cycles c
     left join lateral (
       select capture_id, amount from attempts
       where (subscription_id, cycle) = (c.subscription_id, c.cycle) and state = 'successful'
       order by coalesce(capture_id = $3, false) desc, outcome_at, attempt, send limit 1
     ) a on true
     where c.subscription_id = $1 and c.cycle = $2`,
    [subscriptionId, cycle, captureId],
  );
  const isOtherCapture = found !== null && captureId !== null && captureId !== found.capture?.captureId;
  const unexplained =
    isOtherCapture && paymentId !== null
      ? await findUnexplainedDebit(db, { subscriptionId, paymentId, captureId })
      : null;
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
 * Orders a refund of a one-time payment, or says why it is refused, under the payment's lock (rule 27).
 * @throws if the payment is not in the ledger.
 */
export async function orderPaymentRefund(pool: Pool, order: NewPaymentRefund): Promise<OrderRefundResult> {
  return inTransaction(pool, async (db) => createRefund(db, await requestForPayment(db, order)));
}

/**
 * What {@link orderPaymentRefund} would return now, in the same way as {@link judgeRefundOrder}.
 * @throws as {@link orderPaymentRefund} does
 */
export async function judgePaymentRefundOrder(pool: Pool, order: NewPaymentRefund): Promise<JudgedRefund> {
  return inTransaction(pool, async (db) => judgeWithin(db, await requestForPayment(db, order)));
}

async function requestForPayment(db: Db, order: NewPaymentRefund): Promise<RefundRequest> {
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

/** Successful captures, and an unexplained debit if the order names it. */
async function debitsOf(
  db: Db,
  { paymentId, captures }: PaymentRecord,
  { captureId }: NewPaymentRefund,
): Promise<readonly UnexplainedDebit[]> {
  const own = captures.flatMap((each) =>
    each.state === 'successful' && each.captureId !== null ? [{ captureId: each.captureId, amount: each.amount }] : [],
  );
  if (captureId === null || captures.some((each) => each.captureId === captureId)) return own;
  const unexplained = await findUnexplainedDebit(db, { subscriptionId: null, paymentId, captureId });
  return unexplained === null ? own : [...own, unexplained];
}

/** Debits with the amount that is refunded or being refunded. */
function refundableOf({ refunds }: PaymentRecord, debits: readonly UnexplainedDebit[]): RefundableCapture[] {
  return debits.map(({ captureId, amount }) => {
    const given = refunds.filter((each) => each.captureId === captureId && each.state !== 'failed');
    return { captureId, amount, refunded: euros(given.reduce((sum, each) => sum + each.amount.value, 0)) };
  });
}
