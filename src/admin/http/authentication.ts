import type { FastifyRequest, FastifyInstance } from 'fastify';
import { ROLES, type Role, findKeyByHash, recordKeyUse } from '../../ledger';
import type { AdminDeps } from '../dependencies';
import { bootstrapKeyId, hashApiKey, isApiKeyForm, sameKey } from '../keys/key-ring';
import { Problem } from './problems';

/** Whether a key of role `held` may do what role `needed` may: each role may do what the smaller ones may. */
export function mayActAs(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}

/** Whoever holds the key that a request came with. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
  readonly role: Role;
  /** The key itself, for as long as the request lasts: kept answers are sealed with it. */
  readonly key: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The smallest role that may call the route. */
    role?: Role;
  }
}

/** @throws Error on routes outside the authenticated part: a mistake of ours. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`no caller on ${request.routeOptions.url ?? 'an unknown route'}`);
  return request.caller;
}

const WINDOW_MS = 60_000;
/** Addresses remembered at most: memory stays flat whoever tries. */
const MAX_ADDRESSES = 10_000;

interface Count {
  failures: number;
  readonly endsAt: number;
}

/**
 * Counts failed authentication by address, a minute at a time. Past the limit an address is refused without a look at
 * the key, unless this process has seen that key be good: a stranger's guesses shut nobody else out who is at work.
 */
export class FailedAttempts {
  private readonly counts = new Map<string, Count>();
  private readonly good = new Set<string>();

  constructor(
    private readonly limit: number,
    private readonly realNow: () => number,
  ) {}

  /** Seconds to wait, or 0 where the key may be looked at. */
  waitFor(address: string, keyHash: string): number {
    const count = this.counts.get(address);
    if (count === undefined || count.endsAt <= this.realNow()) return 0;
    if (count.failures < this.limit || this.good.has(keyHash)) return 0;
    return Math.ceil((count.endsAt - this.realNow()) / 1000);
  }

  failed(address: string, keyHash: string): void {
    this.good.delete(keyHash);
    const count = this.counts.get(address);
    if (count !== undefined && count.endsAt > this.realNow()) {
      count.failures += 1;
      return;
    }
    this.counts.delete(address);
    makeRoom(this.counts);
    this.counts.set(address, { failures: 1, endsAt: this.realNow() + WINDOW_MS });
  }

  succeeded(keyHash: string): void {
    if (this.good.has(keyHash)) return;
    makeRoom(this.good);
    this.good.add(keyHash);
  }
}

/** Maps and sets keep the order of insertion: the first is the oldest. */
function makeRoom(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size < MAX_ADDRESSES) return;
  const oldest = kept.keys().next();
  if (oldest.done !== true) kept.delete(oldest.value);
}

const MAX_KEY_LENGTH = 512;

/** Every route below `app` needs a key of the role that the route names; a route without one is a mistake of ours. */
export function authenticateCallers(app: FastifyInstance, deps: AdminDeps, failedKeysPerMinute: number): void {
  const attempts = new FailedAttempts(failedKeysPerMinute, () => deps.clock.realNow());
  app.addHook('onRoute', (route) => {
    if (route.config?.role === undefined) throw new Error(`${String(route.method)} ${route.url} names no role`);
  });
  app.addHook('onRequest', async (request) => {
    request.caller = await authenticate(request, deps, attempts);
    checkRole(request);
  });
}

async function authenticate(request: FastifyRequest, deps: AdminDeps, attempts: FailedAttempts): Promise<Caller> {
  const key = bearerOf(request.headers.authorization);
  if (key === null) throw unauthenticated('Expected the header Authorization: Bearer <key>.');
  const hash = hashApiKey(key).toString('hex');
  const wait = attempts.waitFor(request.ip, hash);
  if (wait > 0) throw tooManyFailures(wait);
  const caller = await findCaller(key, deps);
  if (caller === null) {
    attempts.failed(request.ip, hash);
    throw unauthenticated('This key is not known, or was revoked.');
  }
  attempts.succeeded(hash);
  return caller;
}

function bearerOf(header: string | undefined): string | null {
  const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
  return key !== undefined && key.length <= MAX_KEY_LENGTH ? key : null;
}

async function findCaller(key: string, deps: AdminDeps): Promise<Caller | null> {
  if (deps.bootstrapKey !== undefined && sameKey(key, deps.bootstrapKey)) {
    return { keyId: bootstrapKeyId(key), name: 'bootstrap', role: 'admin', key };
  }
  if (!isApiKeyForm(key)) return null;
  const record = await findKeyByHash(deps.db, hashApiKey(key));
  if (record === null) return null;
  await recordKeyUse(deps.db, record, deps.clock.realNow());
  return { keyId: record.keyId, name: record.name, role: record.role, key };
}

function checkRole(request: FastifyRequest): void {
  const { name, role } = callerOf(request);
  const needed = request.routeOptions.config.role;
  if (needed !== undefined && mayActAs(role, needed)) return;
  throw new Problem('forbidden', `This call needs the role ${needed ?? 'admin'}; the key "${name}" has ${role}.`);
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, {}, { 'www-authenticate': 'Bearer realm="dueday"' });
}

function tooManyFailures(seconds: number): Problem {
  const detail = `Too many unknown keys from this address. Try again in ${seconds} seconds.`;
  return new Problem('rate_limited', detail, {}, { 'retry-after': String(seconds) });
}
