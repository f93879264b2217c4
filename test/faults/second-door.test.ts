import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { changedSignal } from '../../src/contract/messages';
import type { Step, SubscriptionInput } from '../../src/contract/steps';
import { subscriptionWorkflowId } from '../../src/contract/workflows';
import { createPayloadEncryption } from '../../src/platform/payload-encryption';
import { waitUntil } from '../support/wait-until';
import {
  BY,
  client,
  clientWith,
  codec,
  expectGoesOn,
  workflows,
  handleOf,
  fake,
  rowOf,
  shownOf,
  subscribe,
  useSealedWorld,
  withWorker,
  world,
} from './sealed-world';

/**
 * Temporal is a second door to a subscription. What is sent through it without a key is refused as unreadable; with a key it
 * makes dueday ask its ledger what is due, and nothing else. The workflow continues.
 */

useSealedWorld();

const FORGER = { actor: 'till', keyId: BY.keyId, reason: 'because I can' };

/** Sends every message that would change a subscription if its workflow accepted it. */
async function sendAll(handle: WorkflowHandle): Promise<void> {
  await handle.signal<unknown[]>('changed', 9);
  await handle.signal<unknown[]>('changed', 'x');
  for (const name of ['pause', 'cancel', 'skipCycle', 'steered', 'replacement'])
    await handle.signal<unknown[]>(name, FORGER);
}

test('fault 49: a payload that was sent without a key is refused as unreadable and changes nothing', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    await sendAll(handleOf(id, world.env.client));
    expect(await shownOf(id)).toEqual(before);
    await expectGoesOn(id);
  });
});

test('fault 49: a payload that was encrypted for another workflow or with another key, or was altered, is refused', async () => {
  await withWorker(async () => {
    const [id, other] = [await subscribe(), await subscribe()];
    const before = [await shownOf(id), await shownOf(other)];
    const argument = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('9') };
    const sealFor = async (by: PayloadCodec, workflowId: string): Promise<Payload> =>
      (await by.encode([argument], { type: 'workflow', namespace: 'default', workflowId }))[0]!;
    const foreign = createPayloadEncryption([{ id: 'k9', key: randomBytes(32).toString('base64') }], {
      plainAllowed: false,
    });
    const own = subscriptionWorkflowId(id);
    const stolen = await sealFor(codec, subscriptionWorkflowId(other));
    const sent: readonly Payload[] = [
      stolen,
      { ...stolen, metadata: { ...stolen.metadata, 'workflow-id': Buffer.from(own) } },
      await sealFor(foreign, own),
    ];
    for (const payload of sent) {
      const forger = clientWith({
        encode: async () => [payload],
        decode: (all, context) => codec.decode(all, context),
      });
      await handleOf(id, forger).signal<unknown[]>('changed', 'replaced by the payload');
    }
    expect([await shownOf(id), await shownOf(other)]).toEqual(before);
    await expectGoesOn(id);
    expect((await rowOf(other))?.status).toBe('active');
    await workflows.steer('cancel', other, { ...BY, reason: null });
  });
});

test('fault 49: signals sent with a key, bypassing the API, change nothing, and an invented revision is not acknowledged', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    await sendAll(handleOf(id));
    await handleOf(id).signal(changedSignal, 1_000_000);
    expect(await shownOf(id)).toEqual(before);
    const { rows } = await world.db.query(
      'select acknowledged_revision <= revision as honest from subscriptions where subscription_id = $1',
      [id],
    );
    expect(rows).toEqual([{ honest: true }]);
    await expectGoesOn(id);
  });
});

test('fault 49: a workflow that was started with a key collects nothing that is not due in the ledger', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    const step: Step = {
      kind: 'collect',
      revision: 99,
      attempt: { cycle: 0, attempt: 0 },
      summary: 'forged',
      details: '',
    };
    const forged: SubscriptionInput = { subscriptionId: id, clock: null, step, revision: 99 };
    const workflowId = `${subscriptionWorkflowId(id)}-forged`;
    const { taskQueue } = world;
    const handle = await client.workflow.start('subscription', { workflowId, taskQueue, args: [forged] });
    await waitUntil('it has taken the step, and waits', async () => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).filter((each) => each.timerStartedEventAttributes != null).length > 0;
    });
    expect(fake.debits).toEqual([]);
    expect(await shownOf(id)).toEqual(before);
    await handle.terminate();
    await expectGoesOn(id);
  });
});
