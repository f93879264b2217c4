import { randomUUID } from 'node:crypto';
import type { AdminDeps, ReconciliationGateway, ReconciliationRun } from '../../src/admin';
import type { Difference } from '../../src/domain/ledger-differences';
import type { Span } from '../../src/domain/span';
import { beginReconciliation, type ComparedPayment, endReconciliation, recordCompared } from '../../src/ledger';

/** Stands where the workflow of a reconciliation is: what it is to find is found at once. */
export class FakeReconciliation implements ReconciliationGateway {
  readonly asked: { readonly span: Span; readonly actor: string }[] = [];
  found: readonly (ComparedPayment & { readonly differences: readonly Difference[] })[] = [];
  answer: Exclude<ReconciliationRun['kind'], 'compared'> | null = null;

  constructor(private readonly db: AdminDeps['db']) {}

  async run(span: Span, actor: string): Promise<ReconciliationRun> {
    this.asked.push({ span, actor });
    if (this.answer !== null) return { kind: this.answer };
    const runId = randomUUID();
    await beginReconciliation(this.db, { runId, span, actor, at: Date.UTC(2027, 0, 31, 12), realAt: 0 });
    for (const { differences, ...payment } of this.found) {
      await recordCompared(this.db, runId, payment, differences, null);
    }
    await endReconciliation(this.db, runId, null, 1);
    return { kind: 'compared', runId };
  }
}
