import type { FastifyRequest } from 'fastify';
import { Problem } from '../http/problems';
import { isCsrfTokenOf } from './session-ring';

/** The prefix binds it to this very host, over TLS, for every path. */
export const COOKIE = '__Host-dueday';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function cookieOf(token: string, maxAgeMs: number): string {
  return `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
}

/** Takes the cookie from the browser. */
export const NO_COOKIE = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

const SENT = new RegExp(String.raw`(?:^|;\s*)${COOKIE}=([\x21-\x3a\x3c-\x7e]+)`);

/** Null where the cookie is not among them. */
export function tokenOf(header: string | undefined): string | null {
  return SENT.exec(header ?? '')?.[1] ?? null;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser sends the cookie with the request of any page. A write needs what another page has not: our own Origin, and
 * the CSRF token of the session.
 * @throws Problem `csrf_failed`
 */
export function checkOrigin(request: FastifyRequest, token: string): void {
  if (READS.has(request.method)) return;
  const { origin } = request.headers;
  const given = request.headers['x-csrf-token'];
  if (hostOf(origin) !== request.host)
    throw new Problem('csrf_failed', `Expected the header Origin of ${request.host}; got ${shown(origin)}.`);
  if (typeof given !== 'string' || !isCsrfTokenOf(token, given))
    throw new Problem('csrf_failed', 'Expected the header X-CSRF-Token with the csrfToken of this session.');
}

/** With its port, where that is not the usual one. The scheme is the proxy's affair: TLS ends there. */
function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}

function shown(origin: string | undefined): string {
  return hostOf(origin) ?? (origin === undefined ? 'none' : 'one that is no address');
}
