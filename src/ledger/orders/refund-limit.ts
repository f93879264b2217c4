import { euros, type Money } from '../../domain/money';
import { DAY } from '../../domain/time';
import type { Db } from '../database';
import { refundedSince } from './refunds';

/** What a key may refund, and what it asks for. */
export interface LimitedRefund {
  readonly amount: Money;
  /** The name of the API key that asks. Keys that replace one another share it. */
  readonly actor: string;
  /** What that key may refund in 24 hours of real time; null or left out: any. */
  readonly perDay?: Money | null;
  /** Real time. */
  readonly realAt: number;
}

export interface BeyondLimit {
  readonly actor: string;
  readonly limit: Money;
  /** In 24 hours, this refund included. */
  readonly asked: Money;
}

/**
 * Null where the key may refund so much. One at a time for each name until the transaction ends, so that two requests at
 * once cannot both take what is left.
 */
export async function findBeyondLimit(
  db: Db,
  { actor, perDay = null, amount, realAt }: LimitedRefund,
): Promise<BeyondLimit | null> {
  if (perDay === null) return null;
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`refunds of ${actor}`]);
  const refunded = await refundedSince(db, actor, realAt - DAY);
  const asked = euros(refunded.value + amount.value);
  return asked.value <= perDay.value ? null : { actor, limit: perDay, asked };
}
