import type { Worker } from '@temporalio/worker';
import { runWorkers } from '../../src/process/worker';

type State = ReturnType<Worker['getState']>;

test('where one worker ends by itself, stopping waits for what another one has under way', async () => {
  const happened: string[] = [];
  const broken = {
    run: () => Promise.reject(new Error('the namespace is gone')),
    getState: (): State => 'FAILED',
    shutdown: () => void happened.push('a failed one is told to stop'),
  };
  let end: () => void;
  const underWay = new Promise<void>((resolve) => (end = resolve));
  const healthy = {
    run: () => underWay,
    getState: (): State => 'RUNNING',
    shutdown() {
      happened.push('told to stop');
      // A turn later than all that is known to have failed.
      setImmediate(() => {
        happened.push('ended');
        end();
      });
    },
  };
  const running = runWorkers([broken, healthy]);
  expect(await running.failed).toBe('the worker ended: the namespace is gone');

  await running.stop();

  expect(happened).toEqual(['told to stop', 'ended']);
});
