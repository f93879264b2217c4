import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { toIso } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, readRecord } from '../sql/statements';
import { type Act, insertEvent } from '../audit/entries';
import { type MerchantEventType, typesMatching } from '../audit/catalogue';
import { ENV, type EndpointRecord, hasten } from './endpoints';
import { sampleData } from '../audit/envelope';
import { subjectOf } from './feed';
import type { ReplayRecord } from './replays';

/** Positions processed in one transaction. */
const AT_ONCE = 500;

/**
 * Creates deliveries of new events for one endpoint that lags; a second process takes another endpoint.
 * @returns false if no endpoint lags, apart from those locked by another process
 */
export async function fanOut(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const lagging = await readRecord<Lagging>(
      db,
      `select endpoint_id, types, fanned_out, placed from webhook_endpoints, event_feed
       where endpoint_id <> '${ENV}' and enabled and fanned_out < placed
       order by fanned_out limit 1 for no key update of webhook_endpoints skip locked`,
    );
    if (lagging === null) return false;
    const { endpointId, types, fannedOut: from, placed } = lagging;
    const to = Math.min(placed, from + AT_ONCE);
    await db.query(FAN_OUT, [endpointId, from, to, typesMatching(types)]);
    await db.query('update webhook_endpoints set fanned_out = $2 where endpoint_id = $1', [endpointId, to]);
    return true;
  });
}

interface Lagging extends Pick<EndpointRecord, 'endpointId' | 'types'> {
  readonly fannedOut: number;
  readonly placed: number;
}

/** Events of a subject are sent one at a time; an event without a subject waits for no other. */
const SUBJECT = `coalesce(${subjectOf('e')}, 'event/' || e.event_id)`;

/** A live event goes before a waiting replay of its subject. */
const FAN_OUT = `
  with wanted as (
    select e.event_id, e.position, coalesce(e.sequence, 0) as subject_sequence, ${SUBJECT} as subject, e.recorded_real_at as since
    from merchant_events e where e.position > $2 and e.position <= $3 and e.type = any ($4)
  ), queued as (
    insert into webhook_queues as q (endpoint_id, subject, rank, next_try_real_at, since_real_at)
    select $1, subject, 0, min(since), min(since) from wanted group by subject order by subject
    on conflict (endpoint_id, subject) do update set rank = 0,
      next_try_real_at = case when q.rank > 0 then excluded.next_try_real_at else q.next_try_real_at end,
      since_real_at = case when q.rank > 0 then excluded.since_real_at else q.since_real_at end
  )
  insert into webhook_deliveries (endpoint_id, event_id, subject, subject_sequence, next_try_real_at)
  select $1, event_id, subject, subject_sequence, since from wanted order by position
  on conflict do nothing`;

/**
 * Queues events again, after everything live, the oldest first. A subject that already has something pending keeps its schedule.
 */
const replayOf = (wanted: string) => `
  with wanted as (${wanted}), queued as (
    insert into webhook_queues (endpoint_id, subject, rank, next_try_real_at, since_real_at)
    select $1, subject, min(rank), min(since), min(since) from wanted group by subject order by subject
    on conflict (endpoint_id, subject) do update set subject = excluded.subject
  )
  insert into webhook_deliveries (endpoint_id, event_id, subject, subject_sequence, rank, job_id, next_try_real_at)
  select $1, event_id, subject, subject_sequence, rank, job_id, since from wanted order by position
  returning delivery_id`;

/** Conditions on the event `e`: that it was delivered to an endpoint, and that it is pending there. */
const wasDelivered = (endpointId: string) => `exists (
    select from webhook_deliveries d
    where d.event_id = e.event_id and d.endpoint_id = ${endpointId} and d.state = 'delivered'
  )`;
const isPending = (endpointId: string) => `exists (
    select from webhook_deliveries d
    where d.event_id = e.event_id and d.endpoint_id = ${endpointId} and d.state = 'pending'
  )`;

export interface QueuedDelivery {
  readonly eventId: string;
  readonly deliveryId: number;
}

/**
 * Queues an event for an endpoint once more; everything pending for the endpoint is sent immediately. The caller has checked that
 * both exist.
 */
export async function resendEvent(pool: Pool, endpointId: string, eventId: string, act: Act): Promise<QueuedDelivery> {
  const again = replayOf(
    `select e.event_id, e.position, coalesce(e.sequence, 0) as subject_sequence, ${SUBJECT} as subject, null::uuid as job_id,
       e.recorded_real_at as since, case when ${wasDelivered('$1')} then 2 else 1 end as rank
     from merchant_events e where e.event_id = $2`,
  );
  return inTransaction(pool, async (db) => {
    await hasten(db, endpointId);
    const queued = await queuedDelivery(db, eventId, again, [endpointId, eventId]);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'event.resent', data: { endpointId, eventId } });
    return queued;
  });
}

/** Queues a sample of a type for one endpoint; no other endpoint receives it and no list of events shows it. */
export async function sendTest(
  pool: Pool,
  endpointId: string,
  type: MerchantEventType,
  act: Act,
): Promise<QueuedDelivery> {
  const eventId = `evt_${randomUUID().replaceAll('-', '')}`;
  return inTransaction(pool, async (db) => {
    await db.query(`insert into merchant_events (event_id, type, at, is_test, data) values ($1, $2, $3, true, $4)`, [
      eventId,
      type,
      instantToColumn(act.at),
      // The sample of an event about endpoints names the receiving one.
      jsonToColumn({ ...sampleData(type), ...(type.startsWith('endpoint.') ? { endpointId } : {}) }),
    ]);
    const subject = `event/${eventId}`;
    await db.query(
      'insert into webhook_queues (endpoint_id, subject, rank, next_try_real_at, since_real_at) values ($1, $2, 0, now(), now())',
      [endpointId, subject],
    );
    const made = `insert into webhook_deliveries (endpoint_id, event_id, subject, subject_sequence) values ($1, $2, $3, 0) returning delivery_id`;
    const queued = await queuedDelivery(db, eventId, made, [endpointId, eventId, subject]);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'endpoint.tested', data: { endpointId, type } });
    return queued;
  });
}

async function queuedDelivery(db: Db, eventId: string, sql: string, values: unknown[]): Promise<QueuedDelivery> {
  const row = await readRecord<{ readonly deliveryId: number }>(db, sql, values);
  if (row === null) throw new Error(`the event ${eventId} was found and no longer exists`);
  return { eventId, deliveryId: row.deliveryId };
}

export interface NewReplay extends Pick<ReplayRecord, 'jobId' | 'endpointId' | 'since' | 'until'> {
  readonly types: readonly MerchantEventType[];
  /** Whether to send only events that were not delivered to the endpoint. */
  readonly onlyFailed: boolean;
}

/** Pending events are left out: they are sent without a replay. */
const IN_REPLAY = `e.position is not null and e.type = any (r.types) and e.at >= r.since and (r.until is null or e.at < r.until)
  and not ${isPending('r.endpoint_id')}`;
const IS_UNDELIVERED = `not ${wasDelivered('r.endpoint_id')}`;

/** Counts the events that a replay would send. @param terms the query for `r`, the terms of the replay */
const countIn = (terms: string) => `with r as (${terms})
  select count(e.number) as all, count(e.number) filter (where ${IS_UNDELIVERED}) as undelivered
  from r left join merchant_events e on e.position <= r.last and ${IN_REPLAY}`;

interface ReplayCount {
  readonly all: number;
  /** Events of which no delivery to the endpoint succeeded. */
  readonly undelivered: number;
}

/** How many events a replay would send if it were requested now. */
export async function countReplay(db: Db, replay: Omit<NewReplay, 'jobId'>): Promise<number> {
  const { endpointId, types, since, until, onlyFailed } = replay;
  const counted = await readRecord<ReplayCount>(
    db,
    countIn(`select $1 as endpoint_id, $2::text[] as types, $3::timestamptz as since, $4::timestamptz as until,
      placed as last from event_feed`),
    [endpointId, types, instantToColumn(since), instantToColumn(until)],
  );
  return totalOf(counted, onlyFailed);
}

function totalOf(counted: ReplayCount | null, onlyFailed: boolean): number {
  return (onlyFailed ? counted?.undelivered : counted?.all) ?? 0;
}

/** Requests that the delivering process sends events again; everything pending for the endpoint is sent immediately. */
export async function orderReplay(pool: Pool, replay: NewReplay, act: Act): Promise<void> {
  const { jobId, endpointId, types, since, until, onlyFailed } = replay;
  await inTransaction(pool, async (db) => {
    const row = await readRecord<ReplayCount>(
      db,
      countIn(`insert into event_replays (
           job_id, endpoint_id, types, since, until, only_failed, position, last, total, new_total, actor, started_at
         )
         select $1, $2, $3, $4, $5, $6, purged, placed, 0, 0, $7, $8 from event_feed returning *`),
      [
        jobId,
        endpointId,
        types,
        instantToColumn(since),
        instantToColumn(until),
        onlyFailed,
        act.actor,
        instantToColumn(act.at),
      ],
    );
    const undelivered = row?.undelivered ?? 0;
    const total = totalOf(row, onlyFailed);
    await db.query('update event_replays set total = $2, new_total = $3 where job_id = $1', [
      jobId,
      total,
      undelivered,
    ]);
    await hasten(db, endpointId);
    const data = { endpointId, jobId, total, since: toIso(since) };
    await insertEvent(db, { ...act, subscriptionId: null, type: 'events.replay_ordered', data });
  });
}

/**
 * Queues the next events of the oldest replay.
 * @returns false if there is none, apart from those locked by another process
 */
export async function queueReplay(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const replay = await readRecord<Queueing>(
      db,
      `select job_id, endpoint_id, position, last, is_second, only_failed from event_replays where state = 'running'
       order by created_real_at limit 1 for no key update skip locked`,
    );
    if (replay === null) return false;
    const { jobId, endpointId, position, last, isSecond, onlyFailed } = replay;
    const to = Math.min(last, position + AT_ONCE);
    await db.query(isSecond ? QUEUE_DELIVERED : QUEUE_UNDELIVERED, [endpointId, jobId, position, to]);
    if (to < last || isSecond || onlyFailed) await advanceReplay(db, replay, to);
    else
      await db.query(
        'update event_replays set position = (select purged from event_feed), is_second = true where job_id = $1',
        [jobId],
      );
    return true;
  });
}

interface Queueing extends Pick<ReplayRecord, 'jobId' | 'endpointId'> {
  readonly position: number;
  readonly last: number;
  /** Whether all undelivered events are queued, so that the delivered ones follow. */
  readonly isSecond: boolean;
  readonly onlyFailed: boolean;
}

async function advanceReplay(db: Db, { jobId, last }: Queueing, position: number): Promise<void> {
  const state = position >= last ? 'queued' : 'running';
  await db.query('update event_replays set position = $2, state = $3 where job_id = $1', [jobId, position, state]);
}

const queueOf = (rank: 1 | 2, condition: string) =>
  replayOf(
    `select e.event_id, e.position, coalesce(e.sequence, 0) as subject_sequence, ${SUBJECT} as subject, r.job_id,
       e.recorded_real_at as since, ${rank} as rank
     from event_replays r join merchant_events e on e.position > $3 and e.position <= $4 and ${IN_REPLAY} and ${condition}
     where r.job_id = $2`,
  );

const QUEUE_UNDELIVERED = queueOf(1, IS_UNDELIVERED);
/** Queues the delivered events, except those that this replay itself has delivered. */
const QUEUE_DELIVERED = queueOf(
  2,
  `not ${IS_UNDELIVERED} and not exists (
    select from webhook_deliveries d where d.event_id = e.event_id and d.endpoint_id = r.endpoint_id and d.job_id = r.job_id
  )`,
);
