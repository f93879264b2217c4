import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { cancelUpdate, pauseUpdate } from './steered';

const UPDATES = { pause: pauseUpdate, cancel: cancelUpdate } as const;

/** An idempotent request: claims its key, executes the update of the workflow, and stores the answer. */
export async function steerBare(
  client: Client,
  db: Pool,
  verb: keyof typeof UPDATES,
  workflowId: string,
): Promise<void> {
  const key = randomUUID();
  await db.query('insert into request_keys (key) values ($1)', [key]);
  await client.workflow.getHandle(workflowId).executeUpdate(UPDATES[verb], { updateId: key });
  await db.query('update request_keys set answer = $2 where key = $1', [key, JSON.stringify({ verb })]);
}
