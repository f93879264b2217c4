import type { Pool } from 'pg';
import { type Instant, toIso } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { codeOf, inTransaction, PLANNED_ONCE } from '../sql/database';
import { instantToColumn, type Db, readRecord } from '../sql/statements';
import { endItem, openItem } from '../rows/attention-item';
import { DUEDAY, insertEvent } from '../audit/entries';
import { IS_RESTORED } from '../sql/installation';

/** All sending of the installation is halted. */
export interface Halt {
  /** Business time. */
  readonly since: Instant;
  /** The name of the key that halted, or `dueday` if the ledger was restored. */
  readonly by: string;
  readonly reason: string;
}

/** Who halts or lifts, and when. */
export interface HaltOrder extends Actor {
  /** Business time. */
  readonly at: Instant;
}

export interface HaltResult {
  /** The current halt: the earlier one if sending was halted already. */
  readonly halt: Halt;
  /**
   * False if the transaction of a send that started before the halt has not ended yet, so that its row may still appear. No later
   * send starts; a repeated request waits again for the earlier one.
   */
  readonly isSettled: boolean;
}

/** Each transaction that starts a send holds this shared lock until its end: "dued" in ASCII, and a number unique to this lock. */
const SENDERS = '1685415268, 1';

/**
 * The opening of a transaction that may commit a row "sending". The lock comes first and the halt is read in a later statement:
 * under `read committed` a statement sees what was committed before it started, not what was committed while it waited for a
 * lock. The lock ends with the transaction, so that a pooler may share the connection.
 */
export const BEGIN_SENDING = `begin isolation level read committed; ${PLANNED_ONCE}; select pg_advisory_xact_lock_shared(${SENDERS})`;

const HALT_ITEM = 'halt';

const SETTLE_TIMEOUT_MS = 5_000;

const SET_BY_OPERATOR = 'select since, halted_by as by, reason from halt';

/** The halt in force. A restore that no process has noticed yet counts as a halt since the last remaining audit entry. */
const CURRENT_HALT = `
  select since, by, reason from (
    select 1 as precedence, * from (${SET_BY_OPERATOR}) as by_operator
    union all
    select 2, coalesce(g.noticed_at, last.at, clock_timestamp()), '${DUEDAY}', case
        when i.copy_waits and g.noticed_at is null
          then 'it is a copy, and waits for a process that is started with its own credentials'
        else coalesce(g.reason, 'the ledger was restored')
      end
    from (values (true)) as one
    left join restore_guard g on true
    left join installation i on true
    left join lateral (select at from events order by id desc limit 1) as last on true
    where ${IS_RESTORED}
  ) as current_halt order by precedence limit 1`;

/** The halt set by an operator, or else that of a restore. Null if sending is not halted. */
export async function readHalt(db: Db): Promise<Halt | null> {
  return readRecord(db, CURRENT_HALT);
}

/**
 * Stops all sending, and waits for the sends that started before: once they have ended, no row "sending" is committed until the
 * halt is lifted. The halt is committed before the wait, so that no new send joins those that it waits for.
 * @param timeoutMs real ms to wait for sends that started before
 */
export async function haltSending(
  pool: Pool,
  order: HaltOrder & { readonly reason: string },
  timeoutMs = SETTLE_TIMEOUT_MS,
): Promise<HaltResult> {
  const halt = await writeHalt(pool, order);
  return { halt, isSettled: await waitForSenders(pool, timeoutMs) };
}

/**
 * Lifts the halt of an operator; that of a restore remains until the ledger is accepted.
 * @returns the halt that was lifted; null if there was none.
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

/** What fell due while sending was halted counts as due from this instant. */
export async function recordSendingSince(db: Db, at: Instant): Promise<void> {
  await db.query('update installation set sending_since = $1', [instantToColumn(at)]);
}

function writeHalt(pool: Pool, { reason, ...act }: HaltOrder & { readonly reason: string }): Promise<Halt> {
  return inTransaction(pool, async (db) => {
    const { actor, at } = act;
    const current = await lockHalt(db);
    if (current !== null) return current;
    const values = [instantToColumn(at), actor, reason];
    await db.query('insert into halt (since, halted_by, reason) values ($1, $2, $3)', values);
    await insertEvent(db, { ...act, subscriptionId: null, type: 'halt.started', data: { reason } });
    await openHaltItem(db, at);
    return { since: at, by: actor, reason };
  });
}

/**
 * Serializes the transactions that halt or lift. Readers do not wait.
 * @returns the halt set by an operator; null if there is none
 */
export async function lockHalt(db: Db): Promise<Halt | null> {
  await db.query('lock table halt in share row exclusive mode');
  return readRecord(db, SET_BY_OPERATOR);
}

/** Opens one item for all halts. The caller holds the lock of the halt. */
export function openHaltItem(db: Db, at: Instant): Promise<void> {
  return openItem(db, { key: HALT_ITEM, source: 'halt', kind: 'sending_halted' }, at);
}

/** Ends the item once nothing halts any more. The caller holds the lock of the halt. */
export async function endHaltItem(db: Db): Promise<void> {
  if ((await readHalt(db)) === null) await endItem(db, HALT_ITEM);
}

/**
 * Waits for the sends that started before: every later send sees what was committed before this call.
 * @param timeoutMs real ms
 * @returns false if one of them exceeds the time-out, such as that of a frozen process until PostgreSQL ends its
 * transaction.
 */
export async function waitForSenders(pool: Pool, timeoutMs = SETTLE_TIMEOUT_MS): Promise<boolean> {
  const opening = `begin; set local lock_timeout = ${timeoutMs}`;
  try {
    await inTransaction(pool, (db) => db.query(`select pg_advisory_xact_lock(${SENDERS})`), opening);
    return true;
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
