import { comparedUntil, coverSpan } from '../../domain/coverage';
import { type Span, toIso } from '../../domain/time';
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

/** `POST /reports/reconciliation` orders a comparison, `GET` shows what comparisons have found. */
export function reconciliationRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/reports/reconciliation',
    call('operator', 'reports', {
      config: { hasLocation: true },
      tags,
      operationId: 'orderReconciliation',
      summary: 'Compares the ledger with the payment service, as a job',
      description:
        'Asks the payment service about every payment of the subscriptions, and every one-time payment, that had not ended before `from`, or was touched since, and compares records with a date in the span. What is under way is no difference. Nothing is changed. One runs at a time: ordered again for the same span, the answer names the job that runs; for another span it is 409 `state_conflict` with its `jobId`, `from` and `to`.',
      body: OrderReconciliation,
      response: { 202: JobOut.describe('The comparison is started; `Location` names its job.') },
    }),
    async (request, reply) => {
      const [span, by] = [request.body, actorOfCaller(callerOf(request))];
      const runId = runIdOf(await deps.reconciliation.order(span, by));
      const [at, realAt] = [deps.clock.now(), deps.clock.realNow()];
      const run = await beginReconciliation(deps.db, { ...by, runId, span, at, realAt });
      return reply.code(202).header('location', `/v1/jobs/${runId}`).send(viewReconciliationJob(run));
    },
  );
  app.get(
    '/reports/reconciliation',
    call('viewer', 'reports', {
      tags,
      operationId: 'reportReconciliation',
      summary: 'Every difference that comparisons of the ledger with the payment service have found',
      description:
        'Tells of each part of the span what the newest finished comparison of it has found, the daily ones included; it begins none. `comparedAt` is the instant up to which everything in the span has been compared, and null where a part of it, named in `notCompared`, never was.',
      querystring: ReconciliationQuery,
      response: { 200: ReconciliationReportOut },
    }),
    async ({ query }) => readReport(listing(deps), (db) => report(db, query, pageOf(query, isRunCursor))),
  );
}

/** @throws Problem where none was begun and none could be joined. */
function runIdOf(ordered: OrderedReconciliation): string {
  switch (ordered.kind) {
    case 'begun':
    case 'joined':
      return ordered.runId;
    case 'busy': {
      const { runId: jobId, span } = ordered;
      const [from, to] = [toIso(span.from), toIso(span.to)];
      throw new Problem(
        'state_conflict',
        `Job ${jobId} compares ${from} to ${to}. Wait for its end, or stop it: one runs at a time.`,
        { jobId, from, to },
      );
    }
    case 'not_ready':
      throw new Problem('not_ready', 'Temporal cannot be reached. Repeat the request.', {}, { 'retry-after': '5' });
  }
}

async function report(db: Db, { from, to }: Span, page: Page): Promise<ReconciliationReportOut> {
  const span = { from, to };
  const place = page.cursor === null ? null : readRunCursor(page.cursor);
  if (place !== null && (await readReconciliation(db, place.runId)) === null) throw gone();
  const runs = await listComparedRuns(db, span, place?.runId ?? null);
  const coverage = coverSpan(span, runs);
  const differences = await countDifferencesOfParts(db, coverage.parts);
  const found = await listDifferencesOfParts(db, coverage.parts, { limit: page.limit, cursor: place?.cursor ?? null });
  const basis = place?.runId ?? lastEnded(runs);
  const nextCursor =
    found.nextCursor === null || basis === null ? null : runCursor({ runId: basis, cursor: found.nextCursor });
  const report: ReconciliationReport = { span, comparedAt: comparedUntil(coverage), differences, ...coverage };
  return viewReconciliation(report, { items: found.items, nextCursor });
}

/** Every page of a list stands on the runs that had ended when this one had. */
function lastEnded(runs: readonly { readonly runId: string; readonly endedRealAt: number }[]): string | null {
  const [last] = [...runs].sort((one, other) => other.endedRealAt - one.endedRealAt);
  return last?.runId ?? null;
}

function gone(): Problem {
  const detail = 'The comparison that the cursor stands on is no longer kept; ask without a cursor.';
  return new Problem('cursor_expired', detail);
}

/** A place among the differences of one comparison. */
interface RunPlace {
  readonly runId: string;
  readonly cursor: string;
}

const RUN_CURSOR = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]+)$/;

function runCursor({ runId, cursor }: RunPlace): string {
  return `${runId}.${cursor}`;
}

function isRunCursor(text: string): boolean {
  return readRunCursor(text) !== null;
}

/** Null where the text is no such cursor. */
function readRunCursor(text: string): RunPlace | null {
  const [, runId, cursor] = RUN_CURSOR.exec(text) ?? [];
  return runId === undefined || cursor === undefined || !numberCursor.is(cursor) ? null : { runId, cursor };
}
