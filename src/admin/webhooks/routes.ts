import {
  envelopeOf,
  feedCursor,
  findEvent,
  listDeliveriesOf,
  readFeed,
  readList,
  readNewestEvents,
  typesMatching,
} from '../../ledger';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { mayActAs } from '../access/powers';
import { callerOf } from '../http/caller';
import { invalidRequest, notFound, Problem } from '../http/problems';
import { fault } from '../http/validation';
import { EventParams, EventWithDeliveriesOut, viewDelivery } from './endpoint-schema';
import { EventsOut, EventsQuery } from './schema';

/** `GET /events` and `GET /events/{id}`. */
export function eventRoutes(app: TypedApp, { reading }: AdminDeps): void {
  app.get(
    '/events',
    call('viewer', 'events', {
      config: { hasOpenCursor: true },
      tags: ['events'],
      operationId: 'listMerchantEvents',
      summary: "Lists the events for the merchant's systems, oldest first by default, as an alternative to webhooks",
      querystring: EventsQuery,
      response: { 200: EventsOut },
    }),
    async ({ query }) => {
      const { after = null, types, limit, order, ...subject } = query;
      requireFeedCursor(after, 'after');
      const filter = { ...subject, types: types === undefined ? undefined : typesMatching(types) };
      const readPage = order === 'newest' ? readNewestEvents : readFeed;
      const read = await readList(reading, (db) => readPage(db, filter, { after, limit }));
      if (read.kind === 'expired') throw cursorExpired();
      return { items: read.events.map(envelopeOf), nextCursor: read.cursor };
    },
  );
  app.get(
    '/events/:id',
    call('viewer', ['events', 'endpoints'], {
      tags: ['events'],
      operationId: 'getMerchantEvent',
      summary: 'Returns an event as it is posted to endpoints, with its deliveries; samples are found, too',
      params: EventParams,
      response: { 200: EventWithDeliveriesOut },
    }),
    async (request) => {
      const { id } = request.params;
      const isAdmin = mayActAs(callerOf(request).role, 'admin');
      return readList(reading, async (db) => {
        const event = await findEvent(db, id);
        if (event === null) throw eventNotFound(id);
        const deliveries = await listDeliveriesOf(db, id);
        return { ...envelopeOf(event), deliveries: deliveries.map((each) => viewDelivery(each, isAdmin)) };
      });
    },
  );
}

export function eventNotFound(id: string): Problem {
  return notFound(`There is no event ${id}, or it is no longer stored.`);
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
