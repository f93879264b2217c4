import { instantToColumn, type Db, queryOne } from './database';

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface NewKey {
  readonly keyId: string;
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the key, 32 bytes. The key itself is never stored. */
  readonly hash: Buffer;
  /** Real time. */
  readonly createdRealAt: number;
}

/** Never holds the hash. */
export interface KeyRecord {
  readonly keyId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdRealAt: number;
  readonly revokedRealAt: number | null;
  readonly lastUsedRealAt: number | null;
}

/** How often a key in use is written down as used. */
const USE_STEP_MS = 60_000;

const COLUMNS = 'key_id, name, role, created_real_at, revoked_real_at, last_used_real_at';

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db.query('insert into api_keys (key_id, name, role, hash, created_real_at) values ($1, $2, $3, $4, $5)', [
    key.keyId,
    key.name,
    key.role,
    key.hash,
    instantToColumn(key.createdRealAt),
  ]);
}

/** Null where no key has this hash, or it is revoked. */
export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyRecord | null> {
  const row = await queryOne<KeyRow>(
    db,
    `select ${COLUMNS} from api_keys where hash = $1 and revoked_real_at is null`,
    [hash],
  );
  return row === null ? null : toKey(row);
}

/** Notes that a key is in use, once a minute at most: no statement is run for every request. */
export async function recordKeyUse(db: Db, { keyId, lastUsedRealAt }: KeyRecord, realAt: number): Promise<void> {
  if (lastUsedRealAt !== null && lastUsedRealAt > realAt - USE_STEP_MS) return;
  await db.query(
    `update api_keys set last_used_real_at = $2
     where key_id = $1 and (last_used_real_at is null or last_used_real_at <= $3)`,
    [keyId, instantToColumn(realAt), instantToColumn(realAt - USE_STEP_MS)],
  );
}

/** All, revoked ones too, oldest first. */
export async function listKeys(db: Db): Promise<readonly KeyRecord[]> {
  const { rows } = await db.query<KeyRow>(`select ${COLUMNS} from api_keys order by created_real_at, key_id`, []);
  return rows.map(toKey);
}

/** Revoking again keeps the first instant. @returns null where there is no such key. */
export async function revokeKey(db: Db, keyId: string, realAt: number): Promise<KeyRecord | null> {
  const row = await queryOne<KeyRow>(
    db,
    `update api_keys set revoked_real_at = coalesce(revoked_real_at, $2) where key_id = $1 returning ${COLUMNS}`,
    [keyId, instantToColumn(realAt)],
  );
  return row === null ? null : toKey(row);
}

interface KeyRow {
  key_id: string;
  name: string;
  role: Role;
  created_real_at: number;
  revoked_real_at: number | null;
  last_used_real_at: number | null;
}

function toKey(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    name: row.name,
    role: row.role,
    createdRealAt: row.created_real_at,
    revokedRealAt: row.revoked_real_at,
    lastUsedRealAt: row.last_used_real_at,
  };
}
