import type { Pool } from 'pg';
import type { ChangedPayment } from '../../contract/payments';
import type { PaymentId } from '../../domain/ids';
import {
  nextPaymentStep,
  type OpenPaymentStep,
  type PaymentLedgerStep,
  type PaymentState,
} from '../../domain/payment/next-step';
import { euros } from '../../domain/money';
import { sumOf } from '../../domain/payment/payment';
import { type Instant, toIso } from '../../domain/time';
import { type DraftProgress, readDraftProgress } from '../rows/draft-answers';
import { inTransaction } from '../sql/database';
import { type Db, readRecord, readValue } from '../sql/statements';
import { changeWithin, lockPayment } from './changes';
import { capturableOf, getPaymentOfRequest, type PaymentRecord, requirePayment } from '../rows/payment';
import { acknowledgePayment, readPaymentRevision } from './revisions';

/** The next step of a one-time payment, once the ledger has done everything it can do alone. */
export interface DecidedPayment extends ChangedPayment {
  readonly kind: 'decided';
  readonly payment: PaymentRecord;
  readonly step: OpenPaymentStep;
}

export type PaymentDecision =
  | DecidedPayment
  | ({ readonly kind: 'draft' } & DraftProgress)
  /** The payment does not exist, or no longer exists. */
  | { readonly kind: 'gone' };

/** Decides the next step of a payment from its rows alone, under its lock; steps that need only the ledger are done first. */
export async function decideNextOfPayment(
  pool: Pool,
  requestId: string,
  { at, revision }: { readonly at: Instant; readonly revision: number },
): Promise<PaymentDecision> {
  return inTransaction(pool, async (db): Promise<PaymentDecision> => {
    const status = await readValue<string>(db, 'select status from payments where request_id = $1 for update', [
      requestId,
    ]);
    if (status === null) return { kind: 'gone' };
    if (status === 'draft') {
      const progress = await readDraftProgress(db, 'payments', requestId);
      return progress === null ? { kind: 'gone' } : { kind: 'draft', ...progress };
    }
    await acknowledgePayment(db, requestId, revision);
    return advancePayment(db, requestId, at);
  });
}

/** The ledger does two steps alone: announcing the deadline, and expiry. */
async function advancePayment(db: Db, requestId: string, at: Instant): Promise<DecidedPayment> {
  for (;;) {
    const payment = await getPaymentOfRequest(db, requestId);
    if (payment === null) throw new Error(`the ledger has no payment for the request ${requestId}`);
    const state = await stateOf(db, payment);
    const step = nextPaymentStep(state, at);
    if (step.kind !== 'announce_deadline' && step.kind !== 'expire') {
      const { paymentId } = payment;
      const changed = await readPaymentRevision(db, paymentId);
      return { kind: 'decided', payment, step, ...changed };
    }
    await applyStep(db, state, step, at);
  }
}

async function stateOf(db: Db, payment: PaymentRecord): Promise<PaymentState> {
  const { requestId, paymentId } = payment;
  const announced = await readRecord(
    db,
    `select 1 from notices where payment_id = $1 and type = 'capture.deadline_near'`,
    [paymentId],
  );
  return { ...capturableOf(payment), requestId, paymentId, isDeadlineAnnounced: announced !== null };
}

async function applyStep(db: Db, state: PaymentState, step: PaymentLedgerStep, at: Instant): Promise<void> {
  const { paymentId, captures } = state;
  if (step.kind === 'announce_deadline') {
    const data = { remaining: step.remaining, captureBy: toIso(step.captureBy) };
    const event = { type: 'payment.deadline_near', data } as const;
    await changeWithin(db, { paymentId, at, event, notice: { type: 'capture.deadline_near', data } });
    return;
  }
  await expireWithin(db, { paymentId, captures, captureBy: step.captureBy }, at);
}

/**
 * Records that what remained of an authorization expired before it was released. Nothing is written if this, or a release, is
 * already recorded.
 */
export async function expirePayment(pool: Pool, paymentId: PaymentId, at: Instant): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockPayment(db, paymentId);
    const { captures, captureBy, expiredAt, releasedAt } = await requirePayment(db, paymentId);
    if (expiredAt === null && releasedAt === null && captureBy !== null)
      await expireWithin(db, { paymentId, captures, captureBy }, at);
  });
}

type Expiring = Pick<PaymentState, 'paymentId' | 'captures'> & { readonly captureBy: Instant };

async function expireWithin(db: Db, { paymentId, captures, captureBy }: Expiring, at: Instant): Promise<void> {
  const captured = euros(sumOf(captures.filter(({ state }) => state === 'successful')));
  const event = { type: 'payment.expired', data: { captureBy: toIso(captureBy), captured } } as const;
  await changeWithin(db, { paymentId, at, event, patch: { expiredAt: at } });
}
