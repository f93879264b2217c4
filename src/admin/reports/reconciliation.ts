import { comparedUntil, coverPeriod } from '../../domain/coverage';
import { type Period, toIso } from '../../domain/time';
import type { OrderedReconciliation } from '../../temporal';
import {
  beginReconciliation,
  countDifferencesOfParts,
  type Db,
  listComparedRuns,
  listDifferencesOfParts,
  numberCursor,
  type Page,
  readReconciliation,
  readReport,
} from '../../ledger';
import { type AdminDeps, call, listing, type TypedApp } from '../dependencies';
import { actorOfCaller, callerOf } from '../http/caller';
import { pageOf } from '../http/fields';
import { Problem } from '../http/problems';
import { JobOut, viewReconciliationJob } from '../jobs/schema';
import {
  OrderReconciliation,
  type ReconciliationReport,
  ReconciliationQuery,
  ReconciliationReportOut,
  viewReconciliation,
} from './schema';

const tags = ['reports'];

/** `POST /reports/reconciliation` starts a comparison, `GET` returns what comparisons have found. */
export function reconciliationRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/reports/reconciliation',
    call('operator', 'reports', {
      config: { hasLocation: true },
      tags,
      operationId: 'orderReconciliation',
      summary: 'Compares the ledger with the payment service in a background job',
      description:
        'Reads every payment (of subscriptions and one-time) that had not ended before `from`, or was changed since, from the payment service, and compares the records dated within the period. Transactions in progress do not count as differences. Nothing is changed. Only one comparison runs at a time: a repeated request for the same period returns the running job; a request for another period returns 409 `state_conflict` with the `jobId`, `from` and `to` of the running one.',
      body: OrderReconciliation,
      response: { 202: JobOut.describe('The comparison was started; `Location` is the path of its job.') },
    }),
    async (request, reply) => {
      const [period, by] = [request.body, actorOfCaller(callerOf(request))];
      const runId = runIdOf(await deps.reconciliation.order(period, by));
      const [at, realAt] = [deps.clock.now(), deps.clock.realNow()];
      const run = await beginReconciliation(deps.db, { ...by, runId, period, at, realAt });
      return reply.code(202).header('location', `/v1/jobs/${runId}`).send(viewReconciliationJob(run));
    },
  );
  app.get(
    '/reports/reconciliation',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportReconciliation',
      summary: 'Lists the differences that comparisons of the ledger with the payment service have found',
      description:
        'Reports, for each part of the period, the result of its latest finished comparison, including the daily ones. It does not start a comparison. `comparedAt` is the time up to which everything in the period has been compared; it is null if a part of the period, listed in `notCompared`, has never been compared.',
      querystring: ReconciliationQuery,
      response: { 200: ReconciliationReportOut },
    }),
    async ({ query }) => readReport(listing(deps), (db) => report(db, query, pageOf(query, isRunCursor))),
  );
}

/** @throws Problem if no comparison was started or joined */
function runIdOf(ordered: OrderedReconciliation): string {
  switch (ordered.kind) {
    case 'started':
    case 'joined':
      return ordered.runId;
    case 'busy': {
      const { runId: jobId, period } = ordered;
      const [from, to] = [toIso(period.from), toIso(period.to)];
      throw new Problem(
        'state_conflict',
        `Job ${jobId} is comparing ${from} to ${to}. Wait until it ends, or stop it: only one comparison runs at a time.`,
        { jobId, from, to },
      );
    }
    case 'not_ready':
      throw new Problem('not_ready', 'Temporal cannot be reached. Repeat the request.', {}, { 'retry-after': '5' });
  }
}

async function report(db: Db, { from, to }: Period, page: Page): Promise<ReconciliationReportOut> {
  const period = { from, to };
  const position = page.cursor === null ? null : readRunCursor(page.cursor);
  if (position !== null && (await readReconciliation(db, position.runId)) === null) throw cursorExpired();
  const runs = await listComparedRuns(db, period, position?.runId ?? null);
  const coverage = coverPeriod(period, runs);
  const differences = await countDifferencesOfParts(db, coverage.parts);
  const found = await listDifferencesOfParts(db, coverage.parts, {
    limit: page.limit,
    cursor: position?.cursor ?? null,
  });
  const basis = position?.runId ?? lastEnded(runs);
  const nextCursor =
    found.nextCursor === null || basis === null ? null : runCursor({ runId: basis, cursor: found.nextCursor });
  const report: ReconciliationReport = { period, comparedAt: comparedUntil(coverage), differences, ...coverage };
  return viewReconciliation(report, { items: found.items, nextCursor });
}

/** The run that all pages of a list are based on: later runs are not included. */
function lastEnded(runs: readonly { readonly runId: string; readonly endedRealAt: number }[]): string | null {
  const [last] = [...runs].sort((one, other) => other.endedRealAt - one.endedRealAt);
  return last?.runId ?? null;
}

function cursorExpired(): Problem {
  const detail = 'The comparison that this cursor is based on is no longer stored. Start again without a cursor.';
  return new Problem('cursor_expired', detail);
}

/** A position in a list of differences, and the run that the list is based on. */
interface RunPosition {
  readonly runId: string;
  readonly cursor: string;
}

const RUN_CURSOR = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]+)$/;

function runCursor({ runId, cursor }: RunPosition): string {
  return `${runId}.${cursor}`;
}

function isRunCursor(text: string): boolean {
  return readRunCursor(text) !== null;
}

/** Null if the text is not such a cursor. */
function readRunCursor(text: string): RunPosition | null {
  const [, runId, cursor] = RUN_CURSOR.exec(text) ?? [];
  return runId === undefined || cursor === undefined || !numberCursor.is(cursor) ? null : { runId, cursor };
}
