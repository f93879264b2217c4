import type { Pool } from 'pg';
import type { OrderId, PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { IS_MARKED_ORPHANED } from '../rows/attention-item';
import { inTransaction } from '../sql/database';
import { IS_RESTORED } from '../sql/installation';
import { type Db, instantToColumn, readRecords, readValue, readValues } from '../sql/statements';
import { IS_NOT_FINAL } from '../rows/any-send';
import { IS_LIVE_PAYMENT } from '../rows/payment';
import { markOrphaned, type SubjectRef } from './orphans';

/** Restarts within a day; a workflow that ends once more is left to an operator (rule 30). */
const RESTARTS_PER_DAY = 3;
/** For the whole installation (rule 44). */
export const RESTARTS_PER_SECOND = 20;

/** Whether a restart may find something to do; the restart itself decides by the whole state. */
const MAY_BE_OPEN = `(
  s.status not in ('draft', 'consent_failed', 'completed')
  or s.status <> 'draft' and (
    exists (select from attempts a where a.subscription_id = s.subscription_id and a.state ${IS_NOT_FINAL})
    or exists (select from cycles c where c.subscription_id = s.subscription_id and c.status in ('collecting', 'dunning'))
  )
)`;

const QUEUE = {
  subscription: `
    insert into workflow_orphans as o (kind, subject_id, due_at, ended_real_at)
    select 'subscription', subscription_id, coalesce(next_due_at, timestamptz '9999-12-31 23:59:59.999+00'), $2::timestamptz
    from subscriptions s where subscription_id = $1 and ${MAY_BE_OPEN} and not ${IS_MARKED_ORPHANED}`,
  payment: `
    insert into workflow_orphans as o (kind, subject_id, due_at, ended_real_at)
    select 'payment', payment_id, coalesce(capture_by, timestamptz '9999-12-31 23:59:59.999+00'), $2::timestamptz
    from payments where payment_id = $1 and status ${IS_LIVE_PAYMENT} and orphaned_at is null`,
};

const RECENT = `array(select at from unnest(o.restarted_real_at) as at where at > clock_timestamp() - interval '1 day')`;

/**
 * Records that something has no running workflow although it is not final: it will be restarted soon. One that was restarted three
 * times within a day is left to an operator instead.
 * @param endedReal when its run ended, by Temporal's clock: an end that was found before does not count again; null if unknown
 * @returns `nothing_to_do` if it needs no workflow, or is already left to an operator, or if this end was found before
 */
export async function queueOrphan(
  pool: Pool,
  ref: SubjectRef,
  at: Instant,
  endedReal: number | null = null,
): Promise<'queued' | 'left_to_operator' | 'nothing_to_do'> {
  const restarts = await readValue<number>(
    pool,
    `${QUEUE[ref.kind]}
     on conflict (kind, subject_id) do update set due_at = excluded.due_at, restarted_real_at = ${RECENT},
       waits = cardinality(${RECENT}) < ${RESTARTS_PER_DAY}, ended_real_at = coalesce(excluded.ended_real_at, o.ended_real_at)
     where excluded.ended_real_at is null or o.ended_real_at is null or excluded.ended_real_at > o.ended_real_at
     returning cardinality(restarted_real_at)`,
    [ref.id, instantToColumn(endedReal)],
  );
  if (restarts === null) return 'nothing_to_do';
  if (restarts < RESTARTS_PER_DAY) return 'queued';
  await markOrphaned(pool, ref, at);
  return 'left_to_operator';
}

/** Real ms within which a process restarts what it has claimed; after that another one may. */
const CLAIM = 30_000;

/**
 * Claims what waits for a restart, earliest due date first, at most {@link RESTARTS_PER_SECOND} per second in the whole
 * installation. None in a restored ledger, whose workflows would act on missing data.
 */
export async function claimOrphans(pool: Pool): Promise<readonly SubjectRef[]> {
  const waits = await readValue<boolean>(
    pool,
    `select exists (select from workflow_orphans where waits) and not ${IS_RESTORED}`,
  );
  if (waits !== true) return [];
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update installation set restarts_after_real = clock_timestamp() + interval '1 second'
       where restarts_after_real is null or restarts_after_real <= clock_timestamp()`,
    );
    if (rowCount === 0) return [];
    const taken = await readRecords<SubjectRef & { readonly dueAt: Instant }>(
      db,
      `with taken as (
         select kind, subject_id from workflow_orphans
         where waits and (claimed_until_real is null or claimed_until_real < clock_timestamp())
         order by due_at, kind, subject_id limit ${RESTARTS_PER_SECOND} for update skip locked
       )
       update workflow_orphans o set claimed_until_real = clock_timestamp() + make_interval(secs => $1)
       from taken where (o.kind, o.subject_id) = (taken.kind, taken.subject_id)
       returning o.kind, o.subject_id as id, o.due_at`,
      [CLAIM / 1000],
    );
    return taken.toSorted((one, other) => one.dueAt - other.dueAt).map(({ kind, id }) => ({ kind, id }));
  });
}

/**
 * Records that a subject no longer waits for a restart.
 * @param restarted whether it was restarted; false if its workflow was running or nothing was left to do
 */
export async function settleOrphan(db: Db, { kind, id }: SubjectRef, restarted: boolean): Promise<void> {
  await db.query(
    `update workflow_orphans o set waits = false, claimed_until_real = null,
       restarted_real_at = ${RECENT} || case when $3 then array[clock_timestamp()] else '{}' end::timestamptz[]
     where kind = $1 and subject_id = $2`,
    [kind, id, restarted],
  );
}

/** Called when an operator has restarted the workflow: the count of restarts begins again. */
export async function forgetRestarts(db: Db, { kind, id }: SubjectRef): Promise<void> {
  await db.query('delete from workflow_orphans where kind = $1 and subject_id = $2', [kind, id]);
}

/** Removes what was restarted longer than a day ago. */
export async function purgeRestarted(db: Db): Promise<void> {
  await db.query(
    `delete from workflow_orphans where not waits and not exists (
       select from unnest(restarted_real_at) as at where at > clock_timestamp() - interval '1 day'
     )`,
  );
}

/** The payments of these requests, whose ids are part of the ids of the payments' workflows. */
export function paymentsOfRequests(
  db: Db,
  requestIds: readonly string[],
): Promise<readonly { readonly requestId: string; readonly paymentId: PaymentId }[]> {
  return readRecords(
    db,
    'select request_id, payment_id from payments where request_id = any ($1) and payment_id is not null',
    [requestIds],
  );
}

/** The orders among these that are open and still need a workflow. */
export function openOrdersOf(db: Db, orderIds: readonly string[]): Promise<OrderId[]> {
  return readValues(db, 'select order_id from open_orders where order_id = any ($1)', [orderIds]);
}

/** Real time up to which closed workflows were searched; null before the first search. */
export function readClosedBefore(db: Db): Promise<number | null> {
  return readValue(db, 'select closed_before_real from installation');
}

export async function recordClosedBefore(db: Db, realAt: number): Promise<void> {
  await db.query('update installation set closed_before_real = greatest(closed_before_real, $1)', [
    instantToColumn(realAt),
  ]);
}
