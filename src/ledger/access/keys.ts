import type { Money } from '../../domain/money';
import { instantToColumn, type Db, readRecord, readRecords } from '../sql/statements';

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The parts of its role that a key may use. */
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

/** The permissions of a key, and its name. */
export interface KeyPowers {
  readonly name: string;
  readonly role: Role;
  /** The person who holds it. */
  readonly holder: string | null;
  /** Empty: the whole role. */
  readonly scopes: readonly Scope[];
  /** The amount it may refund in 24 hours of real time; null: unlimited. */
  readonly refundPerDayAmount: Money | null;
  /** The amount by which one call may change what is collected; null: unlimited. */
  readonly changePerCallAmount: Money | null;
  /** Real time; null: it does not expire. */
  readonly expiresRealAt: number | null;
  /** The first of the keys that have replaced one another, which represents all of them; its own id if it is the first. */
  readonly firstKeyId: string;
  /** Configured by `ADMIN_BOOTSTRAP_KEY`: valid only while that is set. */
  readonly isBootstrap: boolean;
}

/** A key as it is listed: never with its hash. */
export interface KeyRecord extends KeyPowers {
  readonly keyId: string;
  /** The first characters of the key; null for the bootstrap key. */
  readonly prefix: string | null;
  readonly createdRealAt: number;
  readonly revokedRealAt: number | null;
  readonly lastUsedRealAt: number | null;
  /** The key that it replaces. */
  readonly replaces: string | null;
}

/** SHA-256 of the key, 32 bytes, and its first characters. The key itself is never stored. */
export interface KeySecret {
  readonly keyId: string;
  readonly hash: Buffer;
  readonly prefix: string;
}

export interface NewKey extends KeySecret, Omit<KeyPowers, 'firstKeyId' | 'isBootstrap'> {
  readonly createdRealAt: number;
  /** The key that creates it; null: the command line. */
  readonly createdBy: string | null;
}

/** The interval at which the use of a key is recorded. */
const USE_STEP_MS = 60_000;

/** The columns of {@link KeyPowers}, from `api_keys k`. @param group the prefix of the fields, with its dot */
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

/** Condition on a row `k` of `api_keys`; a missing row counts as valid. @param now the parameter that holds real time */
export const IS_VALID = (now: string) =>
  `k.revoked_real_at is null and (k.expires_real_at is null or k.expires_real_at > ${now})`;

/** Inserts a key, unless another key has or has had its name. @returns false if so; then nothing is written */
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
      key.keyId,
      key.name,
      key.role,
      key.hash,
      key.prefix,
      key.holder,
      key.scopes,
      key.refundPerDayAmount?.value ?? null,
      key.changePerCallAmount?.value ?? null,
      instantToColumn(key.expiresRealAt),
      instantToColumn(key.createdRealAt),
      key.createdBy,
    ],
  );
  return rowCount === 1;
}

/** @returns false if it is already in the ledger, revoked or not; then nothing is written */
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

/** Whether there is a valid admin key other than the bootstrap key. @param realNow real time */
export async function hasAdminKey(db: Db, realNow: number): Promise<boolean> {
  await lockAdminKeys(db);
  const row = await readRecord(
    db,
    `select 1 from api_keys k where role = 'admin' and not is_bootstrap and ${IS_VALID('$1')} limit 1`,
    [instantToColumn(realNow)],
  );
  return row !== null;
}

/**
 * Sets the expiry of bootstrap keys that have none, except that of the key `but`.
 * @param endsRealAt real time
 * @returns the keys that now expire
 */
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

/** Locked until the transaction ends; null if there is none. */
export async function lockKey(db: Db, keyId: string): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where key_id = $1 for update`, [keyId]);
}

/** Null if there is none. */
export async function getKey(db: Db, keyId: string): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where key_id = $1`, [keyId]);
}

/** Null if no key has this hash, or it is revoked or expired. @param realNow real time */
export async function findKeyByHash(db: Db, hash: Buffer, realNow: number): Promise<KeyRecord | null> {
  return readRecord(db, `select ${COLUMNS} from api_keys k where hash = $1 and ${IS_VALID('$2')}`, [
    hash,
    instantToColumn(realNow),
  ]);
}

/** Records the use of a key, at most once a minute, so that not every request runs a statement. */
export async function recordKeyUse(db: Db, { keyId, lastUsedRealAt }: KeyRecord, realAt: number): Promise<void> {
  if (lastUsedRealAt !== null && lastUsedRealAt > realAt - USE_STEP_MS) return;
  await db.query(
    `update api_keys set last_used_real_at = $2
     where key_id = $1 and (last_used_real_at is null or last_used_real_at <= $3)`,
    [keyId, instantToColumn(realAt), instantToColumn(realAt - USE_STEP_MS)],
  );
}

/** All keys, including revoked ones, oldest first. */
export async function listKeys(db: Db): Promise<readonly KeyRecord[]> {
  return readRecords(db, `select ${COLUMNS} from api_keys k order by created_real_at, key_id`);
}

/** The advisory lock: "dued" in ASCII, and a number unique to this lock. */
const ADMIN_KEYS = '1685415268, 2';

/** No other transaction counts admin keys, or ends the bootstrap key, until this one ends. */
async function lockAdminKeys(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${ADMIN_KEYS})`);
}

/**
 * Counts all admin keys ever created, including revoked ones, without replacements and the bootstrap key. No other transaction
 * counts until this one ends.
 */
export async function countAdminKeys(db: Db): Promise<number> {
  await lockAdminKeys(db);
  const row = await readRecord<{ readonly created: number }>(
    db,
    `select count(*) as created from api_keys where role = 'admin' and replaces is null and not is_bootstrap`,
  );
  return row?.created ?? 0;
}

/** Revoking again keeps the first instant. @returns null if there is no such key */
export async function revokeKey(db: Db, keyId: string, realAt: number): Promise<KeyRecord | null> {
  return readRecord(
    db,
    `update api_keys k set revoked_real_at = coalesce(revoked_real_at, $2) where key_id = $1 returning ${COLUMNS}`,
    [keyId, instantToColumn(realAt)],
  );
}
