import type { PaymentRef } from '../contract/activities';
import type { LedgerAttempt, LedgerPayment } from '../domain/reconciliation/subscription';
import { type Db, queryOne } from './db';
import { readLedgerRefunds, type SendRow, toSend } from './reconciliation-orders';

/**
 * Every attempt and refund of a subscription's payment, as far as they are held against the service.
 * @throws where the subscription is not in the ledger.
 */
export async function readLedgerPayment(db: Db, { subscriptionId, paymentId }: PaymentRef): Promise<LedgerPayment> {
  // Of one that was imported, others may still collect what falls due before it is taken over.
  const known = await queryOne<{ since: number }>(
    db,
    'select greatest(created_at, collect_from) as since from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  if (known === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  const attempts = await db.query<AttemptRow>(
    `select cycle, state, amount, at, due_at, known_ids, authorization_id, capture_id from attempts
     where payment_id = $1 order by cycle, attempt, send`,
    [paymentId],
  );
  return {
    ...{ subscriptionId, paymentId, knownSince: known.since },
    attempts: attempts.rows.map(toAttempt),
    refunds: await readLedgerRefunds(db, paymentId),
  };
}

interface AttemptRow extends SendRow<LedgerAttempt['state']> {
  due_at: number;
  authorization_id: string | null;
  capture_id: string | null;
}

function toAttempt(row: AttemptRow): LedgerAttempt {
  return {
    ...toSend(row),
    dueAt: row.due_at,
    authorizationId: row.authorization_id,
    captureId: row.capture_id,
  };
}
