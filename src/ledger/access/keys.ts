import type { Money } from '../../domain/money';
import { instantToColumn, type Db, readRecord, readRecords } from '../sql/statements';

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What of its role a key may do. */
export const SCOPES = [
  'subscriptions:create',
  'subscriptions:steer',
  'payments:create',
  'payments:capture',
  'refunds',
  'imports',
  'reports',
  'bulk',
  'notices',
  'attention',
  'payers:read',
  'payers:erase',
  'endpoints',
  'events',
  'audit',
  'keys',
  'approvals',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a key allows, and in whose name. */
export interface KeyPowers {
  readonly name: string;
  readonly role: Role;
  /** The person who has it. */
  readonly holder: string | null;
  /** Empty: the whole role. */
  readonly scopes: readonly Scope[];
  /** What may be refunded with it in 24 hours of real time; null: any. */
  readonly refundPerDayAmount: Money | null;
  /** By how much one call may change what is collected; null: any. */
  readonly changePerCallAmount: Money | null;
  /** Real time; null: it does not end by itself. */
  readonly expiresRealAt: number | null;
  /** Of keys that have replaced one another the first, which answers for all of them; its own id where it is that. */
  readonly firstKeyId: string;
  /** Configured by `ADMIN_BOOTSTRAP_KEY`: good only while it is. */
  readonly isBootstrap: boolean;
}

/** Never holds the hash. */
export interface KeyRecord extends KeyPowers {
  readonly keyId: string;
  /** How the key begins; null for the bootstrap key. */
  readonly prefix: string | null;
  readonly createdRealAt: number;
  readonly revokedRealAt: number | null;
  readonly lastUsedRealAt: number | null;
  /** The key in whose place it came. */
  readonly replaces: string | null;
}

/** SHA-256 of the key, 32 bytes, and how it begins. The key itself is never stored. */
export interface KeySecret {
  readonly keyId: string;
  readonly hash: Buffer;
  readonly prefix: string;
}

export interface NewKey extends KeySecret, Omit<KeyPowers, 'firstKeyId' | 'isBootstrap'> {
  readonly createdRealAt: number;
  /** The key that creates it; null: the command line does. */
  readonly createdBy: string | null;
}

/** How often a key in use is written down as used. */
const USE_STEP_MS = 60_000;

/** Of {@link KeyPowers}, of `api_keys k`. @param group that the fields go to, with its dot */
export function powersOf(group = ''): string {
  const columns = [
    'name',
    'role',
    'holder',
    'scopes',
    'refund_per_day_amount',
    'change_per_call_amount',
    'expires_real_at',
    'is_bootstrap',
  ];
  const own = columns.map((column) => `k.${column} as "${group}${column}"`);
  return [...own, `coalesce(k.first_key_id, k.key_id) as "${group}first_key_id"`].join(', ');
}

const COLUMNS = `k.key_id, ${powersOf()}, k.prefix, k.created_real_at, k.revoked_real_at,
  k.last_used_real_at, k.replaces`;

/** Of a row `k` of `api_keys`; one that is not there counts as valid. @param now the parameter that holds real time */
export const IS_VALID = (now: string) =>
  `k.revoked_real_at is null and (k.expires_real_at is null or k.expires_real_at > ${now})`;

/** A name that another key has, or has had, is taken. @returns false: nothing was written */
export async function insertKey(db: Db, key: NewKey): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into api_keys (
       key_id, name, name_key, role, hash, prefix, holder, scopes, refund_per_day_amount, change_per_call_amount,
       expires_real_at, created_real_at, created_by
     )
     select $1, $2, key_name($2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
     where not exists (select from api_keys where key_name(name) = key_name($2))
     on conflict (name_key) do nothing`,
    [
      ...[key.keyId, key.name, key.role, key.hash, key.prefix, key.holder, key.scopes],
      ...[key.refundPerDayAmount?.value ?? null, key.changePerCallAmount?.value ?? null],
      ...[instantToColumn(key.expiresRealAt), instantToColumn(key.createdRealAt), key.createdBy],
    ],
  );
  return rowCount === 1;
}

/** @returns false where it stands in the ledger already, revoked or not: nothing was written */
export async function insertBootstrapKey(
  db: Db,
  { keyId, hash, name, createdRealAt }: Pick<NewKey, 'keyId' | 'hash' | 'name' | 'createdRealAt'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into api_keys (key_id, hash, name, role, is_bootstrap, created_real_at)
     values ($1, $2, $3, 'admin', true, $4) on conflict do nothing`,
    [keyId, hash, name, instantToColumn(createdRealAt)],
  );
  return rowCount === 1;
}

/** Whether there is an admin key that is good, besides the bootstrap key. @param realNow real time */
export async function hasAdminKey(db: Db, realNow: number): Promise<boolean> {
  await lockAdminKeys(db);
  const row = await readRecord(
    db,
    `select 1 from api_keys k where role = 'admin' and not is_bootstrap and ${IS_VALID('$1')} limit 1`,
    [instantToColumn(realNow)],
  );
  return row !== null;
}

/** Ends those that have no end, all but one where that is given. @param endsRealAt real time @returns those that end by it */
export async function endBootstrapKeys(
  db: Db,
  endsRealAt: number,
  but: string | null = null,
): Promise<readonly KeyRecord[]> {
  await lockAdminKeys(db);
  return readRecords(
    db,
    `update api_keys k set expires_real_at = $1
     where is_bootstrap and revoked_real_at is null and expires_real_at is null and key_id is distinct from $2
     returning ${COLUMNS}`,
    [instantToColumn(endsRealAt), but],
  );
}

/** A key in place of another one, as {@link replaceKey} makes it. All times are real. */
export interface KeyReplacement extends KeySecret {
  /** The key that ends. */
  readonly replaces: string;
  /** When it ends, unless it does so earlier. */
  readonly overlapUntil: number;
  readonly at: number;
  /** The key with which it is rotated; null: the command line does. */
  readonly createdBy: string | null;
}

/** The same name, role, scopes, limits and end under a new secret; the old one ends. The caller has locked the old one. */
export async function replaceKey(
  db: Db,
  { keyId, hash, prefix, replaces, overlapUntil, at, createdBy }: KeyReplacement,
): Promise<void> {
  await db.query(
    `insert into api_keys (
       key_id, hash, prefix, created_real_at, name, role, holder, scopes, refund_per_day_amount, change_per_call_amount,
       expires_real_at, replaces, first_key_id, created_by
     )
     select $1, $2, $3, $4, name, role, holder, scopes, refund_per_day_amount, change_per_call_amount,
       expires_real_at, key_id, coalesce(first_key_id, key_id), $6
     from api_keys where key_id = $5`,
    [keyId, hash, prefix, instantToColumn(at), replaces, createdBy],
  );
  await db.query('update api_keys set expires_real_at = least(expires_real_at, $2) where key_id = $1', [
    replaces,
    instantToColumn(overlapUntil),
  ]);
}

/** Locked until the transaction ends; null where there is none. */
export async function lockKey(db: Db, keyId: string): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where key_id = $1 for update`, [keyId]);
}

/** Null where there is none. */
export async function getKey(db: Db, keyId: string): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where key_id = $1`, [keyId]);
}

/** The key in its place that was not revoked; null where there is none. */
export async function findSuccessor(db: Db, keyId: string): Promise<Pick<KeyRecord, 'keyId'> | null> {
  return readRecord(db, 'select key_id from api_keys where replaces = $1 and revoked_real_at is null', [keyId]);
}

/** Whether a key of this line is neither revoked nor over. @param realNow real time */
export async function hasValidKey(db: Db, firstKeyId: string, realNow: number): Promise<boolean> {
  const row = await readRecord(
    db,
    `select 1 from api_keys k where coalesce(first_key_id, key_id) = $1 and ${IS_VALID('$2')} limit 1`,
    [firstKeyId, instantToColumn(realNow)],
  );
  return row !== null;
}

/** Null where no key has this hash, or it is revoked, or has ended by then. @param realNow real time */
export async function findKeyByHash(db: Db, hash: Buffer, realNow: number): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where hash = $1 and ${IS_VALID('$2')}`, [
    hash,
    instantToColumn(realNow),
  ]);
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
  return readRecords(db, `select ${COLUMNS} from api_keys k order by created_real_at, key_id`);
}

/** "dued" in ASCII, and a number of its own. */
const ADMIN_KEYS = '1685415268, 2';

/** No other transaction counts admin keys, or ends the bootstrap key, until this one ends. */
async function lockAdminKeys(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${ADMIN_KEYS})`);
}

/**
 * Admin keys that were ever made, revoked ones too; of those that replaced one another the first; not the bootstrap key.
 * No other transaction counts until this one ends.
 */
export async function countAdminKeys(db: Db): Promise<number> {
  await lockAdminKeys(db);
  const row = await readRecord<{ readonly made: number }>(
    db,
    `select count(*) as made from api_keys where role = 'admin' and replaces is null and not is_bootstrap`,
  );
  return row?.made ?? 0;
}

/** Revoking again keeps the first instant. @returns null where there is no such key. */
export async function revokeKey(db: Db, keyId: string, realAt: number): Promise<KeyRecord | null> {
  return readRecord(
    db,
    `update api_keys k set revoked_real_at = coalesce(revoked_real_at, $2) where key_id = $1 returning ${COLUMNS}`,
    [keyId, instantToColumn(realAt)],
  );
}
