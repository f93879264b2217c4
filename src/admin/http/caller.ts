import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { KeyPowers, Role, Scope } from '../../ledger';

/** A scope that a call needs, or one of several. `any`: every key has it; `whole`: only a key without scopes has it. */
export type NeededScope = Scope | readonly Scope[] | 'any' | 'whole';

/** The holder of the key that a request came with. */
export interface Caller extends KeyPowers {
  readonly keyId: string;
  /** The key itself, or the token of the session, for as long as the request lasts: kept answers are sealed with it. */
  readonly key: string;
  /** A person who signed in with the key, in a browser. */
  readonly isSession: boolean;
  /** The job that calls in the name of the caller who ordered it. */
  readonly jobId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The smallest role that may call the route. */
    role?: Role;
    /** What a key with scopes needs for it. */
    scope?: NeededScope;
    /** Pages call it by themselves: it does not show that a person is there. */
    unattended?: boolean;
  }
}

/** @throws Error on routes outside the authenticated part: a mistake of ours. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`no caller on ${request.routeOptions.url ?? 'an unknown route'}`);
  return request.caller;
}

/** For the trail. */
export function actorOfCaller({ name, keyId }: Pick<Caller, 'name' | 'keyId'>): Actor {
  return { actor: name, keyId };
}

/**
 * Of the caller, or of the proxy before it where that is not among `ADMIN_TRUSTED_PROXIES`; an IPv4 address as such, also
 * where it came over a socket of IPv6.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Who acts, and from which address, for entries of the trail that have both. */
export function securityActOf(request: FastifyRequest) {
  return { ...actorOfCaller(callerOf(request)), address: addressOf(request) };
}

/** Tells the log what the trail tells for good: those who watch look at one of both. */
export function logSecurity(
  request: FastifyRequest,
  type: EventType,
  about: Readonly<Record<string, unknown>> = {},
): void {
  request.log.info({ security: type, ...securityActOf(request), ...about }, 'security event');
}
