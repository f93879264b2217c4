import type { FastifyRequest } from 'fastify';
import type { SubscriptionId } from '../../domain/ids';
import {
  type CycleRecord,
  type Db,
  getCycle,
  getSubscription,
  type SubscriptionRecord,
  numberCursor,
  listCycles,
  listEvents,
  listSubscriptionIds,
  listSubscriptions,
  readList,
  steeredCycles,
  subscriptionsById,
} from '../../ledger';
import { CycleOut, viewCycle } from './cycle-schema';
import { type AdminDeps, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { pageOf, listOf, PageQuery } from '../http/fields';
import { readSortedPage } from '../http/list-query';
import { notFound, ERROR_RESPONSES } from '../http/problems';
import { READS_SUBSCRIPTIONS, seesEmails } from '../access/powers';
import { EventOut, viewEvent } from '../audit/routes';
import { OF_SUBSCRIPTION, ScheduledCycleOut, SubscriptionOut, ScheduleQuery, SubscriptionsQuery } from './schema';
import { viewSchedule, viewSubscription } from './view';

/** @throws Problem `not_found`. */
export async function findSubscription(db: Db, id: SubscriptionId): Promise<SubscriptionRecord> {
  const record = await getSubscription(db, id);
  if (record === null) throw notFound(`There is no subscription ${id}.`);
  return record;
}

/**
 * The subscription as the ledger has it now, as the API shows it to the caller.
 * @throws Problem `not_found`.
 */
export async function showSubscription(
  { db, clock }: Pick<AdminDeps, 'db' | 'clock'>,
  request: FastifyRequest,
  id: SubscriptionId,
): Promise<SubscriptionOut> {
  return viewSubscription(await findSubscription(db, id), callerOf(request), clock.now());
}

/** @throws Problem `not_found` if the ledger does not have the cycle yet */
export async function findCycle(db: Db, id: SubscriptionId, n: number): Promise<CycleRecord> {
  const cycle = await getCycle(db, id, n);
  if (cycle === null) throw notFound(`Subscription ${id} has no cycle ${n} yet.`);
  return cycle;
}

const READ = { config: { role: 'viewer', scope: READS_SUBSCRIPTIONS } } as const;

const SUBSCRIPTIONS = { page: listSubscriptions, ids: listSubscriptionIds, byId: subscriptionsById };

/** `GET /subscriptions` and `GET /subscriptions/{id}`. */
export function readSubscriptionRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/subscriptions',
    {
      ...READ,
      schema: {
        tags: ['subscriptions'],
        operationId: 'listSubscriptions',
        summary: 'Lists subscriptions, newest first by default',
        querystring: SubscriptionsQuery,
        response: { 200: listOf(SubscriptionOut), ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const filter = { ...request.query, hidesEmail: !seesEmails(caller) };
      const asked = { filter, query: request.query, keyId: caller.firstKeyId };
      const { items, nextCursor } = await readSortedPage(deps, SUBSCRIPTIONS, asked);
      const now = deps.clock.now();
      return { items: items.map((each) => viewSubscription(each, caller, now)), nextCursor };
    },
  );
  app.get(
    '/subscriptions/:id',
    {
      ...READ,
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'getSubscription',
        summary: 'Returns a subscription',
      },
    },
    async (request) => {
      const record = await readList(deps.reading, (db) => findSubscription(db, request.params.id));
      return viewSubscription(record, callerOf(request), deps.clock.now());
    },
  );
}

/** The past and future cycles of a subscription, and its audit log. */
export function readCycleRoutes(app: TypedApp, { reading, clock }: AdminDeps): void {
  app.get(
    '/subscriptions/:id/cycles',
    {
      ...READ,
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'listCycles',
        summary: 'Lists the cycles of a subscription with their attempts, newest first',
        querystring: PageQuery,
        response: { 200: listOf(CycleOut), ...ERROR_RESPONSES },
      },
    },
    async ({ params, query }) => {
      const page = pageOf(query, numberCursor.is);
      const { items, nextCursor } = await readList(reading, async (db) => {
        const { subscriptionId } = await findSubscription(db, params.id);
        return listCycles(db, subscriptionId, page);
      });
      return { items: items.map(viewCycle), nextCursor };
    },
  );
  app.get(
    '/subscriptions/:id/schedule',
    {
      ...READ,
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'getSchedule',
        summary: 'Lists the upcoming cycles of a subscription',
        querystring: ScheduleQuery,
        response: { 200: listOf(ScheduledCycleOut), ...ERROR_RESPONSES },
      },
    },
    async ({ params, query }) => {
      const items = await readList(reading, async (db) => {
        const record = await findSubscription(db, params.id);
        return viewSchedule(record, await steeredCycles(db, record.subscriptionId), query.count, clock.now());
      });
      return { items, nextCursor: null };
    },
  );
  app.get(
    '/subscriptions/:id/events',
    {
      ...READ,
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'listEvents',
        summary: 'Lists the audit log of a subscription, newest first (not its webhook events)',
        querystring: PageQuery,
        response: { 200: listOf(EventOut), ...ERROR_RESPONSES },
      },
    },
    async ({ params, query }) => {
      const page = pageOf(query, numberCursor.is);
      const { items, nextCursor } = await readList(reading, async (db) => {
        const { subscriptionId } = await findSubscription(db, params.id);
        return listEvents(db, { subscriptionId }, page);
      });
      return { items: items.map(viewEvent), nextCursor };
    },
  );
}
