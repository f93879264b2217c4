import { deadlineCursor, listDeadlines, readList, readReport, sumCollections } from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { pageOf, listOf, PageQuery } from '../http/fields';
import { failingPayersRoute } from './failing-payers';
import { forecastRoute } from './forecast';
import { listedReportRoutes } from './listed';
import { recoveryRoutes } from './recovery';
import { todayRoute } from './today';
import { CollectionsReportOut, DeadlineOut, PeriodQuery, viewCollections, viewDeadline } from './schema';

const tags = ['reports'];

/** Collections, deadlines, forecast, recovery, today, failing payers, and counts of subscriptions and deliveries. */
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
  forecastRoute(app, deps);
  recoveryRoutes(app, deps);
  todayRoute(app, deps);
  failingPayersRoute(app, deps);
  listedReportRoutes(app, deps);
}
