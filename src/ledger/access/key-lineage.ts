import { instantToColumn, type Db, readRecord } from '../sql/statements';
import { IS_VALID, type KeyRecord, type KeySecret } from './keys';

/** A replacement of a key, see {@link replaceKey}. All times are real. */
export interface KeyReplacement extends KeySecret {
  /** The key that ends. */
  readonly replaces: string;
  /** When the replaced key ends, unless it expires earlier. */
  readonly overlapUntil: number;
  readonly at: number;
  /** When the new key ends, see {@link readExpiryOfLineage}. */
  readonly expiresRealAt: number | null;
  /** The key with which it is rotated; null: the command line. */
  readonly createdBy: string | null;
}

/**
 * When a replacement of this key must end: when the newest key of its line does. Only replaced keys end earlier, after their
 * overlap.
 * @returns real time; null: never
 */
export async function readExpiryOfLineage(
  db: Db,
  { firstKeyId }: Pick<KeyRecord, 'firstKeyId'>,
): Promise<number | null> {
  const unreplaced = await readRecord<Pick<KeyRecord, 'expiresRealAt'>>(
    db,
    `select k.expires_real_at from api_keys k
     where coalesce(k.first_key_id, k.key_id) = $1 and not exists (select from api_keys where replaces = k.key_id)
     limit 1`,
    [firstKeyId],
  );
  if (unreplaced === null) throw new Error(`the lineage of key ${firstKeyId} has no key that was not replaced`);
  return unreplaced.expiresRealAt;
}

/**
 * Creates a key with the name, role, holder, scopes and limits of another key, which expires after the overlap. The
 * caller has locked that other key.
 */
export async function replaceKey(
  db: Db,
  { keyId, hash, prefix, replaces, overlapUntil, at, expiresRealAt, createdBy }: KeyReplacement,
): Promise<void> {
  await db.query(
    `insert into api_keys (
       key_id, hash, prefix, created_real_at, name, role, holder, scopes, refund_per_day_amount, change_per_call_amount,
       expires_real_at, replaces, first_key_id, created_by
     )
     select $1, $2, $3, $4, name, role, holder, scopes, refund_per_day_amount, change_per_call_amount,
       $7, key_id, coalesce(first_key_id, key_id), $6
     from api_keys where key_id = $5`,
    [keyId, hash, prefix, instantToColumn(at), replaces, createdBy, instantToColumn(expiresRealAt)],
  );
  await db.query('update api_keys set expires_real_at = least(expires_real_at, $2) where key_id = $1', [
    replaces,
    instantToColumn(overlapUntil),
  ]);
}

/** The key that has replaced this key and was not revoked; null if there is none. */
export async function findSuccessor(db: Db, keyId: string): Promise<Pick<KeyRecord, 'keyId'> | null> {
  return readRecord(db, 'select key_id from api_keys where replaces = $1 and revoked_real_at is null', [keyId]);
}

/** Whether a key of this line is neither revoked nor expired. @param realNow real time */
export async function hasValidKey(db: Db, firstKeyId: string, realNow: number): Promise<boolean> {
  const row = await readRecord(
    db,
    `select 1 from api_keys k where coalesce(first_key_id, key_id) = $1 and ${IS_VALID('$2')} limit 1`,
    [firstKeyId, instantToColumn(realNow)],
  );
  return row !== null;
}
