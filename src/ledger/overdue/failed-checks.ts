import { type Db, instantToColumn } from '../statements';

/** Notes that the payment service could not be asked for a subscription, or gave no answer that can be read: once a minute. */
export async function recordFailedCheck(db: Db, subscriptionId: string, realAt: number): Promise<void> {
  await db.query(
    `insert into failed_checks as f (subscription_id, real_at) values ($1, $2)
     on conflict (subscription_id) do update set real_at = excluded.real_at
     where f.real_at <= excluded.real_at - interval '1 minute'`,
    [subscriptionId, instantToColumn(realAt)],
  );
}

/** Removes those of longer ago than a day. */
export async function purgeFailedChecks(db: Db, realNow: number): Promise<void> {
  await db.query(`delete from failed_checks where real_at < $1::timestamptz - interval '1 day'`, [
    instantToColumn(realNow),
  ]);
}
