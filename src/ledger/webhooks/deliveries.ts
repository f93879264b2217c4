import type { Pool } from 'pg';
import { DAY } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { IS_RESTORED } from '../sql/installation';
import { type Db, instantToColumn, readRecord, readRecords, textToColumn } from '../sql/statements';
import { type DeadLetter, endDeadLetters, openDeadLetters, waitsForOperator } from './dead-letters';
import { ENV, isTroubled, lockEndpoint, recordHealth } from './endpoints';
import type { Act } from '../audit/entries';
import { EVENT_COLUMNS, EVENT_SOURCE, type MerchantEvent } from '../audit/envelope';

/** A delivery try, to be made now by the process that claimed it. */
export interface ClaimedDelivery extends MerchantEvent {
  readonly deliveryId: number;
  readonly subject: string;
  /** Tries so far. */
  readonly tries: number;
  /** Sent before its time, to find out whether the endpoint has recovered. If it fails, it does not count as a try. */
  readonly isEarly: boolean;
}

/** Pending work on notices and events. */
export interface MessageWork {
  /** A notice is due. */
  readonly areNoticesDue: boolean;
  /** Some events have no position yet. */
  readonly isUnplaced: boolean;
  /** Some changes are not in the sums of collections yet. */
  readonly isUnsummed: boolean;
  /** An endpoint needs deliveries to be created. */
  readonly isLagging: boolean;
  /** A replay has events to be queued. */
  readonly isReplaying: boolean;
  /** Enabled endpoints that have something due and unclaimed, or must be probed. */
  readonly endpointIds: readonly string[];
}

/**
 * Reads in one statement whether there is anything to do, as every delivering process does so several times a second. In a
 * restored ledger there is nothing to do until an admin accepts it (rule 45).
 */
export async function readMessageWork(db: Db, realNow: number): Promise<MessageWork> {
  const work = await readRecord<MessageWork>(
    db,
    `select
       may_send and exists (select from notices where next_try_real_at <= $1) as are_notices_due,
       may_send and (
         select number from merchant_events where position is null and not is_test order by number limit 1
       ) is not null as is_unplaced,
       may_send and exists (select from collection_changes) as is_unsummed,
       may_send and exists (
         select from webhook_endpoints, event_feed where endpoint_id <> '${ENV}' and enabled and fanned_out < placed
       ) as is_lagging,
       may_send and exists (select from event_replays where state = 'running') as is_replaying,
       array (
         select endpoint_id from webhook_endpoints e
         where may_send and enabled and (${RANKS.map((rank) => `${firstDue(rank)} is not null`).join(' or ')} or ${IS_TO_PROBE})
       ) as endpoint_ids
     from (select not ${IS_RESTORED} as may_send offset 0) as ledger`,
    [instantToColumn(realNow)],
  );
  if (work === null) throw new Error('the query of pending work returned no row');
  return work;
}

/** Live events, replays of undelivered events, replays of delivered events. */
const RANKS = [0, 1, 2] as const;

/** The first due queue of the endpoint `e`, by index: queues that wait for their next try are not read. */
function firstDue(rank: number): string {
  return `(
    select subject from webhook_queues q where q.endpoint_id = e.endpoint_id and rank = ${rank} and ${DUE}
    order by next_try_real_at limit 1
  )`;
}

/** For the endpoint `e`: something is waiting, and it is time to find out whether the endpoint has recovered. */
const IS_TO_PROBE = `(
  coalesce(next_probe_real_at <= statement_timestamp(), false)
  and (select subject from webhook_queues q where q.endpoint_id = e.endpoint_id limit 1) is not null
)`;

/** Uses a time that is constant within a statement, so that an index can be used; `clock_timestamp()` is not constant. */
const DUE = `next_try_real_at <= statement_timestamp()
  and (claimed_until is null or claimed_until < statement_timestamp())`;

export interface Claim {
  readonly endpointId: string;
  /** A new UUID for each claim. */
  readonly claimId: string;
  /** Real ms after which other processes may claim the same subjects. */
  readonly lease: number;
  /** Concurrent posts to the endpoint by all processes. */
  readonly limit: number;
  /** Real ms between two probes. */
  readonly probeEvery: number;
}

/**
 * Claims subjects that are due, live ones first, and reads the next delivery of each; if none is due and the endpoint must be
 * probed, the subject that has waited longest. A subject is claimed by one process at a time, so that its events are sent one at
 * a time.
 */
export async function claimDeliveries(db: Db, claim: Claim): Promise<readonly ClaimedSubject[]> {
  const subjects: string[] = [];
  for (const rank of RANKS) subjects.push(...(await claimQueues(db, claim, rank)));
  if (subjects.length === 0) subjects.push(...(await claimOldest(db, claim)));
  if (subjects.length === 0) return [];
  const heads = await readHeads(db, claim.endpointId, subjects);
  return subjects.map((subject) => ({ subject, delivery: heads.find((head) => head.subject === subject) ?? null }));
}

export interface ClaimedSubject {
  readonly subject: string;
  /** Null if nothing is pending for it any more: its events were purged, or its replay was stopped. */
  readonly delivery: ClaimedDelivery | null;
}

async function claimQueues(
  db: Db,
  { endpointId, claimId, lease, limit }: Claim,
  rank: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ subject: string }>(
    `with due as (
       select endpoint_id, subject from webhook_queues
       where endpoint_id = $1 and rank = $2 and ${DUE}
         and exists (select from webhook_endpoints where endpoint_id = $1 and enabled) and not ${IS_RESTORED}
       order by next_try_real_at limit greatest(0, $3 - (
         select count(*) from webhook_queues where endpoint_id = $1 and claimed_until >= statement_timestamp()
       )) for update skip locked
     )
     update webhook_queues q set claim_id = $4, claimed_until = clock_timestamp() + make_interval(secs => $5)
     from due where (q.endpoint_id, q.subject) = (due.endpoint_id, due.subject)
     returning q.subject`,
    [endpointId, rank, limit, claimId, lease / 1000],
  );
  return rows.map(({ subject }) => subject);
}

/**
 * Claims the subject that has waited longest, for a probe. One process probes at a time, as it moves the instant of the next
 * probe.
 */
async function claimOldest(db: Db, { endpointId, claimId, lease, probeEvery }: Claim): Promise<readonly string[]> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set next_probe_real_at = clock_timestamp() + make_interval(secs => $2)
     where endpoint_id = $1 and enabled and next_probe_real_at <= statement_timestamp() and not ${IS_RESTORED}`,
    [endpointId, probeEvery / 1000],
  );
  if (rowCount === 0) return [];
  const { rows } = await db.query<{ subject: string }>(
    `with oldest as (
       select endpoint_id, subject from webhook_queues
       where endpoint_id = $1 and (claimed_until is null or claimed_until < statement_timestamp())
       order by since_real_at limit 1 for update skip locked
     )
     update webhook_queues q set claim_id = $2, claimed_until = clock_timestamp() + make_interval(secs => $3)
     from oldest where (q.endpoint_id, q.subject) = (oldest.endpoint_id, oldest.subject)
     returning q.subject`,
    [endpointId, claimId, lease / 1000],
  );
  return rows.map(({ subject }) => subject);
}

/** A separate statement after the claim, so that it sees what the previous holder of the subject has written. */
async function readHeads(db: Db, endpointId: string, subjects: readonly string[]): Promise<readonly ClaimedDelivery[]> {
  return readRecords<ClaimedDelivery>(
    db,
    `select head.delivery_id, head.subject, head.tries, head.next_try_real_at > clock_timestamp() as is_early, ${EVENT_COLUMNS}
     from unnest($2::text[]) as claimed (subject) cross join lateral (
       select * from webhook_deliveries d
       where d.endpoint_id = $1 and d.subject = claimed.subject and d.state = 'pending'
       order by d.rank, d.subject_sequence, d.delivery_id limit 1
     ) as head join ${EVENT_SOURCE} on e.event_id = head.event_id`,
    [endpointId, subjects],
  );
}

/** The result of one try. */
export interface TryRecord {
  readonly deliveryId: number;
  readonly subject: string;
  /** The number of this try, from 1. */
  readonly number: number;
  /** See {@link ClaimedDelivery}. */
  readonly isEarly: boolean;
  /** `pending`: will be tried again. */
  readonly state: 'pending' | 'delivered' | 'dead';
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
  readonly answer: string | null;
  /** Real ms until the next try. */
  readonly wait: number;
  /** Real ms for which the endpoint asked to wait; null if it did not. */
  readonly retryAfter: number | null;
}

export interface TryBatch {
  readonly endpointId: string;
  /** Claimed subjects to be released: those of the tries, and those that had nothing pending after all. */
  readonly subjects: readonly string[];
  readonly claimIds: readonly string[];
  readonly tries: readonly TryRecord[];
  /** Real ms of continuous failure after which the endpoint is disabled. */
  readonly disableAfter: number;
  /** Real ms between two probes. */
  readonly probeEvery: number;
}

/**
 * Writes tries, releases their subjects for the next delivery, and records the health of the endpoint; dead letters wait for an
 * operator. A lost claim writes nothing. If the endpoint must be written too, it is locked before its queues, as in
 * {@link fanOut}.
 */
export async function recordTries(pool: Pool, batch: TryBatch, act: Act): Promise<void> {
  const { endpointId, subjects, claimIds, disableAfter, probeEvery } = batch;
  await inTransaction(pool, async (db) => {
    const isHealthy = batch.tries.every(({ state }) => state === 'delivered') && !(await isTroubled(db, endpointId));
    if (!isHealthy) await lockEndpoint(db, endpointId);
    const { rows } = await db.query<{ subject: string }>(
      `select subject from webhook_queues
       where endpoint_id = $1 and subject = any ($2) and claim_id = any ($3) order by subject for update`,
      [endpointId, subjects, claimIds],
    );
    const ours = rows.map(({ subject }) => subject);
    const tries = batch.tries.filter(({ subject }) => ours.includes(subject));
    const counting = tries.filter(({ state, isEarly }) => !isEarly || state === 'delivered');
    const dead = counting.length === 0 ? [] : await writeTries(db, counting);
    await db.query(NEXT_DELIVERY, [endpointId, ours]);
    if (isHealthy || tries.length === 0) return;
    const delivered = tries.some(({ state }) => state === 'delivered');
    const gone = tries.some(({ status }) => status === GONE);
    const retryAfter = Math.min(DAY, Math.max(...tries.map((each) => each.retryAfter ?? 0)));
    await recordHealth(db, endpointId, { delivered, gone, disableAfter, probeEvery, retryAfter }, act);
    const [newest] = dead;
    if (newest !== undefined) await openDeadLetters(db, endpointId, newest, act.at);
    else if (delivered) await endDeadLetters(db, endpointId);
  });
}

/** HTTP 410: the endpoint wants no more events. */
const GONE = 410;

/** @returns the new dead letters that were never delivered, newest first, without tests. */
async function writeTries(db: Db, tries: readonly TryRecord[]): Promise<readonly DeadLetter[]> {
  return readRecords<DeadLetter>(
    db,
    `with made as (
       select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::float[])
         as made (delivery_id, number, state, status, ms, error, answer, wait)
     ), written as (
       insert into webhook_tries (delivery_id, try, real_at, status, ms, error, answer)
       select delivery_id, number, clock_timestamp(), status, ms, error, answer from made
       where delivery_id in (select delivery_id from webhook_deliveries)
       on conflict do nothing
     ), updated as (
       update webhook_deliveries d set tries = made.number, state = made.state, last_status = made.status,
         next_try_real_at = clock_timestamp() + make_interval(secs => made.wait / 1000),
         ended_real_at = case when made.state <> 'pending' then clock_timestamp() end
       from made where d.delivery_id = made.delivery_id and d.state = 'pending'
       returning d.endpoint_id, d.event_id, d.delivery_id, d.state, d.last_status
     )
     select event_id, last_status as status from updated u join merchant_events e using (event_id)
     where u.state = 'dead' and ${waitsForOperator('u')} order by u.delivery_id desc`,
    [
      tries.map(({ deliveryId }) => deliveryId),
      tries.map(({ number }) => number),
      tries.map(({ state }) => state),
      tries.map(({ status }) => status),
      tries.map(({ ms }) => Math.round(ms)),
      tries.map(({ error }) => textToColumn(error)),
      tries.map(({ answer }) => textToColumn(answer)),
      tries.map(({ wait }) => wait),
    ],
  );
}

/** Schedules the queue by its next pending delivery; removes it if there is none. */
const NEXT_DELIVERY = `
  with next as (
    select q.subject, head.rank, head.next_try_real_at, head.since
    from webhook_queues q left join lateral (
      select d.rank, d.next_try_real_at, e.recorded_real_at as since
      from webhook_deliveries d join merchant_events e using (event_id)
      where d.endpoint_id = q.endpoint_id and d.subject = q.subject and d.state = 'pending'
      order by d.rank, d.subject_sequence, d.delivery_id limit 1
    ) as head on true
    where q.endpoint_id = $1 and q.subject = any ($2)
  ), ended as (
    delete from webhook_queues q using next
    where q.endpoint_id = $1 and q.subject = next.subject and next.next_try_real_at is null
  )
  update webhook_queues q set rank = next.rank, next_try_real_at = next.next_try_real_at, since_real_at = next.since,
    claim_id = null, claimed_until = null
  from next where q.endpoint_id = $1 and q.subject = next.subject and next.next_try_real_at is not null`;
