import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { toIso } from '../../domain/time';
import { inTransaction } from '../database';
import { type Db, instantToColumn, jsonToColumn, readRecord } from '../statements';
import { type Act, insertEvent } from '../trail';
import { type MerchantEventType, typesMatching } from './catalogue';
import { ENV, type EndpointRecord } from './endpoints';
import { sampleData } from './envelope';
import { subjectOf } from './feed';
import type { ReplayRecord } from './replays';

/** Positions looked through at once. */
const AT_ONCE = 500;

/**
 * Makes deliveries of what was placed, for one endpoint that lags; a second process takes another endpoint.
 * @returns false where no endpoint lags, but for those that another process has locked.
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

/** What goes one at a time; an event of no subject waits for none. */
const SUBJECT = `coalesce(${subjectOf('e')}, 'event/' || e.event_id)`;

/** A live one goes before a replay of its subject that waits. */
const FAN_OUT = `
  with wanted as (
    select e.event_id, e.position, coalesce(e.sequence, 0) as place, ${SUBJECT} as subject
    from merchant_events e where e.position > $2 and e.position <= $3 and e.type = any ($4)
  ), queued as (
    insert into webhook_queues as q (endpoint_id, subject, again, next_try_real_at)
    select distinct $1, subject, false, now() from wanted order by subject
    on conflict (endpoint_id, subject) do update set again = false,
      next_try_real_at = case when q.again then excluded.next_try_real_at else q.next_try_real_at end
  )
  insert into webhook_deliveries (endpoint_id, event_id, subject, place)
  select $1, event_id, subject, place from wanted order by position
  on conflict do nothing`;

/** Behind everything live: a subject that has something pending already keeps its turn. */
const AGAIN = (wanted: string) => `
  with wanted as (${wanted}), queued as (
    insert into webhook_queues (endpoint_id, subject, again, next_try_real_at)
    select distinct $1, subject, true, now() from wanted order by subject
    on conflict (endpoint_id, subject) do update set subject = excluded.subject
  )
  insert into webhook_deliveries (endpoint_id, event_id, subject, place, again, job_id)
  select $1, event_id, subject, place, true, job_id from wanted order by position
  returning delivery_id`;

export interface QueuedDelivery {
  readonly eventId: string;
  readonly deliveryId: number;
}

/** Sends an event to an endpoint once more. The caller has found both. */
export async function resendEvent(pool: Pool, endpointId: string, eventId: string, act: Act): Promise<QueuedDelivery> {
  const again = AGAIN(
    `select e.event_id, e.position, coalesce(e.sequence, 0) as place, ${SUBJECT} as subject, null::uuid as job_id
     from merchant_events e where e.event_id = $2`,
  );
  return inTransaction(pool, async (db) => {
    const queued = await queuedDelivery(db, eventId, again, [endpointId, eventId]);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'event.resent', data: { endpointId, eventId } });
    return queued;
  });
}

/** Sends one endpoint a sample of a type, which no other gets and no list shows. */
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
      // The sample of an event about endpoints names the one that gets it.
      jsonToColumn({ ...sampleData(type), ...(type.startsWith('endpoint.') ? { endpointId } : {}) }),
    ]);
    const subject = `event/${eventId}`;
    await db.query(
      'insert into webhook_queues (endpoint_id, subject, again, next_try_real_at) values ($1, $2, false, now())',
      [endpointId, subject],
    );
    const made = `insert into webhook_deliveries (endpoint_id, event_id, subject, place) values ($1, $2, $3, 0) returning delivery_id`;
    const queued = await queuedDelivery(db, eventId, made, [endpointId, eventId, subject]);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'endpoint.tested', data: { endpointId, type } });
    return queued;
  });
}

async function queuedDelivery(db: Db, eventId: string, sql: string, values: unknown[]): Promise<QueuedDelivery> {
  const row = await readRecord<{ readonly deliveryId: number }>(db, sql, values);
  if (row === null) throw new Error(`the event ${eventId} was found and is gone`);
  return { eventId, deliveryId: row.deliveryId };
}

export interface NewReplay extends Pick<ReplayRecord, 'jobId' | 'endpointId' | 'since' | 'until'> {
  readonly types: readonly MerchantEventType[];
  /** Only events of which the endpoint has a dead letter, and that were never delivered to it. */
  readonly onlyFailed: boolean;
}

const SOUGHT = `e.position is not null and e.type = any (r.types) and e.at >= r.since and (r.until is null or e.at < r.until)
  and (not r.only_failed or (
    exists (select from webhook_deliveries d
      where d.event_id = e.event_id and d.endpoint_id = r.endpoint_id and d.state = 'dead')
    and not exists (select from webhook_deliveries d
      where d.event_id = e.event_id and d.endpoint_id = r.endpoint_id and d.state <> 'dead')
  ))`;

/** Orders that events be delivered again, by the process that delivers. */
export async function orderReplay(pool: Pool, replay: NewReplay, act: Act): Promise<void> {
  const { jobId, endpointId, types, since, until, onlyFailed } = replay;
  await inTransaction(pool, async (db) => {
    const row = await readRecord<{ readonly total: number }>(
      db,
      `with r as (
         insert into event_replays (job_id, endpoint_id, types, since, until, only_failed, place, last, total, actor, begun_at)
         select $1, $2, $3, $4, $5, $6, purged, placed, 0, $7, $8 from event_feed returning *
       )
       select count(e.number) as total from r left join merchant_events e on e.position <= r.last and ${SOUGHT}`,
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
    const total = row?.total ?? 0;
    await db.query('update event_replays set total = $2 where job_id = $1', [jobId, total]);
    const data = { endpointId, jobId, total, since: toIso(since) };
    await insertEvent(db, { ...act, subscriptionId: null, type: 'events.replay_ordered', data });
  });
}

/**
 * Queues the next events of the oldest replay. @returns false where there is none, but for those that another process
 * has locked.
 */
export async function queueReplay(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const replay = await readRecord<Queueing>(
      db,
      `select job_id, endpoint_id, place, last from event_replays where state = 'running'
       order by created_real_at limit 1 for no key update skip locked`,
    );
    if (replay === null) return false;
    const { jobId, endpointId, place, last } = replay;
    const to = Math.min(last, place + AT_ONCE);
    await db.query(QUEUE_REPLAY, [endpointId, jobId, place, to]);
    await db.query(
      `update event_replays set place = $2, state = case when $2 >= last then 'queued' else state end where job_id = $1`,
      [jobId, to],
    );
    return true;
  });
}

interface Queueing extends Pick<ReplayRecord, 'jobId' | 'endpointId'> {
  readonly place: number;
  readonly last: number;
}

const QUEUE_REPLAY = AGAIN(
  `select e.event_id, e.position, coalesce(e.sequence, 0) as place, ${SUBJECT} as subject, r.job_id
   from event_replays r join merchant_events e on e.position > $3 and e.position <= $4 and ${SOUGHT}
   where r.job_id = $2`,
);
