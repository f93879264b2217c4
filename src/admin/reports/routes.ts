import { capOf } from '../../domain/hours-to-collect';
import { Forecast } from '../../domain/subscription/forecast';
import type { Period } from '../../domain/time';
import {
  countPostponed,
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
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { pageOf, listOf, PageQuery } from '../http/fields';
import { failingPayersRoute } from './failing-payers';
import { listedReportRoutes } from './listed';
import { recoveryRoutes } from './recovery';
import { todayRoute } from './today';
import {
  CollectionsReportOut,
  DeadlineOut,
  type ForecastParts,
  ForecastQuery,
  ForecastReportOut,
  PeriodQuery,
  viewCollections,
  viewForecast,
  viewDeadline,
} from './schema';

const tags = ['reports'];

/** Collections, deadlines, forecast, recovery, today, failing payers, and the sums of lists. */
export function reportRoutes(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/collections',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportCollections',
      summary: 'Reports what fell due and its outcome, by the UTC day of the due date',
      description:
        'Every figure is attributed to the due date of its cycle, regardless of when it was collected or refunded. `due` is what has fallen due so far: the sum of `collected`, `failed`, `skipped`, `missed` and `open`. `refunded` is part of `collected`.',
      querystring: PeriodQuery,
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
      summary: 'Lists the open cycles, earliest deadline first',
      description:
        'Cycles that have fallen due and are not final. A cycle whose first attempt has not started is `scheduled`; if a subscription has several of them, only the earliest is listed.',
      querystring: PageQuery,
      response: { 200: listOf(DeadlineOut) },
    }),
    async (request) => {
      const now = deps.clock.now();
      const page = pageOf(request.query, deadlineCursor.is);
      const { items, nextCursor } = await readList(listing(deps), (db) => listDeadlines(db, now, page));
      return { items: items.map((record) => viewDeadline(record, now, callerOf(request))), nextCursor };
    },
  );
  app.get(
    '/reports/forecast',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportForecast',
      summary: 'Forecasts what will fall due, by the UTC day of the due date',
      description:
        'Calculated from the schedules of active subscriptions, and of paused ones from the end of their pause, each with the amount that its next cycle collects. Cycles that have been attempted are not included in `due`. `hoursToCollect` includes first attempts, retries, the current backlog, and polls of payments that have been pending for over an hour.',
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
  listedReportRoutes(app, deps);
}

async function readForecast(db: Db, period: Period, { clock, policy }: AdminDeps): Promise<ForecastParts> {
  const forecast = new Forecast(period);
  for await (const page of readExpected(db, period)) page.forEach((expected) => forecast.add(expected));
  const now = clock.now();
  return {
    days: forecast.days(),
    postponed: await countPostponed(db, period),
    retries: await countRetries(db, period),
    overdue: await countRetries(db, { from: period.from, to: Math.min(period.to, now) }),
    everOverdue: await countRetries(db, { from: 0, to: now }),
    waiting: await countWaiting(db, period.from, now),
    until: Math.max(0, period.from - now),
    cap: capOf(policy.callsPerSecond, clock.setting),
  };
}
