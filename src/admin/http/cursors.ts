import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestFingerprint } from './fingerprint';
import { invalidRequest } from './problems';
import { fault } from './validation';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Cursors of the list are valid with any filters. */
    hasOpenCursor?: boolean;
  }
}

const FORM = /^([\da-f]{16})\.(.+)$/s;

/**
 * A cursor is valid only for the list that returned it, with the same filters and sort order: in another list its position
 * would differ, and rows would be skipped silently. Each `nextCursor` gets a prefix that identifies its list; the prefix of a
 * received cursor is checked and removed. Register after the validation of queries.
 */
export function tieCursors(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const query = queryOf(request);
    if (query?.cursor === undefined) return;
    const [, prefix, cursor] = FORM.exec(query.cursor) ?? [];
    if (prefix !== prefixOf(request)) {
      throw invalidRequest([
        fault('cursor', 'the nextCursor of this list, with the same filters and sort', query.cursor),
      ]);
    }
    query.cursor = cursor;
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (!isPage(payload) || request.routeOptions.config.hasOpenCursor === true) return payload;
    return { ...payload, nextCursor: `${prefixOf(request)}.${payload.nextCursor}` };
  });
}

/** The query, whose cursor is tied to its list; null if the list has open cursors. */
function queryOf({ query, routeOptions }: FastifyRequest): { cursor?: string | undefined } | null {
  const isQuery = typeof query === 'object' && query !== null && routeOptions.config.hasOpenCursor !== true;
  return isQuery ? query : null;
}

/** A hash of the list and its query, without limit and cursor. */
function prefixOf({ routeOptions, params, query }: FastifyRequest): string {
  const filters = { ...(query as object), limit: undefined, cursor: undefined };
  return requestFingerprint({ call: routeOptions.url ?? '', params, body: filters })
    .toString('hex')
    .slice(0, 16);
}

function isPage(payload: unknown): payload is { readonly nextCursor: string } {
  return (
    typeof payload === 'object' && payload !== null && 'nextCursor' in payload && typeof payload.nextCursor === 'string'
  );
}
