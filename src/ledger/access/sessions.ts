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

/** A session and its key. */
export interface SessionRecord {
  readonly keyId: string;
  readonly usedRealAt: number;
  readonly endsRealAt: number;
  /** The permissions of its key. */
  readonly powers: KeyPowers;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await db.query(
    `insert into sessions (token_hash, key_id, created_real_at, used_real_at, ends_real_at)
     values ($1, $2, $3, $3, $4)`,
    [session.tokenHash, session.keyId, instantToColumn(session.createdRealAt), instantToColumn(session.endsRealAt)],
  );
}

/** A session that is no longer valid, and its key if the key still has a row. */
export interface EndedSession extends Omit<SessionRecord, 'powers'> {
  readonly tokenHash: Buffer;
  readonly name: string | null;
  readonly revokedRealAt: number | null;
  readonly expiresRealAt: number | null;
}

/**
 * Removes sessions that have expired, were not used since `idleSince`, or whose key is no longer valid. A session that another
 * process is removing is left to it.
 */
export async function removeEndedSessions(
  db: Db,
  { realNow, idleSince }: { readonly realNow: number; readonly idleSince: number },
): Promise<readonly EndedSession[]> {
  return readRecords<EndedSession>(
    db,
    `delete from sessions using (
       select s.token_hash, k.name, k.revoked_real_at, k.expires_real_at
       from sessions s left join api_keys k on k.key_id = s.key_id
       where s.ends_real_at <= $1 or s.used_real_at <= $2 or not (${IS_VALID('$1')})
       for update of s skip locked
     ) as ended
     where sessions.token_hash = ended.token_hash
     returning ended.token_hash, key_id, used_real_at, ends_real_at, ended.name, ended.revoked_real_at,
       ended.expires_real_at`,
    [instantToColumn(realNow), instantToColumn(idleSince)],
  );
}

/** Null if there is none, it has expired, or its key was revoked or has expired. */
export async function findSession(db: Db, tokenHash: Buffer, realNow: number): Promise<SessionRecord | null> {
  return readRecord<SessionRecord>(
    db,
    `select s.key_id, s.used_real_at, s.ends_real_at, ${powersOf('powers.')}
     from sessions s join api_keys k on k.key_id = s.key_id
     where s.token_hash = $1 and s.ends_real_at > $2 and ${IS_VALID('$2')}`,
    [tokenHash, instantToColumn(realNow)],
  );
}

/** Records its use. Never moves the time back, as several API processes may record at once. */
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
