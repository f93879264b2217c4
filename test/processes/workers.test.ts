import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { createClock } from '../../src/platform/clock';
import { loadConfig } from '../../src/config';
import { MINUTE } from '../../src/domain/time';
import { housekeepingWorkflowId } from '../../src/contract/workflow-ids';
import { watchHousekeeping } from '../../src/process/daemon';
import type { Dependencies } from '../../src/process/dependencies';
import { runWorkers, startHousekeeping } from '../../src/process/worker';
import { silentLog } from '../support/silent-log';
import { partOfRun } from '../support/test-run';
import { waitUntil } from '../support/wait-until';

type State = ReturnType<Worker['getState']>;

test('if one worker ends by itself, stopping waits for the work of the others', async () => {
  const happened: string[] = [];
  const broken = {
    run: () => Promise.reject(new Error('the namespace is gone')),
    getState: (): State => 'FAILED',
    shutdown: () => void happened.push('a failed worker is asked to stop'),
  };
  let end: () => void;
  const underWay = new Promise<void>((resolve) => (end = resolve));
  const healthy = {
    run: () => underWay,
    getState: (): State => 'RUNNING',
    shutdown() {
      happened.push('asked to stop');
      // Wait for one turn of the event loop after the failure.
      setImmediate(() => {
        happened.push('ended');
        end();
      });
    },
  };
  const running = runWorkers([broken, healthy]);
  expect(await running.failed).toBe('the worker ended: the namespace is gone');

  await running.stop();

  expect(happened).toEqual(['asked to stop', 'ended']);
});

/** Temporal answers in real time. */
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

test('the daily work is restarted within minutes of its end, not only at the start of a process', async () => {
  const { address } = partOfRun('temporal');
  const taskQueue = `daily-${randomBytes(4).toString('hex')}`;
  const config = loadConfig({ TEMPORAL_ADDRESS: address, TEMPORAL_TASK_QUEUE: taskQueue });
  const parts = { config, clock: createClock(null), log: silentLog() } as unknown as Dependencies;
  const connection = await Connection.connect({ address });
  const daily = new Client({ connection }).workflow.getHandle(housekeepingWorkflowId(taskQueue));
  const isRunning = async () => (await daily.describe()).status.name === 'RUNNING';
  await startHousekeeping(parts);
  jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
  const watching = watchHousekeeping(parts);
  try {
    await daily.terminate();
    jest.advanceTimersByTime(5 * MINUTE);
    await waitUntil('it is running again', isRunning);
  } finally {
    await watching.stop();
    jest.useRealTimers();
    await daily.terminate();
    await connection.close();
  }
});
