import { Forecast } from '../../domain/subscription/forecast';
import type { Span } from '../../domain/time';
import {
  countRetries,
  countWaiting,
  type Db,
  deadlineCursor,
  listDeadlines,
  readExpected,
  readList,
  readReport,
  sumCollections,
} from '../../ledger';
import { viewDeadline } from './deadline';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { pageOf, listOf, PageQuery } from '../http/fields';
import { failingPayersRoute } from './failing-payers';
import { recoveryRoutes } from './recovery';
import { todayRoute } from './today';
import {
  CollectionsReportOut,
  DeadlineOut,
  type ForecastParts,
  ForecastQuery,
  ForecastReportOut,
  SpanQuery,
  viewCollections,
  viewForecast,
} from './schema';

const tags = ['reports'];

/** What was collected, what runs out of time, what is to come, and today. */
export function reportRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/collections',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportCollections',
      summary: 'What fell due, by the UTC day of the due date, and what became of it',
      description:
        'Every figure goes by the due date of its cycle, whenever it was collected or refunded. `due` is what has fallen due by now: the sum of `collected`, `failed`, `skipped`, `missed` and `open`. `refunded` is part of `collected`.',
      querystring: SpanQuery,
      response: { 200: CollectionsReportOut },
    }),
    async ({ query }) => {
      return viewCollections(
        query,
        await readReport(listing(deps), (db) => sumCollections(db, query, deps.clock.now())),
      );
    },
  );
  app.get(
    '/reports/deadlines',
    call('viewer', 'reports', {
      tags,
      operationId: 'listDeadlines',
      summary: 'Lists the open cycles, the one whose time is over soonest first',
      description:
        'Cycles that have fallen due and are not final. One whose first attempt has not begun is `scheduled`; of several such of one subscription the earliest is listed.',
      querystring: PageQuery,
      response: { 200: listOf(DeadlineOut) },
    }),
    async ({ query }) => {
      const now = deps.clock.now();
      const page = pageOf(query, deadlineCursor.is);
      const { items, nextCursor } = await readList(listing(deps), (db) => listDeadlines(db, now, page));
      return { items: items.map((record) => viewDeadline(record, now)), nextCursor };
    },
  );
  app.get(
    '/reports/forecast',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportForecast',
      summary: 'What is still to be collected, by the UTC day of the due date',
      description:
        'From the calendars of active subscriptions, and of paused ones from the end of their pause on, each at the amount that its next cycle collects. Cycles that have been tried are not in `due`. `hoursToCollect` counts first attempts, retries, what waits now, and polls of what has been pending for over an hour.',
      querystring: ForecastQuery,
      response: { 200: ForecastReportOut },
    }),
    async ({ query }) => {
      return viewForecast(query, await readReport(listing(deps), (db) => readForecast(db, query, deps)));
    },
  );
  recoveryRoutes(app, deps);
  todayRoute(app, deps);
  failingPayersRoute(app, deps);
}

async function readForecast(db: Db, span: Span, { clock, policy }: AdminDeps): Promise<ForecastParts> {
  const forecast = new Forecast(span);
  for await (const page of readExpected(db, span)) page.forEach((expected) => forecast.add(expected));
  const now = clock.now();
  const { callsPerSecond } = policy;
  return {
    days: forecast.days(),
    retries: await countRetries(db, span),
    waiting: await countWaiting(db, span.from, now),
    until: Math.max(0, span.from - now),
    cap: callsPerSecond === undefined ? null : { callsPerSecond, speed: clock.setting?.speed ?? 1 },
  };
}
