import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, readRecord } from '../sql/statements';
import { type Act, insertEvent } from '../audit/entries';

/** A replay and its progress. */
export interface ReplayRecord {
  readonly jobId: string;
  readonly endpointId: string;
  readonly state: 'running' | 'finished' | 'stopped';
  /** Events that were delivered or given up. */
  readonly done: number;
  readonly total: number;
  /** Those among them that had not been delivered before. */
  readonly newDone: number;
  readonly newTotal: number;
  /** Events that were given up. */
  readonly dead: number;
  /** Business time of the events, inclusive; `until` is exclusive. */
  readonly since: Instant;
  readonly until: Instant | null;
  readonly actor: string;
  /** Business time. */
  readonly startedAt: Instant;
}

/** Null if there is none with this id. */
export async function readReplay(db: Db, jobId: string): Promise<ReplayRecord | null> {
  return readRecord<ReplayRecord>(
    db,
    `select r.job_id, r.endpoint_id, d.done, r.total, d.new_done, r.new_total, d.dead, r.since, r.until, r.actor, r.started_at,
       case when r.state = 'stopped' then 'stopped'
            when r.state = 'queued' and d.pending = 0 then 'finished' else 'running' end as state
     from event_replays r, lateral (
       select count(*) filter (where state <> 'pending') as done, count(*) filter (where state = 'dead') as dead,
         count(*) filter (where state = 'pending') as pending,
         count(*) filter (where state <> 'pending' and rank = 1) as new_done
       from webhook_deliveries where job_id = r.job_id
     ) d where r.job_id = $1`,
    [jobId],
  );
}

/**
 * Stops a replay: nothing more is sent, and a try under way is finished.
 * @returns the replay after this call; null if there is none with this id
 */
export async function stopReplay(pool: Pool, jobId: string, act: Act): Promise<ReplayRecord | null> {
  return inTransaction(pool, async (db) => {
    await db.query('select from event_replays where job_id = $1 for update', [jobId]);
    const replay = await readReplay(db, jobId);
    if (replay?.state !== 'running') return replay;
    const { endpointId } = replay;
    await db.query(`update event_replays set state = 'stopped' where job_id = $1`, [jobId]);
    await db.query(`delete from webhook_deliveries where job_id = $1 and state = 'pending'`, [jobId]);
    const data = { endpointId, jobId };
    await insertEvent(db, { ...act, subscriptionId: null, type: 'events.replay_stopped', data });
    return { ...replay, state: 'stopped' };
  });
}
