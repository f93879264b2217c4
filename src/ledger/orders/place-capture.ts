import type { Pool } from 'pg';
import type { ChangedPayment } from '../../contract/payments';
import type { OrderId, PaymentId } from '../../domain/ids';
import { sameMoney } from '../../domain/money';
import {
  type CaptureVerdict,
  judgeCapture,
  type WantedCapture,
  whyNotReleasable,
} from '../../domain/payment/capture-rules';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { instantToColumn, type Db } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { changeWithin, lockPayment } from '../payments/changes';
import { raisePaymentRevision, readPaymentRevision } from '../payments/revisions';
import { getCapture, type OrderedCapture, capturableOf, type PaymentRecord, requirePayment } from '../rows/payment';

export interface NewCapture extends Actor, Omit<WantedCapture, 'category'> {
  /** Derived from the request, so that a repeated request finds the order it created. */
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  /** Real time. */
  readonly realAt: number;
}

export type OrderCaptureResult =
  | { readonly kind: 'ordered'; readonly capture: OrderedCapture }
  /** Already ordered by the same request. */
  | { readonly kind: 'exists'; readonly capture: OrderedCapture }
  /** The id already belongs to another capture. */
  | { readonly kind: 'reused' }
  | Extract<CaptureVerdict, { kind: 'refused' }>;

/** `allowed` if it would be ordered. */
export type JudgedCapture =
  | Exclude<OrderCaptureResult, { kind: 'ordered' }>
  | Extract<CaptureVerdict, { kind: 'allowed' }>;

/**
 * Orders a capture, or says why it is refused. All of it runs under the payment's lock, so that two concurrent requests cannot
 * both take what is left. An order counts immediately, before its outcome is known, and stops counting if it fails
 * (rule 26).
 * @throws if the payment is not in the ledger.
 */
export async function orderCapture(pool: Pool, order: NewCapture): Promise<OrderCaptureResult> {
  return inTransaction(pool, async (db): Promise<OrderCaptureResult> => {
    const verdict = await judgeWithin(db, order);
    return verdict.kind === 'allowed' ? { kind: 'ordered', capture: await insertCapture(db, order) } : verdict;
  });
}

/**
 * What {@link orderCapture} would return now, recording a refusal in the audit log in the same way; orders nothing.
 * @throws as {@link orderCapture} does
 */
export async function judgeCaptureOrder(pool: Pool, order: NewCapture): Promise<JudgedCapture> {
  return inTransaction(pool, (db) => judgeWithin(db, order));
}

async function judgeWithin(db: Db, order: NewCapture): Promise<JudgedCapture> {
  const payment = await readLocked(db, order.paymentId);
  const before = await getCapture(db, order.orderId);
  if (before !== null) return isSameOrder(before, order) ? { kind: 'exists', capture: before } : { kind: 'reused' };
  const category = payment.merchantCategoryCode ?? undefined;
  const verdict = judgeCapture(capturableOf(payment), { ...order, category });
  if (verdict.kind === 'refused') {
    const { rule, message, highestAllowed } = verdict;
    const data = { amount: order.amount, finalCapture: order.finalCapture, rule, highestAllowed, message };
    await insertEvent(db, { ...aboutOf(order), type: 'capture.refused', data });
  }
  return verdict;
}

export interface NewRelease extends Actor {
  readonly paymentId: PaymentId;
  readonly reason: string | null;
  readonly at: Instant;
}

export type OrderReleaseResult =
  /** The release is ordered: no capture can be ordered any more. */
  | ({ readonly kind: 'ordered' } & ChangedPayment)
  /** `message` tells the operator why. */
  | { readonly kind: 'refused'; readonly message: string };

/** Orders the release of the authorized amount, once. @throws if the payment is not in the ledger. */
export async function orderRelease(pool: Pool, order: NewRelease): Promise<OrderReleaseResult> {
  const { paymentId, reason, at, ...by } = order;
  return inTransaction(pool, async (db): Promise<OrderReleaseResult> => {
    const payment = await readLocked(db, paymentId);
    if (payment.releaseOrderedAt !== null) return { kind: 'ordered', ...(await readPaymentRevision(db, paymentId)) };
    const message = whyNotReleasable(capturableOf(payment));
    if (message !== null) {
      await insertEvent(db, { ...aboutOf(order), type: 'payment.release_refused', data: { reason, message } });
      return { kind: 'refused', message };
    }
    const event = { type: 'payment.release_requested', data: { amount: payment.amount, reason } } as const;
    await changeWithin(db, { ...by, paymentId, at, event, patch: { releaseOrderedAt: at } });
    return { kind: 'ordered', ...(await raisePaymentRevision(db, paymentId)) };
  });
}

async function readLocked(db: Db, paymentId: PaymentId): Promise<PaymentRecord> {
  await lockPayment(db, paymentId);
  return requirePayment(db, paymentId);
}

function isSameOrder(before: OrderedCapture, order: NewCapture): boolean {
  return (
    before.paymentId === order.paymentId &&
    sameMoney(before.amount, order.amount) &&
    before.finalCapture === order.finalCapture
  );
}

async function insertCapture(db: Db, order: NewCapture): Promise<OrderedCapture> {
  const { orderId, paymentId, amount, finalCapture, actor, at } = order;
  await db.query(
    `insert into orders (kind, order_id, payment_id, amount, final_capture, actor, created_at, created_real_at)
     values ('capture', $1, $2, $3, $4, $5, $6, $7)`,
    [orderId, paymentId, amount.value, finalCapture, actor, instantToColumn(at), instantToColumn(order.realAt)],
  );
  await insertEvent(db, { ...aboutOf(order), type: 'capture.requested', data: { orderId, amount, finalCapture } });
  const capture = await getCapture(db, orderId);
  if (capture === null) throw new Error(`the capture ${orderId} was inserted and no longer exists`);
  return capture;
}

function aboutOf({ paymentId, at, ...by }: NewCapture | NewRelease) {
  return { ...actorOf(by), subscriptionId: null, paymentId, at };
}
