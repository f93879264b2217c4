import { randomUUID } from 'node:crypto';
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { Pool } from 'pg';
import { type bareCreation, openedUpdate } from './workflows';

/**
 * Creates a subscription as one would with Temporal alone: claims the idempotency key, stores a draft, starts the workflow and
 * waits for its update in one call, and stores the answer.
 */
export async function createBareSubscription(client: Client, db: Pool, dueAt: number, cents: number): Promise<void> {
  const [id, key] = [randomUUID(), randomUUID()];
  await db.query('insert into request_keys (key) values ($1)', [key]);
  await db.query(`insert into subscriptions (id, status, due_at) values ($1, 'draft', to_timestamp($2))`, [
    ...[id, dueAt / 1000],
  ]);
  const input = { id, cents, firstDueAt: dueAt, interval: 7 * 24 * 3600 * 1000, cycle: 0 };
  const paymentId = await client.workflow.executeUpdateWithStart(openedUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof bareCreation>('bareCreation', {
      workflowId: `bare/${id}`,
      taskQueue: 'bare',
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
    }),
  });
  await db.query('update request_keys set answer = $2 where key = $1', [key, JSON.stringify({ id, paymentId })]);
}
