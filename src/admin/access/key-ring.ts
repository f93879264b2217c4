import { HOUR, isoOrNull, toIso } from '../../domain/time';
import { UNKNOWN_CALLER } from '../../domain/audit/access';
import { type EventData, actorOf } from '../../domain/audit/event';
import {
  countAdminKeys,
  type Db,
  DUEDAY,
  findSuccessor,
  getKey,
  hasValidKey,
  inTransaction,
  insertEvent,
  insertKey,
  type KeyRecord,
  lockKey,
  type NewKey,
  type Pool,
  readExpiryOfLineage,
  replaceKey,
  revokeKey,
  type Role,
  stopJobsOfKey,
} from '../../ledger';
import { BOOTSTRAP, type BootstrapAct, endBootstrapKey } from './bootstrap-key';
import { newSecret } from './secret';

/** A key with all the powers of its role: no holder, scopes, limits or expiry. */
export const WHOLE_ROLE = {
  holder: null,
  scopes: [],
  refundPerDayAmount: null,
  changePerCallAmount: null,
  expiresRealAt: null,
} as const;

/** Printable ASCII, so that no two names or holders look alike. Leading and trailing spaces are trimmed before. */
export const KEY_NAME = /^[!-~](?:[ -~]*[!-~])?$/;

/** Names that the audit log shows for actors other than created keys. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([BOOTSTRAP, DUEDAY, UNKNOWN_CALLER, 'command line']);

/** Who acts, when and why, for the audit log. */
export interface KeyAct extends BootstrapAct {
  /** The address of the caller; undefined for commands. */
  readonly address?: string;
  readonly reason: string | null;
}

/** The properties of a new key; what is omitted is not limited. */
export type WantedKey = { readonly name: string; readonly role: Role } & Partial<
  Omit<NewKey, 'keyId' | 'hash' | 'prefix' | 'name' | 'role' | 'createdRealAt' | 'createdBy'>
>;

export type IssueResult =
  | {
      readonly kind: 'issued';
      readonly record: KeyRecord;
      readonly key: string;
      /** Real time at which the bootstrap key ends because of this key; null if it does not. */
      readonly bootstrapEndsRealAt: number | null;
    }
  /** A key has or had this name, or the name is reserved: with a second such key, the audit log could not show who acted. */
  | { readonly kind: 'name_taken' };

/** Creates a key with an audit entry. The key itself is returned and stored nowhere. */
export async function issueKey(db: Pool, wanted: WantedKey, act: KeyAct): Promise<IssueResult> {
  return inTransaction(db, (tx) => issueWithin(tx, wanted, act));
}

/** The number of admin keys that need no approval: there is no second person yet who could approve. */
const FIRST_ADMIN_KEYS = 2;

/** Creates an admin key if it is one of the {@link FIRST_ADMIN_KEYS}. @returns null if it is not; nothing was created then */
export async function issueFirstAdminKey(db: Pool, wanted: WantedKey, act: KeyAct): Promise<IssueResult | null> {
  return inTransaction(db, async (tx) =>
    (await countAdminKeys(tx)) < FIRST_ADMIN_KEYS ? issueWithin(tx, wanted, act) : null,
  );
}

async function issueWithin(tx: Db, wanted: WantedKey, act: KeyAct): Promise<IssueResult> {
  const { key, ...secret } = newSecret();
  if (RESERVED_NAMES.has(wanted.name.toLowerCase().replaceAll(/\s+/g, ' '))) return { kind: 'name_taken' };
  const row = { ...WHOLE_ROLE, ...wanted, ...secret, createdRealAt: act.realAt, createdBy: act.keyId ?? null };
  if (!(await insertKey(tx, row))) return { kind: 'name_taken' };
  const record = await createdKey(tx, secret.keyId);
  await recordAct(tx, 'key.created', record, act, grantOf(record));
  const bootstrapEndsRealAt = record.role === 'admin' ? await endBootstrapKey(tx, act) : null;
  return { kind: 'issued', record, key, bootstrapEndsRealAt };
}

async function createdKey(db: Db, keyId: string): Promise<KeyRecord> {
  const record = await getKey(db, keyId);
  if (record === null) throw new Error(`the key ${keyId} was inserted but cannot be found`);
  return record;
}

/** What the audit entry shows of a key besides its name and role. */
function grantOf({ holder, scopes, refundPerDayAmount, changePerCallAmount, expiresRealAt }: KeyRecord): EventData {
  const limits = { refundPerDay: refundPerDayAmount, changePerCall: changePerCallAmount };
  return { holder, scopes, ...limits, expiresAt: isoOrNull(expiresRealAt) };
}

export interface Rotation {
  readonly keyId: string;
  /** For how long the old key remains valid. */
  readonly overlapHours: number;
  /** Called with the record of the old key, which is locked, but with the expiry of the new key; throwing aborts the rotation. */
  readonly check: (record: KeyRecord) => void;
}

export type RotateResult =
  | { readonly kind: 'rotated'; readonly record: KeyRecord; readonly key: string }
  | { readonly kind: 'unknown' }
  /** The key is the bootstrap key, which is configured, not created: an admin key replaces it. */
  | { readonly kind: 'bootstrap' }
  /** The key was revoked or has expired: its powers must not be restored. */
  | { readonly kind: 'ended' }
  /** Another key has already replaced this one. */
  | { readonly kind: 'replaced'; readonly by: string };

/** Replaces a key, which ends after the overlap. The new key itself is returned and stored nowhere. */
export async function rotateKey(
  db: Pool,
  { keyId, overlapHours, check }: Rotation,
  act: KeyAct,
): Promise<RotateResult> {
  const { key, ...secret } = newSecret();
  return inTransaction(db, async (tx): Promise<RotateResult> => {
    const old = await lockKey(tx, keyId);
    if (old === null) return { kind: 'unknown' };
    const expiresRealAt = await readExpiryOfLineage(tx, old);
    check({ ...old, expiresRealAt });
    if (old.isBootstrap) return { kind: 'bootstrap' };
    const hasExpired = old.expiresRealAt !== null && old.expiresRealAt <= act.realAt;
    const successor = await findSuccessor(tx, keyId);
    if (successor !== null) return { kind: 'replaced', by: successor.keyId };
    if (old.revokedRealAt !== null || hasExpired) return { kind: 'ended' };
    const overlapUntil = act.realAt + overlapHours * HOUR;
    const by = { at: act.realAt, createdBy: act.keyId ?? null };
    await replaceKey(tx, { ...secret, ...by, replaces: keyId, overlapUntil, expiresRealAt });
    const until = toIso(Math.min(overlapUntil, old.expiresRealAt ?? overlapUntil));
    await recordAct(tx, 'key.rotated', old, act, { newKeyId: secret.keyId, until });
    return { kind: 'rotated', record: await createdKey(tx, secret.keyId), key };
  });
}

/**
 * Revokes a key. Every process looks up the key with each request, so the next request is rejected. The jobs that the key started
 * are stopped, unless its replacement or a key that it replaced is still valid. Revoking again changes nothing.
 * @returns null if there is no such key
 */
export async function revokeKeyWithEntry(db: Pool, keyId: string, act: KeyAct): Promise<KeyRecord | null> {
  return inTransaction(db, async (tx) => {
    const record = await revokeKey(tx, keyId, act.realAt);
    if (record?.revokedRealAt !== act.realAt) return record;
    await recordAct(tx, 'key.revoked', record, act);
    const { firstKeyId } = record;
    if (!(await hasValidKey(tx, firstKeyId, act.realAt))) await stopJobsOfKey(tx, firstKeyId, act);
    return record;
  });
}

async function recordAct(
  db: Db,
  type: 'key.created' | 'key.rotated' | 'key.revoked',
  { keyId, name, role }: KeyRecord,
  { at, reason, address, ...by }: KeyAct,
  more: EventData = {},
): Promise<void> {
  const data = { keyId, name, role, ...more, reason, address };
  await insertEvent(db, { ...actorOf(by), subscriptionId: null, at, type, data });
}
