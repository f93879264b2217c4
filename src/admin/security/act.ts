import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/trail/event';
import type { EventType } from '../../domain/trail/events';
import { actorOfCaller, callerOf } from '../http/authentication';

/** Who acts, and from which address. */
interface SecurityAct extends Actor {
  /** Of the caller, or of the proxy before it where that is not among `ADMIN_TRUSTED_PROXIES`. */
  readonly address: string;
}

/** An IPv4 address as such, also where it came over a socket of IPv6. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Of what the trail is told with the address. */
export function securityActOf(request: FastifyRequest): SecurityAct {
  return { ...actorOfCaller(callerOf(request)), address: addressOf(request) };
}

/** Tells the log what the trail tells for good: those who watch look at one of both. */
export function logSecurity(
  request: FastifyRequest,
  type: EventType,
  about: Readonly<Record<string, unknown>> = {},
): void {
  request.log.warn({ security: type, ...securityActOf(request), ...about }, 'security event');
}
