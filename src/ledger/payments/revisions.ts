import type { ChangedPayment } from '../../contract/payments';
import type { PaymentId } from '../../domain/ids';
import { type Db, readRecord, readRecords } from '../sql/statements';

/** Its workflow has to be notified (rules 25, 31). @returns the new revision. @throws where the payment is not in the ledger. */
export async function raisePaymentRevision(db: Db, paymentId: PaymentId): Promise<ChangedPayment> {
  return ofPayment(
    db,
    'update payments set revision = revision + 1 where payment_id = $1 returning request_id, revision',
    paymentId,
  );
}

/** @throws where the payment is not in the ledger. */
export async function readPaymentRevision(db: Db, paymentId: PaymentId): Promise<ChangedPayment> {
  return ofPayment(db, 'select request_id, revision from payments where payment_id = $1', paymentId);
}

async function ofPayment(db: Db, text: string, paymentId: PaymentId): Promise<ChangedPayment> {
  const found = await readRecord<ChangedPayment>(db, text, [paymentId]);
  if (found === null) throw new Error(`the ledger has no payment ${paymentId}`);
  return found;
}

/** Its workflow was notified of this revision, and acts by it; or has ended, and nothing is left to act on. */
export async function acknowledgePayment(db: Db, requestId: string, revision: number): Promise<void> {
  await db.query(
    `update payments set heard_revision = least($2, revision)
     where request_id = $1 and heard_revision < least($2, revision)`,
    [requestId, revision],
  );
}

/** Payments behind `after` whose workflow has not acknowledged the newest revision, by their requests. */
export async function listUnacknowledgedPayments(
  db: Db,
  after: string,
  atMost: number,
): Promise<readonly ChangedPayment[]> {
  return readRecords(
    db,
    `select request_id, revision from payments
     where heard_revision < revision and request_id > $1
     order by request_id limit $2`,
    [after, atMost],
  );
}

/** Whether an operator has to restart its workflow. */
export async function isOrphanedPayment(db: Db, requestId: string): Promise<boolean> {
  const row = await readRecord(db, 'select 1 from payments where request_id = $1 and orphaned_at is not null', [
    requestId,
  ]);
  return row !== null;
}
