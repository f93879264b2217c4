import type { FastifyRequest, FastifyInstance } from 'fastify';
import { findKeyByHash, noteIfWritable, recordKeyUse } from '../../ledger';
import { type AdminDeps, limitsOf } from '../dependencies';
import { registerIfMissing } from './bootstrap-key';
import { hashApiKey, isApiKeyForm, sameKey } from './secret';
import { requirePowers } from './powers';
import { refuseForgedWrite, tokenOf } from './cookie';
import { readSession, type SessionDeps, useSession } from './session-ring';
import { Problem } from '../http/problems';
import { type Caller } from '../http/caller';

const WINDOW_MS = 60_000;
/** Maximum number of addresses that are counted, so that a flood from many addresses does not exhaust memory. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts failed authentications per address and minute: unknown keys and ended sessions. Valid keys are never throttled here: each
 * key is looked up first, so that guesses from behind a shared proxy do not lock out valid callers.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, { failures: number; readonly endsAt: number }>();

  constructor(
    private readonly limit: number,
    private readonly realNow: () => number,
  ) {}

  /** Counts a failure. @returns the seconds to wait, or 0 if the address is within its limit */
  countFailure(address: string): number {
    const now = this.realNow();
    const count = this.counts.get(address);
    if (count === undefined || count.endsAt <= now) {
      this.counts.delete(address);
      this.forgetOldest();
      this.counts.set(address, { failures: 1, endsAt: now + WINDOW_MS });
      return 0;
    }
    count.failures += 1;
    return count.failures <= this.limit ? 0 : Math.ceil((count.endsAt - now) / 1000);
  }

  /** Maps keep insertion order: the first entry is the oldest. */
  private forgetOldest(): void {
    if (this.counts.size < MAX_ADDRESSES) return;
    const oldest = this.counts.keys().next();
    if (oldest.done !== true) this.counts.delete(oldest.value);
  }
}

const MAX_KEY_LENGTH = 512;

/** Every route below `app` needs a key or session with the role and scope that the route declares; one that declares none is a bug. */
export function authenticateCallers(app: FastifyInstance, deps: AdminDeps, failedKeysPerMinute: number): void {
  const attempts = new FailedAttempts(failedKeysPerMinute, () => deps.clock.realNow());
  app.addHook('onRoute', (route) => {
    for (const needed of ['role', 'scope'] as const)
      if (route.config?.[needed] === undefined)
        throw new Error(`${String(route.method)} ${route.url} declares no ${needed}`);
  });
  app.addHook('onRequest', async (request) => {
    const key = bearerOf(request.headers.authorization);
    const { role = 'admin', scope = 'whole' } = request.routeOptions.config;
    request.caller = await authenticate(request, key, deps, attempts);
    requirePowers(request.caller, { role, scope });
  });
}

async function authenticate(
  request: FastifyRequest,
  key: string | null,
  deps: AdminDeps,
  attempts: FailedAttempts,
): Promise<Caller> {
  const token = key === null ? tokenOf(request.headers.cookie) : null;
  if (key === null && token === null) throw unauthenticated('Expected the header Authorization: Bearer <key>.');
  const caller = token === null ? await findCaller(key ?? '', deps) : await findSessionCaller(token, request, deps);
  if (caller !== null) return caller;
  const wait = attempts.countFailure(request.ip);
  if (wait > 0) throw tooManyFailures(wait);
  if (token !== null) throw unauthenticated('This session has ended.');
  throw unauthenticated(isBootstrapKey(key ?? '', deps) ? BOOTSTRAP_ENDED : UNKNOWN_KEY);
}

const UNKNOWN_KEY = 'This key is unknown, was revoked or has expired.';
const BOOTSTRAP_ENDED =
  'The bootstrap key is no longer valid: an admin key exists, or the bootstrap key was revoked. Use an admin key, or create one with dueday keys create.';

function isBootstrapKey(key: string, { bootstrapKey }: AdminDeps): boolean {
  return bootstrapKey !== undefined && sameKey(key, bootstrapKey);
}

/** The signed-in operator; extends the idle time-out if the request comes from a user action. @throws Problem `csrf_failed` */
async function findSessionCaller(token: string, request: FastifyRequest, deps: AdminDeps): Promise<Caller | null> {
  const found = await readSession(sessionDeps(deps), token);
  if (found === null) return null;
  refuseForgedWrite(request, token);
  const isAttended = request.headers['x-unattended'] !== 'true' && request.routeOptions.config.unattended !== true;
  if (isAttended) await noteIfWritable(() => useSession(sessionDeps(deps), token, found));
  return { ...found.powers, keyId: found.keyId, key: token, isSession: true };
}

export function sessionDeps(deps: AdminDeps): SessionDeps {
  const { db, bootstrapKey, clock } = deps;
  return { db, bootstrapKey, policy: limitsOf(deps), realNow: clock.realNow() };
}

function bearerOf(header: string | undefined): string | null {
  const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
  return key !== undefined && key.length <= MAX_KEY_LENGTH ? key : null;
}

async function findCaller(key: string, deps: AdminDeps): Promise<Caller | null> {
  const isConfigured = isBootstrapKey(key, deps);
  if (!isConfigured && !isApiKeyForm(key)) return null;
  const realNow = deps.clock.realNow();
  const find = () => findKeyByHash(deps.db, hashApiKey(key), realNow);
  let record = await find();
  if (record === null && isConfigured) {
    await registerIfMissing(deps, key);
    record = await find();
  }
  if (record === null || record.isBootstrap !== isConfigured) return null;
  const used = record;
  await noteIfWritable(() => recordKeyUse(deps.db, used, realNow));
  return { ...record, key, isSession: false };
}

/** Whether the key or session of a long-running request is still valid. */
export async function isStillValid(deps: AdminDeps, { key, isSession }: Caller): Promise<boolean> {
  const found = isSession ? await readSession(sessionDeps(deps), key) : await findCaller(key, deps);
  return found !== null;
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, {}, { 'www-authenticate': 'Bearer realm="dueday"' });
}

function tooManyFailures(seconds: number): Problem {
  const detail = `Too many failed authentications from this address. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', detail, {}, { 'retry-after': String(seconds) });
}
