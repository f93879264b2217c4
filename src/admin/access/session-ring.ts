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
  type EndedSession,
  type Pool,
  recordSessionUse,
  removeEndedSessions,
  type Role,
  type SessionRecord,
} from '../../ledger';
import { BOOTSTRAP, bootstrapKeyId } from './bootstrap-key';

/** `ds_` and 256 random bits in base64url. As for an API key, it is enough to store a plain SHA-256. */
const FORM = /^ds_[A-Za-z0-9_-]{43}$/;

export interface SessionPolicy {
  /** Real ms without user action after which a session ends. */
  readonly sessionIdleMs: number;
  /** Real ms after which a session ends, in use or not. */
  readonly sessionMs: number;
}

/** What is needed to look up sessions. */
export interface SessionDeps {
  readonly db: Pool;
  readonly bootstrapKey?: string | undefined;
  readonly policy: SessionPolicy;
  readonly realNow: number;
}

/** A session that is valid now. All times are real. */
export interface OpenSession {
  readonly keyId: string;
  /** The powers of its key. */
  readonly powers: KeyPowers;
  readonly idleEndsAt: number;
  readonly endsAt: number;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** The CSRF token, which the console sends with every write. It is derived from the session's token, which no other page knows. */
export function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`dueday csrf ${token}`, 'utf8').digest('base64url');
}

/** Compares in constant time. */
export function isCsrfTokenOf(token: string, given: string): boolean {
  return timingSafeEqual(hashToken(csrfTokenOf(token)), hashToken(given));
}

/** Who signs in or out, and with which key, for the audit log. */
export interface SessionAct extends Actor {
  readonly keyId: string;
  /** The role of the key. */
  readonly role: Role;
  /** The address of the caller. */
  readonly address: string;
  /** Business time. */
  readonly at: Instant;
}

/**
 * Opens a session with an audit entry, and removes sessions that have ended, with an entry for each.
 * @returns the token, which only the browser keeps
 */
export async function openSession({ db, policy, realNow }: SessionDeps, act: SessionAct): Promise<string> {
  const token = `ds_${randomBytes(32).toString('base64url')}`;
  const tokenHash = hashToken(token);
  const { actor, keyId, role, at } = act;
  const endsRealAt = realNow + policy.sessionMs;
  await inTransaction(db, async (tx) => {
    const over = await removeEndedSessions(tx, { realNow, idleSince: realNow - policy.sessionIdleMs });
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

/** Identifies the session in the audit log; grants no access. */
function nameOf(tokenHash: Buffer): string {
  return tokenHash.toString('hex', 0, 6);
}

/** Why and when a session ended: the earliest of the possible reasons. */
function endOf(over: EndedSession, policy: SessionPolicy) {
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

/** Null if the token is invalid, the session has ended, or its key is no longer valid. */
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

/** The recorded use may lag by the idle time divided by this number, so that not every request writes to the ledger. */
const STEPS = 30;

/** Extends the idle time-out after user action. */
export async function useSession(deps: SessionDeps, token: string, session: OpenSession): Promise<void> {
  const { sessionIdleMs } = deps.policy;
  const idleEndsAt = Math.min(deps.realNow + sessionIdleMs, session.endsAt);
  if (idleEndsAt - session.idleEndsAt < sessionIdleMs / STEPS) return;
  await recordSessionUse(deps.db, hashToken(token), deps.realNow);
}

/** Ends a session. If it has already ended, there is no second audit entry. */
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
