import type { Pool } from 'pg';
import type { Instant } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, readValue } from '../sql/statements';
import { insertEvent } from '../audit/entries';

/**
 * The id of the Temporal namespace in which the workflows of this ledger run. If none is known yet, stores and returns the given
 * one.
 */
export async function claimNamespace(db: Db, namespaceId: string): Promise<string> {
  await db.query('update installation set temporal_namespace_id = $1 where temporal_namespace_id is null', [
    namespaceId,
  ]);
  return (await readNamespace(db)) ?? namespaceId;
}

/** Null until the first process has started. */
export function readNamespace(db: Db): Promise<string | null> {
  return readValue<string>(db, 'select temporal_namespace_id from installation');
}

/**
 * Accepts another Temporal namespace as the one in which the workflows of this ledger run, with an audit entry.
 * @returns the previous one; null if there was none
 */
export async function acceptNamespace(
  pool: Pool,
  namespaceId: string,
  { reason, at, ...actor }: Actor & { readonly reason: string; readonly at: Instant },
): Promise<string | null> {
  return inTransaction(pool, async (db) => {
    await db.query('select from installation for update');
    const was = await readNamespace(db);
    if (was === namespaceId) return was;
    await db.query('update installation set temporal_namespace_id = $1', [namespaceId]);
    const data = { namespaceId, was, reason };
    await insertEvent(db, { ...actor, at, subscriptionId: null, type: 'temporal.accepted', data });
    return was;
  });
}
