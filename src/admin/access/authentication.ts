import { randomBytes } from 'node:crypto';
import type { FastifyRequest, FastifyInstance } from 'fastify';
import { findKeyByHash, noteIfWritable, recordKeyUse } from '../../ledger';
import { type AdminDeps, limitsOf } from '../dependencies';
import { listWhereMissing } from './bootstrap-key';
import { hashApiKey, isApiKeyForm, sameKey } from './secret';
import { requirePowers } from './powers';
import { checkOrigin, tokenOf } from './cookie';
import { readSession, type SessionDeps, useSession } from './session-ring';
import { Problem } from '../http/problems';
import { type Caller } from '../http/caller';

/**
 * Credentials with which this process calls its own API in the name of the caller of a bulk job. Each is valid for one
 * request, in this process alone.
 */
export class Passes {
  private readonly callers = new Map<string, Caller>();

  issue(caller: Caller): string {
    const pass = `pass_${randomBytes(32).toString('base64url')}`;
    this.callers.set(pass, caller);
    return pass;
  }

  /** Null for what is no pass, or was used. */
  redeem(pass: string): Caller | null {
    const caller = this.callers.get(pass) ?? null;
    this.callers.delete(pass);
    return caller;
  }
}

const WINDOW_MS = 60_000;
/** Addresses remembered at most: memory stays flat however many addresses try. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts unknown keys by address, a minute at a time. Only an unknown key is ever throttled: a key is looked up first,
 * so that guesses from behind the same proxy lock no good caller out.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, { failures: number; readonly endsAt: number }>();

  constructor(
    private readonly limit: number,
    private readonly realNow: () => number,
  ) {}

  /** Counts one more. @returns the seconds to wait, or 0 where the address is within its limit. */
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

  /** Maps keep the order of insertion: the first is the oldest. */
  private forgetOldest(): void {
    if (this.counts.size < MAX_ADDRESSES) return;
    const oldest = this.counts.keys().next();
    if (oldest.done !== true) this.counts.delete(oldest.value);
  }
}

const MAX_KEY_LENGTH = 512;

/** Every route below `app` needs a key of the role and the scope that it names; a route without both is a mistake of ours. */
export function authenticateCallers(
  app: FastifyInstance,
  deps: AdminDeps,
  passes: Passes,
  failedKeysPerMinute: number,
): void {
  const attempts = new FailedAttempts(failedKeysPerMinute, () => deps.clock.realNow());
  app.addHook('onRoute', (route) => {
    for (const needed of ['role', 'scope'] as const)
      if (route.config?.[needed] === undefined)
        throw new Error(`${String(route.method)} ${route.url} names no ${needed}`);
  });
  app.addHook('onRequest', async (request) => {
    const key = bearerOf(request.headers.authorization);
    const { role = 'admin', scope = 'whole' } = request.routeOptions.config;
    request.caller = passes.redeem(key ?? '') ?? (await authenticate(request, key, deps, attempts));
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
  const caller = token === null ? await findCaller(key ?? '', deps) : await findPerson(token, request, deps);
  if (caller !== null) return caller;
  const wait = attempts.countFailure(request.ip);
  if (wait > 0) throw tooManyFailures(wait);
  if (token !== null) throw unauthenticated('This session is over.');
  throw unauthenticated(isBootstrapKey(key ?? '', deps) ? BOOTSTRAP_IS_OVER : UNKNOWN_KEY);
}

const UNKNOWN_KEY = 'This key is not known, was revoked or has expired.';
const BOOTSTRAP_IS_OVER =
  'The bootstrap key is over: there is an admin key, or it was revoked. Use that one, or make one with dueday keys create.';

function isBootstrapKey(key: string, { bootstrapKey }: AdminDeps): boolean {
  return bootstrapKey !== undefined && sameKey(key, bootstrapKey);
}

/** Who signed in, with the idle end put off where a person has asked. @throws Problem `csrf_failed` */
async function findPerson(token: string, request: FastifyRequest, deps: AdminDeps): Promise<Caller | null> {
  const found = await readSession(sessionDeps(deps), token);
  if (found === null) return null;
  checkOrigin(request, token);
  const isAttended = request.headers['x-unattended'] !== 'true' && request.routeOptions.config.unattended !== true;
  if (isAttended) await noteIfWritable(() => useSession(sessionDeps(deps), token, found));
  return { ...found.powers, keyId: found.keyId, key: token, isSession: true };
}

/** What sessions are looked up with, at this moment. */
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
    await listWhereMissing(deps, key);
    record = await find();
  }
  if (record === null || record.isBootstrap !== isConfigured) return null;
  const used = record;
  await noteIfWritable(() => recordKeyUse(deps.db, used, realNow));
  return { ...record, key, isSession: false };
}

/** Whether the key or the session of a request that lasts may still be used. */
export async function isStillGood(deps: AdminDeps, { key, isSession }: Caller): Promise<boolean> {
  const found = isSession ? await readSession(sessionDeps(deps), key) : await findCaller(key, deps);
  return found !== null;
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, {}, { 'www-authenticate': 'Bearer realm="dueday"' });
}

function tooManyFailures(seconds: number): Problem {
  const detail = `Too many unknown keys from this address. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', detail, {}, { 'retry-after': String(seconds) });
}
