import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { deleteEndpoints } from '../webhooks/endpoints';
import { placeEvents, skipSequences } from '../webhooks/feed';
import { DELIVERING_NOTICE, endUnrecordableItems } from '../attention/unrecordable';
import { closeAllNotices } from '../rows/closed-notices';
import { type Db, readRecord, readValue, readValues } from '../sql/statements';
import { insertEvent } from '../audit/entries';
import { endHaltItem, lockHalt, openHaltItem, recordSendingSince } from '../halt/halt';
import { isUnstartedCopy } from '../sql/installation';

/** A setting that connects a process to the outside: a credential, or an address that messages are sent to. */
export interface OutsideSetting {
  /** The name of its variable. */
  readonly name: string;
  readonly value: string;
}

export interface CopyAccepted {
  readonly notices: number;
  readonly endpoints: number;
}

/**
 * Declares that this ledger is a copy of another installation's: its endpoints are deleted with their secrets, its messages are
 * closed, and the credentials and addresses of the original are refused from now on. Nothing is sent until a process has started
 * with other settings, see {@link registerSettings}.
 */
export async function acceptAsCopy(
  pool: Pool,
  { at, reason, ...actor }: Actor & { readonly at: Instant; readonly reason: string },
): Promise<CopyAccepted> {
  const act = { ...actor, at };
  return inTransaction(pool, async (db) => {
    await lockHalt(db);
    const endpoints = await deleteEndpoints(db, act);
    const closed = await closeAllNotices(db, act);
    await endUnrecordableItems(db, DELIVERING_NOTICE, closed);
    const notices = closed.length;
    await skipSequences(db);
    await db.query('update used_settings set is_refused = true');
    await db.query('update installation set copied_real_at = clock_timestamp(), copy_waits = true');
    await db.query(
      `update restore_guard set identity = coalesce(ledger_identity(), identity), accepted_real_at = clock_timestamp(),
         noticed_identity = null, noticed_at = null, noticed_real_at = null, reason = null`,
    );
    await openHaltItem(db, at);
    await insertEvent(db, {
      ...act,
      subscriptionId: null,
      type: 'ledger.copied',
      data: { reason, endpoints, notices },
    });
    return { endpoints, notices };
  });
}

/** The result of registering the settings of a starting process. */
export type SettingsResult =
  | { readonly kind: 'registered' }
  /** These variables have the values of the original ledger. */
  | { readonly kind: 'refused'; readonly names: readonly string[] }
  /** A copy can never be production. */
  | { readonly kind: 'production' };

/**
 * Records the settings with which a process works on this ledger, as keyed hashes, or refuses them if the ledger is a
 * copy and they are those of the original, or the process is production. The first process that starts on a copy with
 * other settings ends the wait, so that the copy may send.
 */
export async function registerSettings(
  pool: Pool,
  settings: readonly OutsideSetting[],
  { isProduction, at }: { readonly isProduction: boolean; readonly at: Instant },
): Promise<SettingsResult> {
  const { checked, isWaitOver } = await inTransaction(pool, async (db) => {
    // Declaring the ledger a copy takes the same lock: if it came first, it is seen here; if it comes later, it refuses what is
    // registered here.
    await lockHalt(db);
    const found = await checkSettings(db, settings, isProduction);
    if (found.kind !== 'registered') return { checked: found, isWaitOver: false };
    await db.query(
      `insert into used_settings (name, hash) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
      await hashesOf(db, settings),
    );
    if (!(await isUnstartedCopy(db))) return { checked: found, isWaitOver: false };
    await db.query('update installation set copy_waits = false');
    await recordSendingSince(db, at);
    await endHaltItem(db);
    return { checked: found, isWaitOver: true };
  });
  // Endpoints created from now on start after the events of the original.
  if (isWaitOver) while ((await placeEvents(pool)) > 0);
  return checked;
}

/** Whether a process may work on this ledger with its settings; checked again while it runs. */
export async function checkSettings(
  db: Db,
  settings: readonly OutsideSetting[],
  isProduction: boolean,
): Promise<SettingsResult> {
  const copied = await readRecord(db, 'select from installation where copied_real_at is not null');
  if (copied === null) return { kind: 'registered' };
  if (isProduction) return { kind: 'production' };
  const names = await readValues<string>(
    db,
    `select u.name from used_settings u join unnest($1::text[], $2::text[]) as given (name, hash) using (name, hash)
     where u.is_refused order by u.name`,
    await hashesOf(db, settings),
  );
  return names.length === 0 ? { kind: 'registered' } : { kind: 'refused', names };
}

/** Names and hashes, as columns. The values themselves never reach PostgreSQL, whose log may show parameters (rule 28). */
async function hashesOf(db: Db, settings: readonly OutsideSetting[]): Promise<[string[], string[]]> {
  const key = await readValue<string>(db, 'select settings_key from installation');
  if (key === null) throw new Error('installation has no row, although its migration creates one');
  const hashOf = ({ name, value }: OutsideSetting) =>
    createHmac('sha256', key).update(`${name}=${value}`).digest('hex');
  return [settings.map(({ name }) => name), settings.map(hashOf)];
}
