import { setTimeout as pause } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { withHeartbeat } from '../../activities/stops';

/** Work that takes 100 ms and enters a step after half of it. @returns the heartbeats that it sent */
async function heartbeatsOf(info: { heartbeatTimeoutMs?: number; isLocal?: boolean }): Promise<unknown[]> {
  const environment = new MockActivityEnvironment(info);
  const sent: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => sent.push(details));
  const result = await environment.run(() =>
    withHeartbeat(async (progress) => {
      await pause(50);
      progress('poll attempt', { authorizationId: 'auth-1' });
      await pause(50);
      return 'done';
    }),
  );
  expect(result).toBe('done');
  return sent;
}

it('work sends a heartbeat four times in its heartbeat time-out, with its latest step', async () => {
  const sent = await heartbeatsOf({ heartbeatTimeoutMs: 40 });
  expect(sent.length).toBeGreaterThan(2);
  expect(sent[0]).toEqual({ step: 'start' });
  expect(sent.at(-1)).toEqual({ step: 'poll attempt', authorizationId: 'auth-1' });
});

it('work that has ended sends no further heartbeat', async () => {
  const sent = await heartbeatsOf({ heartbeatTimeoutMs: 40 });
  const before = sent.length;
  await pause(50);
  expect(sent).toHaveLength(before);
});

it('short work sends no heartbeat, whether its heartbeat time-out is long or it has none', async () => {
  expect(await heartbeatsOf({ heartbeatTimeoutMs: 60_000 })).toEqual([]);
  expect(await heartbeatsOf({})).toEqual([]);
});

it('work within a workflow task sends no heartbeat', async () => {
  expect(await heartbeatsOf({ heartbeatTimeoutMs: 40, isLocal: true })).toEqual([]);
});
