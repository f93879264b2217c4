import { randomUUID } from 'node:crypto';
import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { Pool } from 'pg';
import { type bareCreation, openedUpdate } from './workflows';

/**
 * A creation as one writes it with Temporal: the request's key is claimed, the draft stored, the workflow started and asked
 * in one call, the answer kept.
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
