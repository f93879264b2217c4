import type { FastifyRequest } from 'fastify';
import { Problem } from '../http/problems';
import { isCsrfTokenOf } from './session-ring';

/** Browsers accept a cookie with this prefix only over TLS, for one host and for all paths. */
export const COOKIE = '__Host-dueday';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function cookieOf(token: string, maxAgeMs: number): string {
  return `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
}

/** Removes the cookie from the browser. */
export const NO_COOKIE = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

const SENT = new RegExp(String.raw`(?:^|;\s*)${COOKIE}=([\x21-\x3a\x3c-\x7e]+)`);

/** Null if the header does not contain the cookie. */
export function tokenOf(header: string | undefined): string | null {
  return SENT.exec(header ?? '')?.[1] ?? null;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * `SameSite=Strict` keeps the cookie out of requests from other sites, but not from other origins of the same site, such as another
 * subdomain. A write therefore also needs what their pages do not have: our own Origin, and the CSRF token of the session.
 * @throws Problem `csrf_failed`
 */
export function refuseForgedWrite(request: FastifyRequest, token: string): void {
  if (READS.has(request.method)) return;
  const { origin } = request.headers;
  const given = request.headers['x-csrf-token'];
  if (hostOf(origin) !== request.host)
    throw new Problem('csrf_failed', `Expected an Origin header for ${request.host}; got ${shown(origin)}.`);
  if (typeof given !== 'string' || !isCsrfTokenOf(token, given))
    throw new Problem('csrf_failed', 'Expected an X-CSRF-Token header with the csrfToken of this session.');
}

/** The host, with its port unless that is the default. The scheme is not checked, because TLS ends at the proxy. */
function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}

function shown(origin: string | undefined): string {
  return hostOf(origin) ?? (origin === undefined ? 'none' : 'an invalid one');
}
