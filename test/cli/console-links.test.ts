import { randomUUID } from 'node:crypto';
import { Client, Connection, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import { CONSOLE_MEMO } from '../../src/contract/workflows';
import { consoleLinks } from '../../src/process/temporal';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';

let connection: Connection;
let client: Client;

beforeAll(async () => {
  connection = await Connection.connect({ address: partOfRun('temporal').address });
  client = new Client({ connection, interceptors: { workflow: [consoleLinks('https://billing.internal/')] } });
});
afterAll(() => connection.close());

async function consoleOf(workflowId: string): Promise<unknown> {
  const handle = client.workflow.getHandle(workflowId);
  const { memo } = await handle.describe();
  await handle.terminate();
  return memo?.[CONSOLE_MEMO];
}

async function stands(workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

const nobody = () => ({ workflowId: `nobody/${randomUUID()}`, taskQueue: 'nobody' });

test('a workflow knows where the console is, beside what else its memo says', async () => {
  const options = nobody();
  await client.workflow.start('nobody', { ...options, memo: { other: 1 } });
  const { memo } = await client.workflow.getHandle(options.workflowId).describe();
  expect(memo).toEqual({ other: 1, [CONSOLE_MEMO]: 'https://billing.internal' });
  expect(await consoleOf(options.workflowId)).toBe('https://billing.internal');
});

test('so does one that is started with an update', async () => {
  const options = nobody();
  const startWorkflowOperation = new WithStartWorkflowOperation('nobody', {
    ...options,
    args: [],
    workflowIdConflictPolicy: 'FAIL',
  });
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  // No worker answers; the workflow is started all the same.
  const asking = new AbortController();
  const update = expect(
    connection.withAbortSignal(asking.signal, () =>
      client.workflow.executeUpdateWithStart('nothing', { startWorkflowOperation }),
    ),
  ).rejects.toThrow();
  await waitUntil('it is started', () => stands(options.workflowId));
  asking.abort();
  await update;
  expect(await consoleOf(options.workflowId)).toBe('https://billing.internal');
});
