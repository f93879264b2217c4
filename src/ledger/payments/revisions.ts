import type { ChangedPayment } from '../../contract/payments';
import type { PaymentId } from '../../domain/ids';
import { type Db, readRecord, readRecords } from '../sql/statements';

/**
 * Raises the revision of a payment, so that its workflow is notified (rules 25, 31).
 * @returns the new revision.
 * @throws if the payment is not in the ledger.
 */
export async function raisePaymentRevision(db: Db, paymentId: PaymentId): Promise<ChangedPayment> {
  return ofPayment(
    db,
    'update payments set revision = revision + 1 where payment_id = $1 returning request_id, revision',
    paymentId,
  );
}

/** @throws if the payment is not in the ledger. */
export async function readPaymentRevision(db: Db, paymentId: PaymentId): Promise<ChangedPayment> {
  return ofPayment(db, 'select request_id, revision from payments where payment_id = $1', paymentId);
}

async function ofPayment(db: Db, text: string, paymentId: PaymentId): Promise<ChangedPayment> {
  const found = await readRecord<ChangedPayment>(db, text, [paymentId]);
  if (found === null) throw new Error(`the ledger has no payment ${paymentId}`);
  return found;
}

/** Records that the workflow was notified of this revision and acts on it, or has ended with nothing left to do. */
export async function acknowledgePayment(db: Db, requestId: string, revision: number): Promise<void> {
  await db.query(
    `update payments set acknowledged_revision = least($2, revision)
     where request_id = $1 and acknowledged_revision < least($2, revision)`,
    [requestId, revision],
  );
}

/** Payments after `after` whose workflow has not acknowledged the newest revision, ordered by request id. */
export async function listUnacknowledgedPayments(
  db: Db,
  after: string,
  atMost: number,
): Promise<readonly ChangedPayment[]> {
  return readRecords(
    db,
    `select request_id, revision from payments
     where acknowledged_revision < revision and request_id > $1
     order by request_id limit $2`,
    [after, atMost],
  );
}

/** Whether an operator has to restart the workflow of the payment. */
export async function isOrphanedPayment(db: Db, requestId: string): Promise<boolean> {
  const row = await readRecord(db, 'select 1 from payments where request_id = $1 and orphaned_at is not null', [
    requestId,
  ]);
  return row !== null;
}
