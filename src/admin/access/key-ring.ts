import { HOUR, isoOrNull, toIso } from '../../domain/time';
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
  replaceKey,
  revokeKey,
  type Role,
  stopJobsOfKey,
} from '../../ledger';
import { BOOTSTRAP, type BootstrapAct, endBootstrapKey } from './bootstrap-key';
import { newSecret } from './secret';

/** Without holder, scopes, limits and end. */
export const WHOLE_ROLE = {
  holder: null,
  scopes: [],
  refundPerDayAmount: null,
  changePerCallAmount: null,
  expiresRealAt: null,
} as const;

/** Printable ASCII: no two names, and no two holders, look alike to a person. Blanks at the ends are cut off before. */
export const KEY_NAME = /^[!-~](?:[ -~]*[!-~])?$/;

/** Names by which the trail knows others than keys of the ledger. */
const OWN_NAMES: ReadonlySet<string> = new Set([BOOTSTRAP, DUEDAY, 'command line']);

/** Who does it, when, and why: for the trail. */
export interface KeyAct extends BootstrapAct {
  /** That the call came from; none where it was a command. */
  readonly address?: string;
  readonly reason: string | null;
}

/** What a new key is to be; what is left out is not limited. */
export type WantedKey = { readonly name: string; readonly role: Role } & Partial<
  Omit<NewKey, 'keyId' | 'hash' | 'prefix' | 'name' | 'role' | 'createdRealAt' | 'createdBy'>
>;

export type IssueResult =
  | {
      readonly kind: 'issued';
      readonly record: KeyRecord;
      readonly key: string;
      /** Real time, where the key is the reason that the bootstrap key ends then; null where it is none. */
      readonly bootstrapEndsRealAt: number | null;
    }
  /** A key has it or had it, or it is one of the program's own: the trail could not show who acted. */
  | { readonly kind: 'name_taken' };

/** Makes a key and writes it into the trail. The key itself is in the answer and nowhere else. */
export async function issueKey(db: Pool, wanted: WantedKey, act: KeyAct): Promise<IssueResult> {
  return inTransaction(db, (tx) => issueWithin(tx, wanted, act));
}

/** So many admin keys are made without a second person: there is none yet who could approve. */
const FIRST_ADMIN_KEYS = 2;

/** Makes an admin key where it is among the first. @returns null where it is not: nothing was made */
export async function issueFirstAdminKey(db: Pool, wanted: WantedKey, act: KeyAct): Promise<IssueResult | null> {
  return inTransaction(db, async (tx) =>
    (await countAdminKeys(tx)) < FIRST_ADMIN_KEYS ? issueWithin(tx, wanted, act) : null,
  );
}

async function issueWithin(tx: Db, wanted: WantedKey, act: KeyAct): Promise<IssueResult> {
  const { key, ...secret } = newSecret();
  if (OWN_NAMES.has(wanted.name.toLowerCase().replaceAll(/\s+/g, ' '))) return { kind: 'name_taken' };
  const row = { ...WHOLE_ROLE, ...wanted, ...secret, createdRealAt: act.realAt, createdBy: act.keyId ?? null };
  if (!(await insertKey(tx, row))) return { kind: 'name_taken' };
  const record = await madeKey(tx, secret.keyId);
  await recordAct(tx, 'key.created', record, act, grantOf(record));
  const bootstrapEndsRealAt = record.role === 'admin' ? await endBootstrapKey(tx, act) : null;
  return { kind: 'issued', record, key, bootstrapEndsRealAt };
}

async function madeKey(db: Db, keyId: string): Promise<KeyRecord> {
  const record = await getKey(db, keyId);
  if (record === null) throw new Error(`the key ${keyId} was inserted and is gone`);
  return record;
}

/** What of a key the trail tells besides its name and role. */
function grantOf({ holder, scopes, refundPerDayAmount, changePerCallAmount, expiresRealAt }: KeyRecord): EventData {
  const limits = { refundPerDay: refundPerDayAmount, changePerCall: changePerCallAmount };
  return { holder, scopes, ...limits, expiresAt: isoOrNull(expiresRealAt) };
}

export interface Rotation {
  readonly keyId: string;
  /** For which the old key is still good. */
  readonly overlapHours: number;
  /** Called with the old one, under its lock; what it throws stops it. */
  readonly check: (record: KeyRecord) => void;
}

export type RotateResult =
  | { readonly kind: 'rotated'; readonly record: KeyRecord; readonly key: string }
  | { readonly kind: 'unknown' }
  /** It is configured, not made: an admin key takes its place. */
  | { readonly kind: 'bootstrap' }
  /** It is revoked, or has expired: what it may do must not come back. */
  | { readonly kind: 'ended' }
  /** Another key is in its place already. */
  | { readonly kind: 'replaced'; readonly by: string };

/** Puts a key in the place of another one, which ends after the overlap. The key itself is in the answer and nowhere else. */
export async function rotateKey(
  db: Pool,
  { keyId, overlapHours, check }: Rotation,
  act: KeyAct,
): Promise<RotateResult> {
  const { key, ...secret } = newSecret();
  return inTransaction(db, async (tx): Promise<RotateResult> => {
    const old = await lockKey(tx, keyId);
    if (old === null) return { kind: 'unknown' };
    check(old);
    if (old.isBootstrap) return { kind: 'bootstrap' };
    const hasExpired = old.expiresRealAt !== null && old.expiresRealAt <= act.realAt;
    const successor = await findSuccessor(tx, keyId);
    if (successor !== null) return { kind: 'replaced', by: successor.keyId };
    if (old.revokedRealAt !== null || hasExpired) return { kind: 'ended' };
    const overlapUntil = act.realAt + overlapHours * HOUR;
    await replaceKey(tx, { ...secret, replaces: keyId, overlapUntil, at: act.realAt, createdBy: act.keyId ?? null });
    const until = toIso(Math.min(overlapUntil, old.expiresRealAt ?? overlapUntil));
    await recordAct(tx, 'key.rotated', old, act, { newKeyId: secret.keyId, until });
    return { kind: 'rotated', record: await madeKey(tx, secret.keyId), key };
  });
}

/**
 * Every process asks the ledger for the key with each request: the next one is refused. Jobs that it has ordered stop,
 * unless another key is in its place. Revoking again changes nothing. @returns null where there is no such key
 */
export async function withdrawKey(db: Pool, keyId: string, act: KeyAct): Promise<KeyRecord | null> {
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
