import type { Pool } from 'pg';
import type { OrderId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { recordWithin } from './order-outcomes';
import { beginSend, type OrderSendRecord } from './order-sends';
import { inTransaction } from './transaction';

export interface UnsentOrder {
  readonly orderId: OrderId;
  readonly detail: string;
  readonly description: string;
  readonly owner: string;
  readonly at: Instant;
  /** Real time. */
  readonly realAt: number;
}

export type FailUnsentResult =
  | { readonly kind: 'failed' }
  /** Nothing was written: this send stands in the way, one in doubt of the payment or one of the order itself. */
  | { readonly kind: 'blocked'; readonly by: OrderSendRecord };

/**
 * An order that may not be sent any more fails without a POST, in one transaction: nobody sees it as sending. Where
 * another send of the payment is in doubt, nothing is written: that one first.
 */
export async function failUnsent(pool: Pool, order: UnsentOrder): Promise<FailUnsentResult> {
  const { orderId, detail, description, owner, at, realAt } = order;
  return inTransaction(pool, async (db): Promise<FailUnsentResult> => {
    const begun = await beginSend(db, { orderId, owner, at, realAt, knownIds: [] });
    if (begun.kind === 'blocked') return begun;
    await recordWithin(db, begun.send, { state: 'failed', detail, description }, at);
    return { kind: 'failed' };
  });
}
