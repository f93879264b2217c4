import type { Pool } from 'pg';
import { SECOND, toIso } from '../../domain/time';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords, readValues } from '../sql/statements';
import { type Act, insertEvent } from '../audit/entries';
import { dropDeadLetters, endDeadLetters, HAS_DEAD_LETTERS } from './dead-letters';

/** Id of the endpoint of `EVENT_WEBHOOK_URL`: read-only, and its notices are sent separately. */
export const ENV = 'env';
export const MAX_ENDPOINTS = 20;

/** An endpoint without its secrets. */
export interface EndpointRecord {
  readonly endpointId: string;
  /** Null for `env`. */
  readonly url: string | null;
  readonly description: string | null;
  /** Types, `*`, or all types of a subject such as `cycle.*`. */
  readonly types: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason: 'disabled_by_admin' | 'gone' | 'failing' | null;
  /** The first failed try since the last success; null if there was none. Real time, like `createdRealAt`. */
  readonly failingSinceReal: number | null;
  readonly createdRealAt: number;
}

/** What is needed to post to an endpoint; secrets in their stored form. */
export interface EndpointForDelivery {
  readonly url: string | null;
  readonly secret: string | null;
  /** Null once its overlap is over. */
  readonly previousSecret: string | null;
}

const COLUMNS = 'endpoint_id, url, description, types, enabled, disabled_reason, failing_since_real, created_real_at';

/** All endpoints, `env` first, then oldest first. */
export async function listEndpoints(db: Db): Promise<readonly EndpointRecord[]> {
  return readRecords<EndpointRecord>(
    db,
    `select ${COLUMNS} from webhook_endpoints order by endpoint_id <> '${ENV}', created_real_at, endpoint_id`,
  );
}

/** Null if there is none with this id. */
export async function readEndpoint(db: Db, endpointId: string): Promise<EndpointRecord | null> {
  return readRecord<EndpointRecord>(db, `select ${COLUMNS} from webhook_endpoints where endpoint_id = $1`, [
    endpointId,
  ]);
}

/** Null if there is none with this id, or it is disabled. */
export async function readForDelivery(db: Db, endpointId: string): Promise<EndpointForDelivery | null> {
  return readRecord<EndpointForDelivery>(
    db,
    `select url, secret,
       case when previous_until_real > clock_timestamp() then previous_secret end as previous_secret
     from webhook_endpoints where endpoint_id = $1 and enabled`,
    [endpointId],
  );
}

export interface NewEndpoint extends Pick<EndpointRecord, 'endpointId' | 'description' | 'types' | 'enabled'> {
  readonly url: string;
  /** The secret as it is stored. */
  readonly secret: string;
}

/** Creates an endpoint; it receives events positioned from now on. @returns null if there are already {@link MAX_ENDPOINTS} */
export async function insertEndpoint(pool: Pool, endpoint: NewEndpoint, act: Act): Promise<EndpointRecord | null> {
  const { endpointId, url, description, types, enabled, secret } = endpoint;
  return inTransaction(pool, async (db) => {
    await db.query('lock table webhook_endpoints in share row exclusive mode');
    const created = await readRecord<EndpointRecord>(
      db,
      `insert into webhook_endpoints (endpoint_id, url, description, types, enabled, disabled_reason, secret, fanned_out)
       select $1, $2, $3, $4, $5, case when not $5 then 'disabled_by_admin' end, $6, placed from event_feed
       where (select count(*) from webhook_endpoints where endpoint_id <> '${ENV}') < ${MAX_ENDPOINTS}
       returning ${COLUMNS}`,
      [endpointId, url, description, types, enabled, secret],
    );
    if (created !== null) await recordEvent(db, 'endpoint.created', act, { endpointId, types });
    return created;
  });
}

/**
 * Changes an endpoint. When enabled again, it continues with what was pending and receives events positioned from now on; events
 * from the time in which it was disabled must be replayed. Enabling it or changing its URL sends what is pending immediately, and
 * failures before that no longer count.
 * @returns null if there is none with this id
 */
export async function changeEndpoint(
  pool: Pool,
  endpointId: string,
  patch: Partial<Pick<NewEndpoint, 'url' | 'description' | 'types' | 'enabled'>>,
  act: Act,
): Promise<EndpointRecord | null> {
  const { url, description, types, enabled } = patch;
  return inTransaction(pool, async (db) => {
    const changed = await readRecord<EndpointRecord>(
      db,
      `update webhook_endpoints set
         url = coalesce($2, url), types = coalesce($4, types),
         description = case when $5 then $3 else description end,
         enabled = coalesce($6, enabled),
         disabled_reason = case when $6 then null when not $6 then coalesce(disabled_reason, 'disabled_by_admin') else disabled_reason end,
         failing_since_real = case when ($6 and not enabled) or $2 <> url then null else failing_since_real end,
         fanned_out = case when $6 and not enabled then (select placed from event_feed) else fanned_out end
       where endpoint_id = $1 returning ${COLUMNS}`,
      [endpointId, url ?? null, description ?? null, types ?? null, description !== undefined, enabled ?? null],
    );
    if (changed === null) return null;
    await recordEvent(db, 'endpoint.changed', act, { endpointId, changed: Object.keys(patch), enabled });
    if (url !== undefined || enabled === true) await hasten(db, endpointId);
    await endDeadLetters(db, endpointId);
    return changed;
  });
}

/** Deletes an endpoint with everything pending and its delivery records. @returns false if there is none with this id */
export async function deleteEndpoint(pool: Pool, endpointId: string, act: Act): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query('delete from webhook_endpoints where endpoint_id = $1', [endpointId]);
    if (rowCount !== 1) return false;
    await dropDeadLetters(db, endpointId);
    await recordEvent(db, 'endpoint.deleted', act, { endpointId });
    return true;
  });
}

/**
 * Deletes all endpoints but `env`, with their secrets, and everything pending, also for `env`: all belongs to another
 * installation.
 * @returns how many
 */
export async function deleteEndpoints(db: Db, act: Act): Promise<number> {
  const ids = await readValues<string>(
    db,
    `delete from webhook_endpoints where endpoint_id <> '${ENV}' returning endpoint_id`,
  );
  for (const endpointId of ids) {
    await dropDeadLetters(db, endpointId);
    await recordEvent(db, 'endpoint.deleted', act, { endpointId });
  }
  await db.query(`delete from webhook_queues where endpoint_id = '${ENV}'`);
  await db.query(`delete from webhook_deliveries where endpoint_id = '${ENV}'`);
  return ids.length;
}

/**
 * @param secret the new one, in its stored form
 * @param overlapUntilReal real time until which the previous secret also signs
 * @returns null if there is none with this id
 */
export async function rotateSecret(
  pool: Pool,
  endpointId: string,
  { secret, overlapUntilReal }: { readonly secret: string; readonly overlapUntilReal: number },
  act: Act,
): Promise<EndpointRecord | null> {
  return inTransaction(pool, async (db) => {
    const rotated = await readRecord<EndpointRecord>(
      db,
      `update webhook_endpoints set previous_secret = secret, previous_until_real = $3, secret = $2
       where endpoint_id = $1 returning ${COLUMNS}`,
      [endpointId, secret, instantToColumn(overlapUntilReal)],
    );
    if (rotated === null) return null;
    await recordEvent(db, 'endpoint.secret_rotated', act, { endpointId, overlapUntil: toIso(overlapUntilReal) });
    return rotated;
  });
}

async function recordEvent(
  db: Db,
  type: 'endpoint.created' | 'endpoint.changed' | 'endpoint.deleted' | 'endpoint.secret_rotated',
  act: Act,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await insertEvent(db, { ...act, subscriptionId: null, type, data });
}

/**
 * Whether a delivery would change the state of an endpoint: it is failing, was disabled, or has dead letters that wait for an
 * operator.
 */
export async function isTroubled(db: Db, endpointId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from webhook_endpoints w
     where endpoint_id = $1 and (failing_since_real is not null or was_disabled or ${HAS_DEAD_LETTERS})`,
    [endpointId],
  );
  return rowCount === 1;
}

/** Locks the endpoint: no other transaction changes its state until this one ends. */
export async function lockEndpoint(db: Db, endpointId: string): Promise<void> {
  await db.query('select from webhook_endpoints where endpoint_id = $1 for no key update', [endpointId]);
}

/** The health of the endpoint according to a batch of tries. */
interface Health {
  readonly delivered: boolean;
  /** Whether it answered 410. */
  readonly gone: boolean;
  /** Real ms of continuous failure after which it is disabled. */
  readonly disableAfter: number;
  /** Real ms after which it is probed, if it has started to fail. */
  readonly probeEvery: number;
  /** Real ms for which it asked not to be called, and so is not probed either. */
  readonly retryAfter: number;
}

/**
 * Records the health of an endpoint, and disables one that answered 410 or has failed for too long. The audit log says when an
 * endpoint was disabled, and when it recovered afterwards.
 */
export async function recordHealth(db: Db, endpointId: string, health: Health, act: Act): Promise<void> {
  if (health.delivered) await recordRecovery(db, endpointId, act);
  else await recordFailure(db, endpointId, act, health);
  if (health.gone) await disable(db, endpointId, 'gone', act);
}

async function recordRecovery(db: Db, endpointId: string, act: Act): Promise<void> {
  const row = await readRecord<{ readonly before: boolean }>(
    db,
    `update webhook_endpoints e set failing_since_real = null, was_disabled = false
     from (select was_disabled as before from webhook_endpoints where endpoint_id = $1 for update) as last
     where endpoint_id = $1 and (failing_since_real is not null or was_disabled) returning before`,
    [endpointId],
  );
  if (row !== null) await hastenAfterRecovery(db, endpointId);
  if (row?.before !== true) return;
  await insertEvent(db, { ...act, subscriptionId: null, type: 'endpoint.recovered', data: { endpointId } });
}

/** Keeps an event that the endpoint always refuses from being sent early after each event that it accepts. */
const HASTEN_INTERVAL = 30 * SECOND;

async function hastenAfterRecovery(db: Db, endpointId: string): Promise<void> {
  const { rowCount } = await db.query(
    `select from webhook_endpoints where endpoint_id = $1
       and (hastened_real_at is null or hastened_real_at < clock_timestamp() - make_interval(secs => $2))`,
    [endpointId, HASTEN_INTERVAL / 1000],
  );
  if (rowCount === 1) await hasten(db, endpointId);
}

/**
 * Makes everything pending for an endpoint due now, oldest first. Deliveries that wait for their next try are sent early; if that
 * fails, it does not count as a try. Deliveries being sent are left alone.
 */
export async function hasten(db: Db, endpointId: string): Promise<void> {
  await db.query('update webhook_endpoints set hastened_real_at = clock_timestamp() where endpoint_id = $1', [
    endpointId,
  ]);
  await db.query(
    `update webhook_queues q set next_try_real_at = q.since_real_at
     from (
       select endpoint_id, subject from webhook_queues
       where endpoint_id = $1 and next_try_real_at > clock_timestamp()
         and (claimed_until is null or claimed_until < clock_timestamp())
       order by subject for update skip locked
     ) as waiting where (q.endpoint_id, q.subject) = (waiting.endpoint_id, waiting.subject)`,
    [endpointId],
  );
}

/** A failure counts from the start of the transaction that writes it; the wait for the next try starts later. */
async function recordFailure(
  db: Db,
  endpointId: string,
  act: Act,
  { disableAfter, probeEvery, retryAfter }: Health,
): Promise<void> {
  const row = await readRecord<{ readonly since: number; readonly now: number }>(
    db,
    `update webhook_endpoints set failing_since_real = coalesce(failing_since_real, transaction_timestamp()),
       next_probe_real_at = greatest(
         case when failing_since_real is null or next_probe_real_at is null
           then clock_timestamp() + make_interval(secs => $2) else next_probe_real_at end,
         clock_timestamp() + make_interval(secs => $3)
       )
     where endpoint_id = $1 returning failing_since_real as since, transaction_timestamp() as now`,
    [endpointId, probeEvery / 1000, retryAfter / 1000],
  );
  if (row !== null && row.now - row.since >= disableAfter) await disable(db, endpointId, 'failing', act);
}

async function disable(db: Db, endpointId: string, reason: 'gone' | 'failing', act: Act): Promise<void> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set enabled = false, disabled_reason = $2, was_disabled = true
     where endpoint_id = $1 and enabled and endpoint_id <> '${ENV}'`,
    [endpointId, reason],
  );
  if (rowCount === 0) return;
  await insertEvent(db, { ...act, subscriptionId: null, type: 'endpoint.disabled', data: { endpointId, reason } });
}
