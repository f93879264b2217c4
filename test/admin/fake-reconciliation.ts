import { randomUUID } from 'node:crypto';
import type { AdminDeps } from '../../src/admin';
import type { OrderedReconciliation, ReconciliationGateway } from '../../src/temporal';
import type { Difference } from '../../src/domain/reconciliation/subscription';
import type { Period } from '../../src/domain/time';
import type { Actor } from '../../src/domain/audit/event';
import { beginReconciliation, type ComparedPayment, endReconciliation, recordCompared } from '../../src/ledger';

/** Stands where the workflow of a reconciliation is. */
export class FakeReconciliation implements ReconciliationGateway {
  readonly asked: (Actor & { readonly span: Period })[] = [];
  answer: OrderedReconciliation | null = null;
  private runs = 0;

  constructor(private readonly db: AdminDeps['db']) {}

  async order(span: Period, by: Actor): Promise<OrderedReconciliation> {
    this.asked.push({ span, ...by });
    return this.answer ?? { kind: 'begun', runId: randomUUID() };
  }

  /** A finished run, started one second of real time after the previous one. */
  async compared(
    span: Period,
    at: number,
    found: readonly (ComparedPayment & { readonly differences: readonly Difference[] })[] = [],
  ): Promise<string> {
    const runId = await this.begun(span, at);
    await this.finds(runId, found);
    await endReconciliation(this.db, runId, null, this.runs * 1000 + 500);
    return runId;
  }

  async begun(span: Period, at: number): Promise<string> {
    const runId = randomUUID();
    this.runs += 1;
    await beginReconciliation(this.db, { runId, span, actor: 'dueday', at, realAt: this.runs * 1000 });
    return runId;
  }

  async finds(
    runId: string,
    found: readonly (ComparedPayment & { readonly differences: readonly Difference[] })[],
  ): Promise<void> {
    for (const { differences, ...payment } of found) {
      await recordCompared(this.db, runId, payment, differences, null);
    }
  }
}
