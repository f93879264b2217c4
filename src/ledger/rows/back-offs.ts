import { type Db, instantToColumn, readRecord } from '../sql/statements';
import type { SendRef } from './attempt';

/** When to check again an attempt or an order that could not proceed. Real times, epoch ms. */
export interface StoredBackOff {
  /** Since when it could not proceed. */
  readonly sinceReal: number;
  /** When this was last noticed. */
  readonly notedReal: number;
  readonly againReal: number;
  /** The type and the message of the failure that operators see on the pending activity meanwhile. */
  readonly stop: string;
  readonly reason: string;
}

/** The key for an attempt of a subscription. */
export function backOffKey({ subscriptionId, cycle, attempt }: Omit<SendRef, 'send'>): string {
  return `${subscriptionId}/${cycle}/${attempt}`;
}

/** Null if none was stored, or an immediate check was requested since. */
export async function readStoredBackOff(db: Db, key: string): Promise<StoredBackOff | null> {
  return readRecord(
    db,
    `select since_real_at as since_real, noted_real_at as noted_real, again_real_at as again_real, stop, reason
     from back_offs where key = $1`,
    [key],
  );
}

export async function storeBackOff(db: Db, key: string, backOff: StoredBackOff): Promise<void> {
  const { sinceReal, notedReal, againReal, stop, reason } = backOff;
  await db.query(
    `insert into back_offs (key, since_real_at, noted_real_at, again_real_at, stop, reason)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (key) do update set since_real_at = excluded.since_real_at, noted_real_at = excluded.noted_real_at,
       again_real_at = excluded.again_real_at, stop = excluded.stop, reason = excluded.reason`,
    [key, instantToColumn(sinceReal), instantToColumn(notedReal), instantToColumn(againReal), stop, reason],
  );
}

/** Ends the back-offs of all attempts of a subscription, because an immediate check was requested. */
export async function endBackOffs(db: Db, subscriptionId: string): Promise<void> {
  await db.query(`delete from back_offs where key > $1 || '/' and key < $1 || '0'`, [subscriptionId]);
}

/** Removes back-offs that ended more than a day ago. */
export async function purgeBackOffs(db: Db, realNow: number): Promise<void> {
  await db.query(`delete from back_offs where again_real_at < $1::timestamptz - interval '1 day'`, [
    instantToColumn(realNow),
  ]);
}
