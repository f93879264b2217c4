import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Instant, toIso } from '../../domain/time';
import type { Actor } from '../../domain/audit/event';
import {
  deleteSession,
  DUEDAY,
  findSession,
  insertEvent,
  insertSession,
  inTransaction,
  type KeyPowers,
  type OverSession,
  type Pool,
  recordSessionUse,
  removeOverSessions,
  type Role,
  type SessionRecord,
} from '../../ledger';
import { BOOTSTRAP, bootstrapKeyId } from './bootstrap-key';

/** 256 random bits, as of an API key: a plain SHA-256 is enough to keep. */
const FORM = /^ds_[A-Za-z0-9_-]{43}$/;

export interface SessionPolicy {
  /** Real ms without a request of a person after which a session is over. */
  readonly sessionIdleMs: number;
  /** Real ms after which it is over, in use or not. */
  readonly sessionMs: number;
}

/** What sessions are looked up with. */
export interface SessionDeps {
  readonly db: Pool;
  readonly bootstrapKey?: string | undefined;
  readonly policy: SessionPolicy;
  readonly realNow: number;
}

/** A session that may be used now. All times are real. */
export interface OpenSession {
  readonly keyId: string;
  /** Of its key. */
  readonly powers: KeyPowers;
  readonly idleEndsAt: number;
  readonly endsAt: number;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** What the page sends back with a write, as no other page can: it follows from the token, which only we and the browser know. */
export function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`dueday csrf ${token}`, 'utf8').digest('base64url');
}

/** In constant time. */
export function isCsrfTokenOf(token: string, given: string): boolean {
  return timingSafeEqual(hashToken(csrfTokenOf(token)), hashToken(given));
}

/** Who signs in or out, by which key: for the trail. */
export interface SessionAct extends Actor {
  readonly keyId: string;
  /** Of the key. */
  readonly role: Role;
  /** That the call came from. */
  readonly address: string;
  /** Business time. */
  readonly at: Instant;
}

/**
 * Enters it in the trail, and the end of those that are over by now: they go on the way, as people sign in seldom.
 * @returns the token, which is kept nowhere else than in the browser
 */
export async function openSession({ db, policy, realNow }: SessionDeps, act: SessionAct): Promise<string> {
  const token = `ds_${randomBytes(32).toString('base64url')}`;
  const tokenHash = hashToken(token);
  const { actor, keyId, role, at } = act;
  const endsRealAt = realNow + policy.sessionMs;
  await inTransaction(db, async (tx) => {
    const over = await removeOverSessions(tx, { realNow, idleSince: realNow - policy.sessionIdleMs });
    for (const each of over) {
      const data = endOf(each, policy);
      await insertEvent(tx, { subscriptionId: null, at, actor: DUEDAY, type: 'session.ended', data });
    }
    await insertSession(tx, { tokenHash, keyId, createdRealAt: realNow, endsRealAt });
    const data = { session: nameOf(tokenHash), keyId, role, endsAt: toIso(endsRealAt), address: act.address };
    await insertEvent(tx, { actor, keyId, subscriptionId: null, at, type: 'session.opened', data });
  });
  return token;
}

/** By which the trail tells sessions apart; nothing can be opened with it. */
function nameOf(tokenHash: Buffer): string {
  return tokenHash.toString('hex', 0, 6);
}

/** What ended it, and when: the first of the possible ends. */
function endOf(over: OverSession, policy: SessionPolicy) {
  const { tokenHash, keyId, name, usedRealAt, endsRealAt, revokedRealAt, expiresRealAt } = over;
  const ends = [
    { reason: 'time', at: endsRealAt },
    { reason: 'idle', at: usedRealAt + policy.sessionIdleMs },
    { reason: 'key_revoked', at: revokedRealAt ?? Infinity },
    { reason: 'key_ended', at: expiresRealAt ?? Infinity },
  ];
  const { reason, at } = ends.reduce((one, other) => (other.at < one.at ? other : one));
  return { session: nameOf(tokenHash), keyId, name: name ?? BOOTSTRAP, reason, endedAt: toIso(at) };
}

/** Null where the token opens nothing: it is none of ours, its time is over, or its key is gone. */
export async function readSession(deps: SessionDeps, token: string): Promise<OpenSession | null> {
  if (!FORM.test(token)) return null;
  const record = await findSession(deps.db, hashToken(token), deps.realNow);
  if (record === null || (record.powers.isBootstrap && !isConfigured(record, deps))) return null;
  const { powers } = record;
  const idleEndsAt = record.usedRealAt + deps.policy.sessionIdleMs;
  if (idleEndsAt <= deps.realNow) return null;
  const endsAt = Math.min(record.endsRealAt, powers.expiresRealAt ?? Infinity);
  return { keyId: record.keyId, powers, idleEndsAt: Math.min(idleEndsAt, endsAt), endsAt };
}

function isConfigured({ keyId }: SessionRecord, { bootstrapKey }: SessionDeps): boolean {
  return bootstrapKey !== undefined && bootstrapKeyId(bootstrapKey) === keyId;
}

/** Of the idle time, how much a session in use may be behind: no statement is run for every request. */
const STEPS = 30;

/** Puts off the idle end: a person has asked. */
export async function useSession(deps: SessionDeps, token: string, session: OpenSession): Promise<void> {
  const { sessionIdleMs } = deps.policy;
  const idleEndsAt = Math.min(deps.realNow + sessionIdleMs, session.endsAt);
  if (idleEndsAt - session.idleEndsAt < sessionIdleMs / STEPS) return;
  await recordSessionUse(deps.db, hashToken(token), deps.realNow);
}

/** Of a session that has ended already the trail has no second end. */
export async function endSession({ db, realNow }: SessionDeps, token: string, act: SessionAct): Promise<void> {
  const tokenHash = hashToken(token);
  const { actor, keyId, address, at } = act;
  await inTransaction(db, async (tx) => {
    if (!(await deleteSession(tx, tokenHash))) return;
    const ended = { session: nameOf(tokenHash), keyId, name: actor, reason: 'signed_out', endedAt: toIso(realNow) };
    const data = { ...ended, address };
    await insertEvent(tx, { actor, keyId, subscriptionId: null, at, type: 'session.ended', data });
  });
}
