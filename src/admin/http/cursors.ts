import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestFingerprint } from './fingerprint';
import { invalidRequest } from './problems';
import { fault } from './validation';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its cursors are positions that are valid with any filters. */
    hasOpenCursor?: boolean;
  }
}

const FORM = /^([\da-f]{16})\.(.+)$/s;

/**
 * A cursor holds for the list that gave it, with the same filters and sort: in another one its place would be somewhere
 * else, and rows be passed over silently. What a list gives as `nextCursor` is marked with the list it is of; what it
 * is asked with is checked and handed on without the mark. Register after what checks the query.
 */
export function tieCursors(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    const query = queryOf(request);
    if (query?.cursor === undefined) return;
    const [, mark, cursor] = FORM.exec(query.cursor) ?? [];
    if (mark !== markOf(request)) {
      throw invalidRequest([
        fault('cursor', 'the nextCursor of this list, with the same filters and sort', query.cursor),
      ]);
    }
    query.cursor = cursor;
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (!isPage(payload) || request.routeOptions.config.hasOpenCursor === true) return payload;
    return { ...payload, nextCursor: `${markOf(request)}.${payload.nextCursor}` };
  });
}

/** Null for what is no list. */
function queryOf({ query, routeOptions }: FastifyRequest): { cursor?: string | undefined } | null {
  const isQuery = typeof query === 'object' && query !== null && routeOptions.config.hasOpenCursor !== true;
  return isQuery ? query : null;
}

/** Follows from the list and from all that is asked of it, the page aside. */
function markOf({ routeOptions, params, query }: FastifyRequest): string {
  const asked = { ...(query as object), limit: undefined, cursor: undefined };
  return requestFingerprint({ call: routeOptions.url ?? '', params, body: asked })
    .toString('hex')
    .slice(0, 16);
}

function isPage(payload: unknown): payload is { readonly nextCursor: string } {
  return (
    typeof payload === 'object' && payload !== null && 'nextCursor' in payload && typeof payload.nextCursor === 'string'
  );
}
