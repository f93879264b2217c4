import { createHash, randomBytes, timingSafeEqual, randomUUID } from 'node:crypto';
import type { Instant } from '../../domain/time';
import {
  inTransaction,
  insertEvent,
  insertKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  type Role,
  type Pool,
} from '../../ledger';

/** 256 random bits: too many to guess, so that a plain SHA-256 is enough to keep. */
const FORM = /^dd_[A-Za-z0-9_-]{43}$/;

export function newApiKey(): string {
  return `dd_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text could be a key of ours; anything else is not looked up. */
export function isApiKeyForm(text: string): boolean {
  return FORM.test(text);
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/** In constant time: hashes are compared, so that lengths do not matter either. */
export function sameKey(a: string, b: string): boolean {
  return timingSafeEqual(hashApiKey(a), hashApiKey(b));
}

/** A stable id for the bootstrap key, in the form of a UUID; another key has another id. */
export function bootstrapKeyId(key: string): string {
  const hex = createHash('sha256').update(`bootstrap ${key}`, 'utf8').digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Who does it, when, and why: for the trail. */
export interface KeyAct {
  readonly actor: string;
  readonly reason: string | null;
  /** Business time. */
  readonly at: Instant;
  /** Real time: keys live in it. */
  readonly realAt: number;
}

export type IssueResult =
  | { readonly kind: 'issued'; readonly record: KeyRecord; readonly key: string }
  /** A name in use, or one of the program's own: the trail could not tell who acted. */
  | { readonly kind: 'name_taken' };

/** Names by which the trail knows others than keys of the ledger. */
const OWN_NAMES: ReadonlySet<string> = new Set(['bootstrap', 'dueday']);

/** Makes a key and writes it into the trail. The key itself is in the answer and nowhere else. */
export async function issueKey(
  db: Pool,
  wanted: { readonly name: string; readonly role: Role },
  act: KeyAct,
): Promise<IssueResult> {
  const key = newApiKey();
  const record = {
    ...wanted,
    keyId: randomUUID(),
    createdRealAt: act.realAt,
    revokedRealAt: null,
    lastUsedRealAt: null,
  };
  return inTransaction(db, async (tx): Promise<IssueResult> => {
    const keys = await listKeys(tx);
    const isTaken = keys.some(({ name, revokedRealAt }) => name === wanted.name && revokedRealAt === null);
    if (isTaken || OWN_NAMES.has(wanted.name)) return { kind: 'name_taken' };
    const { keyId, name, role, createdRealAt } = record;
    await insertKey(tx, { keyId, name, role, createdRealAt, hash: hashApiKey(key) });
    await insertEvent(tx, eventOf('key.created', record, act));
    return { kind: 'issued', record, key };
  });
}

/** Null where there is no such key. Revoking again changes nothing. */
export async function withdrawKey(db: Pool, keyId: string, act: KeyAct): Promise<KeyRecord | null> {
  return inTransaction(db, async (tx) => {
    const record = await revokeKey(tx, keyId, act.realAt);
    if (record?.revokedRealAt === act.realAt) await insertEvent(tx, eventOf('key.revoked', record, act));
    return record;
  });
}

function eventOf(type: 'key.created' | 'key.revoked', { keyId, name, role }: KeyRecord, act: KeyAct) {
  const { actor, at, reason } = act;
  return { subscriptionId: null, at, actor, type, data: { keyId, name, role, reason } };
}
