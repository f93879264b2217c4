import { IS_VALID, type KeyPowers, powersOf } from './keys';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';

export interface NewSession {
  /** SHA-256 of the token, 32 bytes. The token itself is never stored. */
  readonly tokenHash: Buffer;
  readonly keyId: string;
  /** Real time, as all times here. */
  readonly createdRealAt: number;
  readonly endsRealAt: number;
}

/** A session, and its key. */
export interface SessionRecord {
  readonly keyId: string;
  readonly usedRealAt: number;
  readonly endsRealAt: number;
  /** Of its key. */
  readonly powers: KeyPowers;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.query(
    `insert into sessions (token_hash, key_id, created_real_at, used_real_at, ends_real_at)
     values ($1, $2, $3, $3, $4)`,
    [session.tokenHash, session.keyId, instantToColumn(session.createdRealAt), instantToColumn(session.endsRealAt)],
  );
}

/** A session that opens nothing any more, and its key where that has a row. */
export interface OverSession extends Omit<SessionRecord, 'powers'> {
  readonly tokenHash: Buffer;
  readonly name: string | null;
  readonly revokedRealAt: number | null;
  readonly expiresRealAt: number | null;
}

/**
 * Removes sessions whose time is over, that were not used since `idleSince`, or whose key is not valid any more. One that
 * another process removes at the same moment is left to it.
 */
export async function removeOverSessions(
  db: Db,
  { realNow, idleSince }: { readonly realNow: number; readonly idleSince: number },
): Promise<readonly OverSession[]> {
  return readRecords<OverSession>(
    db,
    `delete from sessions using (
       select s.token_hash, k.name, k.revoked_real_at, k.expires_real_at
       from sessions s left join api_keys k on k.key_id = s.key_id
       where s.ends_real_at <= $1 or s.used_real_at <= $2 or not (${IS_VALID('$1')})
       for update of s skip locked
     ) as over
     where sessions.token_hash = over.token_hash
     returning over.token_hash, key_id, used_real_at, ends_real_at, over.name, over.revoked_real_at,
       over.expires_real_at`,
    [instantToColumn(realNow), instantToColumn(idleSince)],
  );
}

/** Null where there is none, its time is over, or its key was revoked or has ended. */
export async function findSession(db: Db, tokenHash: Buffer, realNow: number): Promise<SessionRecord | null> {
  return readRecord<SessionRecord>(
    db,
    `select s.key_id, s.used_real_at, s.ends_real_at, ${powersOf('powers.')}
     from sessions s join api_keys k on k.key_id = s.key_id
     where s.token_hash = $1 and s.ends_real_at > $2 and ${IS_VALID('$2')}`,
    [tokenHash, instantToColumn(realNow)],
  );
}

/** Notes that a person used it. Never earlier than what is noted: processes of the API may do so at once. */
export async function recordSessionUse(db: Db, tokenHash: Buffer, realAt: number): Promise<void> {
  await db.query('update sessions set used_real_at = $2 where token_hash = $1 and used_real_at < $2', [
    tokenHash,
    instantToColumn(realAt),
  ]);
}

/** @returns whether there was one */
export async function deleteSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('delete from sessions where token_hash = $1', [tokenHash]);
  return rowCount === 1;
}
