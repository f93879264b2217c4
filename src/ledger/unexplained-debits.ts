import type { CaptureId, PaymentId, SubscriptionId } from '../domain/ids';
import type { Money } from '../domain/money';
import { moneyFromColumn } from './column';
import { type Db, queryOne } from './db';

/** A debit as a refund names it. */
export interface NamedDebit {
  /** Null for one of a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  readonly captureId: string;
}

export interface UnexplainedDebit {
  readonly captureId: CaptureId;
  readonly amount: Money;
}

/**
 * A debit that a reconciliation has found and nothing of ours explains, such as one that landed after it was given up;
 * null where none has found it.
 */
export async function findUnexplainedDebit(
  db: Db,
  { subscriptionId, paymentId, captureId }: NamedDebit,
): Promise<UnexplainedDebit | null> {
  const row = await queryOne<{ cents: number | null }>(db, 'select unexplained_debit($1, $2, $3) as cents', [
    ...[subscriptionId, paymentId, captureId],
  ]);
  const cents = row?.cents ?? null;
  return cents === null ? null : { captureId: captureId as CaptureId, amount: moneyFromColumn(cents) };
}
