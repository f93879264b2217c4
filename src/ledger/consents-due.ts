import type { PaymentRef } from '../contract/activities';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { instantToColumn } from './column';
import type { Db } from './db';

/**
 * Subscriptions that fall due at `dueBy` or before, active or paused, by id; those behind `after`, which is null at the
 * beginning. One that is being cancelled has its consent ended already (decisions 8, 24).
 */
export async function readConsentsDue(
  db: Db,
  dueBy: Instant,
  after: SubscriptionId | null,
  atOnce: number,
): Promise<readonly PaymentRef[]> {
  const { rows } = await db.query<{ subscription_id: string; payment_id: string }>(
    `select subscription_id, payment_id from subscriptions
     where status in ('active', 'paused') and hold is distinct from 'cancel' and payment_id is not null
       and next_due_at <= $1 and subscription_id > $2
     order by subscription_id
     limit $3`,
    [instantToColumn(dueBy), after ?? '', atOnce],
  );
  return rows.map((row) => ({
    subscriptionId: row.subscription_id as SubscriptionId,
    paymentId: row.payment_id as PaymentId,
  }));
}
