import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/audit/event';
import type { EventType } from '../../domain/audit/events';
import type { KeyPowers, Role, Scope } from '../../ledger';

/** The scope that a call needs, or one of several. `any`: every key may call; `whole`: only a key without scopes may. */
export type NeededScope = Scope | readonly Scope[] | 'any' | 'whole';

/** Who makes a request: the API key with its powers, used directly or through a session. */
export interface Caller extends KeyPowers {
  readonly keyId: string;
  /** The key itself, or the session's token, for the duration of the request: stored answers are encrypted with it. */
  readonly key: string;
  /** Whether this is an operator who signed in to a browser session with the key. */
  readonly isSession: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The lowest role that may call the route. */
    role?: Role;
    /** The scope that a key with scopes needs. */
    scope?: NeededScope;
    /** Pages call this route without user action, so a call does not show that an operator is present. */
    unattended?: boolean;
  }
}

/** @throws Error on routes outside the authenticated part, which is a programming error. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`no caller on ${request.routeOptions.url ?? 'an unknown route'}`);
  return request.caller;
}

/** The caller as the actor of an audit entry. */
export function actorOfCaller({ name, keyId }: Pick<Caller, 'name' | 'keyId'>): Actor {
  return { actor: name, keyId };
}

/**
 * The caller's address; behind a proxy that is not one of `ADMIN_TRUSTED_PROXIES`, the proxy's address. IPv4-mapped IPv6 addresses
 * are returned as IPv4.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The actor and the address, for audit entries that have both. */
export function actorWithAddress(request: FastifyRequest) {
  return { ...actorOfCaller(callerOf(request)), address: addressOf(request) };
}

/** Logs a security event that is also in the audit log, for those who monitor only the log. */
export function logSecurity(
  request: FastifyRequest,
  type: EventType,
  about: Readonly<Record<string, unknown>> = {},
): void {
  request.log.info({ security: type, ...actorWithAddress(request), ...about }, 'security event');
}
