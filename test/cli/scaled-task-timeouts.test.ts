import { randomUUID } from 'node:crypto';
import { Client, Connection, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import { scaledTaskTimeouts } from '../../src/process/temporal';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';

let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address: partOfRun('temporal').address });
});
afterAll(() => connection.close());

const clientAt = (speed: number) =>
  new Client({
    connection,
    interceptors: { workflow: [scaledTaskTimeouts({ virtualStart: 0, realStart: 0, speed })] },
  });

/** The workflow's task time-out in real ms, as recorded by Temporal. */
async function taskTimeoutOf(workflowId: string): Promise<number> {
  const handle = new Client({ connection }).workflow.getHandle(workflowId);
  const { events } = await handle.fetchHistory();
  await handle.terminate();
  return tsToMs(events?.[0]?.workflowExecutionStartedEventAttributes?.workflowTaskTimeout);
}

async function exists(workflowId: string): Promise<boolean> {
  try {
    await new Client({ connection }).workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

const nobody = () => ({ workflowId: `nobody/${randomUUID()}`, taskQueue: 'nobody' });

test.each([
  [14_400, 3000],
  [4320, 10_000],
  [1, 10_000],
])('a workflow started at a speed of %d has a task time-out of %d ms', async (speed, wait) => {
  const options = nobody();
  await clientAt(speed).workflow.start('nobody', options);
  expect(await taskTimeoutOf(options.workflowId)).toBe(wait);
});

test('a workflow started with an update has the same task time-out', async () => {
  const options = nobody();
  const startWorkflowOperation = new WithStartWorkflowOperation('nobody', {
    ...options,
    args: [],
    workflowIdConflictPolicy: 'FAIL',
  });
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  const { workflow } = clientAt(14_400);
  // No worker answers, but the workflow is started.
  const asking = new AbortController();
  const update = expect(
    connection.withAbortSignal(asking.signal, () =>
      workflow.executeUpdateWithStart('nothing', { startWorkflowOperation }),
    ),
  ).rejects.toThrow();
  await waitUntil('it is started', () => exists(options.workflowId));
  asking.abort();
  await update;
  expect(await taskTimeoutOf(options.workflowId)).toBe(3000);
});
