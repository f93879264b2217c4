import { randomUUID } from 'node:crypto';
import type { AdminDeps } from '../../src/admin';
import type { OrderedReconciliation, ReconciliationWorkflows } from '../../src/temporal';
import type { Difference } from '../../src/domain/reconciliation/subscription';
import type { Period } from '../../src/domain/time';
import type { Actor } from '../../src/domain/audit/event';
import { beginReconciliation, type ComparedPayment, endReconciliation, recordCompared } from '../../src/ledger';

/** Replaces the workflow of a reconciliation. */
export class FakeReconciliation implements ReconciliationWorkflows {
  readonly asked: (Actor & { readonly period: Period })[] = [];
  answer: OrderedReconciliation | null = null;
  private runs = 0;

  constructor(private readonly db: AdminDeps['db']) {}

  async order(period: Period, by: Actor): Promise<OrderedReconciliation> {
    this.asked.push({ period, ...by });
    return this.answer ?? { kind: 'started', runId: randomUUID() };
  }

  /** Records a finished run that started a second of real time after the previous one. @returns its id */
  async compared(
    period: Period,
    at: number,
    found: readonly (ComparedPayment & { readonly differences: readonly Difference[] })[] = [],
  ): Promise<string> {
    const runId = await this.started(period, at);
    await this.finds(runId, found);
    await endReconciliation(this.db, runId, null, this.runs * 1000 + 500);
    return runId;
  }

  async started(period: Period, at: number): Promise<string> {
    const runId = randomUUID();
    this.runs += 1;
    await beginReconciliation(this.db, { runId, period, actor: 'dueday', at, realAt: this.runs * 1000 });
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
