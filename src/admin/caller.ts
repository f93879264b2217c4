import type { FastifyRequest } from 'fastify';
import type { Role } from '../ledger';

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
