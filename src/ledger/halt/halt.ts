import type { Pool } from 'pg';
import { type Instant, toIso } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { codeOf, inTransaction, PLANNED_ONCE } from '../sql/database';
import { instantToColumn, type Db, readRecord } from '../sql/statements';
import { endItem, openItem } from '../rows/attention-item';
import { DUEDAY, insertEvent } from '../audit/entries';
import { IS_RESTORED } from '../sql/installation';

/** All sending of the installation stands still. */
export interface Halt {
  /** Business time. */
  readonly since: Instant;
  /** The name of the key that halted, or `dueday` where the ledger was restored. */
  readonly by: string;
  readonly reason: string;
}

/** Who halts or lifts, when and why. */
export interface HaltOrder extends Actor {
  /** Business time. */
  readonly at: Instant;
}

export interface HaltResult {
  /** The one that stands: where it was halted already, the earlier one. */
  readonly halt: Halt;
  /**
   * False where a send that began before the halt has not ended its transaction yet, so that its row may still come. No
   * later one starts; asked again, the halt waits for it anew.
   */
  readonly isSettled: boolean;
}

/** Each transaction that begins a send shares this lock until its end: "dued" in ASCII, and a number of its own. */
const SENDERS = '1685415268, 1';

/**
 * How a transaction begins that may commit a row "sending". The lock comes first and the halt is read in a later statement:
 * under `read committed` a statement sees what was committed before it began, and not what came while it waited for a lock.
 * The lock ends with the transaction, so that a pooler may share the connection.
 */
export const BEGIN_SENDING = `begin isolation level read committed; ${PLANNED_ONCE}; select pg_advisory_xact_lock_shared(${SENDERS})`;

const HALT_ITEM = 'halt';

const SETTLE_PATIENCE_MS = 5_000;

const ORDERED = 'select since, halted_by as by, reason from halt';

/** Before any process has noticed it, a restore stands since the last entry that is left. */
const STANDING = `
  select since, by, reason from (
    select 1 as place, * from (${ORDERED}) as ordered
    union all
    select 2, coalesce(g.noticed_at, last.at, clock_timestamp()), '${DUEDAY}', case
        when i.copy_waits and g.noticed_at is null
          then 'it is a copy, and waits for a process that starts with credentials of its own'
        else coalesce(g.reason, 'the ledger was restored')
      end
    from (values (true)) as one
    left join restore_guard g on true
    left join installation i on true
    left join lateral (select at from events order by id desc limit 1) as last on true
    where ${IS_RESTORED}
  ) as standing order by place limit 1`;

/** The one that a person ordered, or else that of a restore. Null where sending goes on. */
export async function readHalt(db: Db): Promise<Halt | null> {
  return readRecord(db, STANDING);
}

/**
 * Stops all sending, and waits for the sends that began before: once it is settled, no row "sending" is committed until
 * the halt is lifted. The halt is committed before the wait, so that no new send joins those that are waited for.
 * @param patienceMs real ms of waiting for sends that began before
 */
export async function haltSending(
  pool: Pool,
  order: HaltOrder & { readonly reason: string },
  patienceMs = SETTLE_PATIENCE_MS,
): Promise<HaltResult> {
  const halt = await writeHalt(pool, order);
  return { halt, isSettled: await waitForSenders(pool, patienceMs) };
}

/**
 * Lifts what a person ordered; that of a restore stands until it is accepted.
 * @returns the halt that was lifted; null where there was none.
 */
export async function liftHalt(
  pool: Pool,
  { reason, ...act }: HaltOrder & { readonly reason: string | null },
): Promise<Halt | null> {
  return inTransaction(pool, async (db) => {
    const halt = await lockHalt(db);
    if (halt === null) return null;
    await db.query('delete from halt');
    await recordSendingSince(db, act.at);
    const data = { reason, since: toIso(halt.since), by: halt.by };
    await insertEvent(db, { ...act, subscriptionId: null, type: 'halt.lifted', data });
    await endHaltItem(db);
    return halt;
  });
}

/** What fell due while sending was halted counts as due from then on. */
export async function recordSendingSince(db: Db, at: Instant): Promise<void> {
  await db.query('update installation set sending_since = $1', [instantToColumn(at)]);
}

function writeHalt(pool: Pool, { reason, ...act }: HaltOrder & { readonly reason: string }): Promise<Halt> {
  return inTransaction(pool, async (db) => {
    const { actor, at } = act;
    const standing = await lockHalt(db);
    if (standing !== null) return standing;
    const values = [instantToColumn(at), actor, reason];
    await db.query('insert into halt (since, halted_by, reason) values ($1, $2, $3)', values);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'halt.begun', data: { reason } });
    await openHaltItem(db, at);
    return { since: at, by: actor, reason };
  });
}

/**
 * Of several that halt or lift, one comes after the other. Those that only read do not wait.
 * @returns what a person ordered
 */
export async function lockHalt(db: Db): Promise<Halt | null> {
  await db.query('lock table halt in share row exclusive mode');
  return readRecord(db, ORDERED);
}

/** One item for all that halts. The halt is locked by the caller. */
export function openHaltItem(db: Db, at: Instant): Promise<void> {
  return openItem(db, { key: HALT_ITEM, source: 'halt', kind: 'sending_halted' }, at);
}

/** Once nothing halts any more. The halt is locked by the caller. */
export async function endHaltItem(db: Db): Promise<void> {
  if ((await readHalt(db)) === null) await endItem(db, HALT_ITEM);
}

/** False where one of them takes longer than the patience: a frozen process, until PostgreSQL ends its transaction. */
async function waitForSenders(pool: Pool, patienceMs: number): Promise<boolean> {
  const opening = `begin; set local lock_timeout = ${patienceMs}`;
  try {
    await inTransaction(pool, (db) => db.query(`select pg_advisory_xact_lock(${SENDERS})`), opening);
    return true;
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
