import { z } from 'zod';
import { HOUR } from '../../domain/time';
import { countTriesByHour, type HourOfTries, readList, readReport, sumSubscriptions } from '../../ledger';
import { READS_SUBSCRIPTIONS, seesEmails } from '../access/powers';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { InstantOut } from '../http/fields';
import { SubscriptionsFilter } from '../subscriptions/schema';
import { FigureOut } from './schema';

const tags = ['reports'];

/** Counting more would take longer than a page takes to load. */
const MAX_COUNTED = 100_000;

const SumOut = FigureOut.extend({
  isWhole: z.boolean().meta({ description: `False if there are more than the ${MAX_COUNTED} that were counted` }),
}).meta({
  id: 'SubscriptionsReport',
  description:
    'The number of subscriptions that match the filter, and what their next cycles collect in total: nothing for one that has ended or is paused without an end.',
});

/** Hours of {@link DeliveriesReportOut}, the present one included. */
const HOURS = 24;

const DeliveriesReportOut = z
  .object({
    items: z.array(
      z.object({
        endpointId: z.string(),
        hours: z
          .array(
            z.object({
              from: InstantOut.meta({ description: 'The start of the hour' }),
              delivered: z.int().min(0).meta({ description: 'Tries that the endpoint answered with 2xx' }),
              failed: z.int().min(0).meta({ description: 'All other tries' }),
            }),
          )
          .meta({ description: `${HOURS} hours, the oldest first, the present one last` }),
      }),
    ),
    nextCursor: z.null().meta({ description: 'Always null: the report has a single page' }),
  })
  .meta({
    id: 'DeliveriesReport',
    description: 'The tries of the last 24 hours at each endpoint that had any, by the hour; all times are real time.',
  });

/** `GET /reports/subscriptions` and `GET /reports/deliveries`. */
export function listedReportRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/subscriptions',
    call('viewer', READS_SUBSCRIPTIONS, {
      tags,
      operationId: 'reportSubscriptions',
      summary: 'Counts the subscriptions of a list, and adds up what their next cycles collect',
      description: `Takes the filters of the list of subscriptions. At most ${MAX_COUNTED} subscriptions are counted.`,
      querystring: SubscriptionsFilter,
      response: { 200: SumOut },
    }),
    async (request) => {
      const filter = { ...request.query, hidesEmail: !seesEmails(callerOf(request)) };
      return readReport(listing(deps), (db) => sumSubscriptions(db, filter, MAX_COUNTED));
    },
  );
  app.get(
    '/reports/deliveries',
    call('viewer', 'endpoints', {
      tags,
      operationId: 'reportDeliveries',
      summary: 'Counts the tries of the last 24 hours at each endpoint, by the hour',
      response: { 200: DeliveriesReportOut },
    }),
    async () => {
      const present = Math.floor(deps.clock.realNow() / HOUR) * HOUR;
      const first = present - (HOURS - 1) * HOUR;
      const counted = await readList(deps.reading, (db) => countTriesByHour(db, first));
      return { items: viewHours(counted, first), nextCursor: null };
    },
  );
}

/** Each endpoint with all {@link HOURS}, also those without a try. */
function viewHours(counted: readonly HourOfTries[], first: number): z.output<typeof DeliveriesReportOut>['items'] {
  const endpoints = [...new Set(counted.map(({ endpointId }) => endpointId))];
  return endpoints.map((endpointId) => ({
    endpointId,
    hours: Array.from({ length: HOURS }, (_, index) => {
      const from = first + index * HOUR;
      const found = counted.find((each) => each.endpointId === endpointId && each.from === from);
      return { from, delivered: found?.delivered ?? 0, failed: found?.failed ?? 0 };
    }),
  }));
}
