import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { IS_RESTORED } from '../sql/installation';
import { type Db, readRecords, readValue } from '../sql/statements';
import type { SubscriptionRecord } from '../rows/subscription';

/** Maximum for the whole installation. */
export const STARTS_PER_SECOND = 500;

/** Real ms that a process has to start what it has claimed; after that another one may claim it. */
const CLAIM = 30_000;

/** A subscription whose workflow has to be started. */
export interface DueStart extends Pick<
  SubscriptionRecord,
  'subscriptionId' | 'repetition' | 'consentAmount' | 'status' | 'standing'
> {
  /** Its first due date in dueday. */
  readonly dueAt: Instant;
}

/**
 * Claims imported subscriptions whose workflows have no confirmed start, the earliest due date first, and at most {@link
 * STARTS_PER_SECOND} per second across the installation. None in a restored ledger: its workflows would act on an incomplete
 * state.
 */
export async function takeStarts(pool: Pool): Promise<readonly DueStart[]> {
  const waits = await readValue<boolean>(
    pool,
    `select exists (
       select from workflow_starts where claimed_until_real is null or claimed_until_real < clock_timestamp()
     ) and not ${IS_RESTORED}`,
  );
  if (waits !== true) return [];
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update installation set starts_after_real = clock_timestamp() + interval '1 second'
       where starts_after_real is null or starts_after_real <= clock_timestamp()`,
    );
    return rowCount === 0 ? [] : claim(db);
  });
}

async function claim(db: Db): Promise<readonly DueStart[]> {
  const claimed = await readRecords<DueStart>(
    db,
    `with taken as (
       select subscription_id from workflow_starts
       where claimed_until_real is null or claimed_until_real < clock_timestamp()
       order by due_at, subscription_id limit ${STARTS_PER_SECOND} for update skip locked
     ), claimed as (
       update workflow_starts w set claimed_until_real = clock_timestamp() + make_interval(secs => $1)
       from taken where w.subscription_id = taken.subscription_id
       returning w.subscription_id, w.due_at
     )
     select s.subscription_id, s.repetition, s.consent_amount, s.status, s.standing, claimed.due_at
     from claimed join subscriptions s using (subscription_id)`,
    [CLAIM / 1000],
  );
  return claimed.toSorted((one, other) => one.dueAt - other.dueAt);
}

/** Records that the workflows of these subscriptions run, or have run. */
export async function confirmStarts(db: Db, ids: readonly SubscriptionId[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from workflow_starts where subscription_id = any ($1)', [ids]);
}
