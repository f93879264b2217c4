import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findKeyByHash, recordKeyUse } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { bootstrapKeyId, hashApiKey, isApiKeyForm, sameKey } from './api-key';
import { callerOf, type Caller } from './caller';
import { FailedAttempts } from './failed-attempts';
import { Problem } from './problems';
import { mayActAs } from './roles';

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
