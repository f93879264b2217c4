import { envelopeOf, feedCursor, readFeed, readList, typesMatching } from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { invalidRequest, Problem } from '../http/problems';
import { fault } from '../http/validation';
import { EventsOut, EventsQuery } from './schema';

/** `GET /events`. */
export function eventRoutes(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/events',
    call('viewer', 'events', {
      config: { hasOpenCursor: true },
      tags: ['events'],
      operationId: 'listMerchantEvents',
      summary: "Lists the events for the merchant's systems, oldest first, as an alternative to webhooks",
      querystring: EventsQuery,
      response: { 200: EventsOut },
    }),
    async ({ query }) => {
      const { after = null, types, limit, ...subject } = query;
      requireFeedCursor(after, 'after');
      const filter = { ...subject, types: types === undefined ? undefined : typesMatching(types) };
      const read = await readList(reading, (db) => readFeed(db, filter, { after, limit }));
      if (read.kind === 'expired') throw cursorExpired();
      return { items: read.events.map(envelopeOf), nextCursor: read.cursor };
    },
  );
}

/** @throws Problem `invalid_request` if it is not a cursor of this list */
export function requireFeedCursor(cursor: string | null, path: string): void {
  if (cursor === null || feedCursor.is(cursor)) return;
  throw invalidRequest([
    fault(path, 'the nextCursor of a page of this list, or the id of an event of the stream', cursor),
  ]);
}

export function cursorExpired(): Problem {
  const detail =
    'Events after this cursor are no longer stored, or the ledger was restored. Start again without a cursor.';
  return new Problem('cursor_expired', detail);
}
