import { randomBytes } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { Step } from '../../src/contract/steps';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { createPayloadEncryption, forWorkers } from '../../src/platform/payload-encryption';
import { builtWorkflows } from '../support/built-workflows';
import { waitUntil } from '../support/wait-until';
import { untilEnded } from './workflow-ends';
import {
  client,
  clientWith,
  codec,
  expectGoesOn,
  handleOf,
  fake,
  refused,
  shownOf,
  subscribe,
  useSealedWorld,
  withWorker,
  world,
} from './sealed-world';

/** With encryption keys, a payload that Temporal stores can be used only for the purpose for which it was sealed. */

useSealedWorld();

/** The payloads that Temporal has of the workflow, by the purpose for which each was sealed. */
async function sealedIn(handle: WorkflowHandle): Promise<ReadonlyMap<string, Payload>> {
  const found = new Map<string, Payload>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { metadata } = value as Payload;
    const purpose = Buffer.from(metadata?.['bound-to'] ?? []).toString();
    if (purpose !== '') found.set(purpose, value);
    else Object.values(value).forEach(visit);
  };
  const { runId } = await handle.describe();
  for (let next: string | undefined = runId; next !== undefined;) {
    const { events } = await client.workflow.getHandle(handle.workflowId, next).fetchHistory();
    events?.forEach(visit);
    next = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
  return found;
}

/** A client that sends this payload instead of every argument. */
function clientThatSends(payload: Payload): Client {
  return clientWith({
    encode: async (all) => all.map(() => payload),
    decode: (all, context) => codec.decode(all, context),
  });
}

test('fault 49: everything that a workflow sends and receives is encrypted for its purpose', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    await expectGoesOn(id);
    await untilEnded(client, subscriptionWorkflowId(id));
    const purposes = [...(await sealedIn(handleOf(id))).keys()];
    expect(purposes).toEqual(
      expect.arrayContaining([
        'argument of activity requestConsent',
        'result of activity requestConsent',
        'argument of activity cancelConsent',
        'result of activity cancelConsent',
        'result of activity decide',
        'argument of signal changed',
        'argument of workflow subscription',
        'result of workflow subscription',
      ]),
    );
  });
});

test('fault 49: a payload of the same workflow is refused for any other purpose', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    const stolen = [...(await sealedIn(handleOf(id)))];
    expect(stolen.length).toBeGreaterThan(4);
    for (const [, payload] of stolen)
      await handleOf(id, clientThatSends(payload)).signal<unknown[]>('changed', 'replaced by the payload');
    const reasons = stolen.map(
      ([purpose]) => `signal changed: a payload is bound to the ${purpose}; expected the argument of signal changed`,
    );
    // A repeated workflow task refuses a signal a second time.
    const distinct = () => [...new Set(refused)].toSorted();
    await waitUntil('all are refused', () => distinct().length === reasons.length);
    expect(distinct()).toEqual(reasons.toSorted());
    expect(await shownOf(id)).toEqual(before);
    await expectGoesOn(id);
  });
});

test('fault 49: a workflow that is started with a payload for another purpose ends at once and does nothing', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    await expectGoesOn(id);
    await untilEnded(client, subscriptionWorkflowId(id));
    const stolen = await sealedIn(handleOf(id));
    const posted = fake.debits.length;
    const { taskQueue } = world;
    for (const purpose of [
      'argument of activity awaitConsent',
      'result of activity awaitConsent',
      'argument of workflow subscription',
    ])
      for (const type of ['refund', 'capture', 'consentCheck', 'attempt']) {
        const thief = clientThatSends(stolen.get(purpose)!);
        const options = { workflowId: subscriptionWorkflowId(id), taskQueue, args: ['replaced by the payload'] };
        await expect(thief.workflow.execute(type, options)).rejects.toMatchObject({
          cause: { type: 'refused_start', message: expect.stringContaining(`bound to the ${purpose}`) },
        });
      }
    expect(fake.debits).toHaveLength(posted);
  });
});

/** Starts a workflow that waits for a change and has not asked for anything yet. */
async function startIdle(id: SubscriptionId): Promise<WorkflowHandle> {
  const step: Step = { kind: 'wait', until: null, revision: 0, summary: 'idle', details: '' };
  const args = [{ subscriptionId: id, clock: null, step }];
  const idle = await client.workflow.start('subscription', {
    workflowId: `idle/${id}`,
    taskQueue: world.taskQueue,
    args,
  });
  for (const tasks of [1, 2]) {
    await waitUntil('its task is completed', async () => {
      const { events } = await idle.fetchHistory();
      return events?.filter((each) => each.workflowTaskCompletedEventAttributes != null).length === tasks;
    });
    await idle.signal('of no meaning');
  }
  return idle;
}

test('a worker without the key cannot replay a workflow that was started by a worker with the key', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const idle = await startIdle(id);
    await expectGoesOn(id);
    await untilEnded(client, subscriptionWorkflowId(id));
    const other = createPayloadEncryption([{ id: 'k2', key: randomBytes(32).toString('base64') }], {
      plainAllowed: false,
    });
    for (const handle of [handleOf(id), idle]) {
      const history = await handle.fetchHistory();
      const replay = (by: PayloadCodec) =>
        Worker.runReplayHistory(
          { ...builtWorkflows(), dataConverter: { payloadCodecs: [forWorkers(by)] } },
          history,
          handle.workflowId,
        );
      await replay(codec);
      await expect(replay(other)).rejects.toThrow('key k1, which is not configured');
    }
    await idle.terminate();
  });
});
