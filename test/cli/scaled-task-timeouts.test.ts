import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import { scaledTaskTimeouts } from '../../src/process/temporal';
import { partOfRun } from '../support/test-run';

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

test('a workflow started with a signal has the same task time-out', async () => {
  const options = nobody();
  await clientAt(14_400).workflow.signalWithStart('nobody', { ...options, signal: 'nothing' });
  expect(await taskTimeoutOf(options.workflowId)).toBe(3000);
});
