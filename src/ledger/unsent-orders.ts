import type { Pool } from 'pg';
import type { OrderId } from '../domain/ids';
import type { Instant } from '../domain/instant';
import { recordWithin } from './order-outcomes';
import { beginSend } from './order-sends';
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

/**
 * An order that may not be sent any more fails without a POST, in one transaction: nobody sees it as sending. Where
 * another send of the payment is in doubt, nothing is written: that one first.
 */
export async function failUnsent(pool: Pool, order: UnsentOrder): Promise<void> {
  const { orderId, detail, description, owner, at, realAt } = order;
  await inTransaction(pool, async (db) => {
    const begun = await beginSend(db, { orderId, owner, at, realAt, knownIds: [] });
    if (begun.kind === 'started') await recordWithin(db, begun.send, { state: 'failed', detail, description }, at);
  });
}
