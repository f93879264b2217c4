import { type Db, listDifferences, readList, readReconciliation, type ReconciliationRun } from '../../ledger';
import type { AdminDeps } from '../admin-deps';
import { callerOf } from '../caller';
import { pageOf } from '../page';
import { Problem } from '../problems';
import { isRunCursor, readRunCursor, runCursor } from '../run-cursor';
import { FAULT_ANSWERS } from '../schemas/problem';
import { ReconciliationQuery, ReconciliationReportOut } from '../schemas/reconciliation';
import { viewReconciliation } from '../views/reconciliation-view';
import type { TypedApp } from './typed-app';

/** `GET /reports/reconciliation`: asks the service about every payment concerned, and answers what differs. */
export function reconciliationRoute(app: TypedApp, deps: AdminDeps): void {
  app.get(
    '/reports/reconciliation',
    {
      config: { role: 'viewer' },
      schema: {
        tags: ['reports'],
        operationId: 'reportReconciliation',
        summary: 'Every difference between the ledger and the payment service',
        description:
          'Asks the payment service about every payment of the subscriptions, and every one-time payment, that had not ended before `from`, or was touched since, and compares records with a date in the span. What is under way is no difference. Nothing is changed. With a cursor, the further differences of the same comparison.',
        querystring: ReconciliationQuery,
        response: { 200: ReconciliationReportOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const page = pageOf(request.query, isRunCursor);
      const place = page.cursor === null ? null : readRunCursor(page.cursor);
      const runId = place?.runId ?? (await compare(deps, request.query, callerOf(request).name));
      const rest = { limit: page.limit, cursor: place?.cursor ?? null };
      const { run, found } = await readList(deps.reading, async (db) => ({
        run: await findRun(db, runId),
        found: await listDifferences(db, runId, rest),
      }));
      const nextCursor = found.nextCursor === null ? null : runCursor({ runId, cursor: found.nextCursor });
      return viewReconciliation(run, { items: found.items, nextCursor });
    },
  );
}

/** @throws Problem where there is no comparison to tell of. */
async function compare(deps: AdminDeps, { from, to }: { from: number; to: number }, actor: string): Promise<string> {
  const run = await deps.reconciliation.run({ from, to }, actor);
  switch (run.kind) {
    case 'compared':
      return run.runId;
    case 'service_unavailable':
      throw new Problem('payment_service_unavailable', 'The payment service cannot be asked, so nothing is compared.');
    case 'not_ready':
      throw new Problem(
        'not_ready',
        'No worker has finished the comparison in time. It may go on: repeat the request to hear of its end.',
      );
  }
}

/** @throws Problem where the comparison that a cursor names is no longer kept. */
async function findRun(db: Db, runId: string): Promise<ReconciliationRun> {
  const run = await readReconciliation(db, runId);
  if (run === null) throw new Problem('not_found', 'This comparison is no longer kept; ask without a cursor.');
  return run;
}
