import type { Reversal } from '../../domain/payment/refund-rules';
import { type Db, readRecord } from '../sql/statements';

/**
 * SQL source: the differences that show that the service has given back a debit without an order from dueday. Either it reports a
 * successful debit in another state, such as `reversed`, or it has a refund that was not ordered here. A difference that a later
 * comparison did not find no longer counts; one that an operator has closed as explained still does.
 */
export const REVERSALS = `attention_items i
  where i.source = 'difference' and i.kind in ('debit_state', 'refund_unknown')
    and (i.closed_real_at is null or i.closed_by is not null)
    and (i.kind = 'refund_unknown' or i.service ->> 'state' <> 'pending')`;

/**
 * SQL columns of a {@link Reversal}, aggregated over the {@link REVERSALS} of one debit; there must be at least one.
 * @param cap cents of the debit; null if they are not known
 */
export function reversalColumns(cap: string): string {
  return `min(i.since) as reversed_at, least(${cap}, sum(i.amount))::bigint as reversed_amount,
    max(i.service ->> 'state') filter (where i.kind = 'debit_state') as reversed_as`;
}

/** What is known to have been given back of a successful debit without an order from dueday; null if nothing is. */
export async function findReversal(
  db: Db,
  { paymentId, captureId }: { readonly paymentId: string; readonly captureId: string },
): Promise<Reversal | null> {
  return readRecord<Reversal>(
    db,
    `select ${reversalColumns('null')} from ${REVERSALS} and (i.payment_id, i.capture_id) = ($1, $2) having count(*) > 0`,
    [paymentId, captureId],
  );
}
