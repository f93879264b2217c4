import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { createClock } from '../../src/clock';
import { changedSignal } from '../../src/contract/messages';
import type { Step, SubscriptionInput } from '../../src/contract/steps';
import { peopleQueue, queueName, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import { createTemporalGateway, type SubscriptionGateway } from '../../src/gateway';
import { getSubscription, listEvents, listUnacknowledged, type SubscriptionDraft } from '../../src/ledger';
import { bindActivities, bindCalls, type ReportRefusal } from '../../src/payload-binding';
import { createPayloadEncryption, forWorkers } from '../../src/payload-encryption';
import { refusalSinks } from '../../src/process/refused-messages';
import { builtWorkflows } from '../support/built-workflows';
import { waitUntil } from '../support/wait-until';
import { untilEnded } from './workflow-ends';
import { useGatewayWorld } from '../admin/gateway-world';
import { address } from '../admin/order';
import { PlayedService } from '../admin/played-service';

/**
 * Temporal is a second door to a subscription. What is sent through it without a key is refused as unreadable; with a key it
 * makes dueday ask its ledger what is due, and nothing else. The workflow goes on.
 */

const world = useGatewayWorld();
const clock = createClock(null);
const codec = createPayloadEncryption([{ id: 'k1', key: randomBytes(32).toString('base64') }], { plainAllowed: false });
const BY = { actor: 'till', keyId: randomUUID() };
const FORGER = { actor: 'till', keyId: BY.keyId, reason: 'because I can' };

/** What was refused, with the reason. */
const refused: string[] = [];
const report: ReportRefusal = (kind, name, why) => void refused.push(`${kind} ${name}: ${why}`);

let gateway: SubscriptionGateway;
let client: Client;
let played: PlayedService;

beforeEach(() => {
  refused.length = 0;
  client = clientWith(codec);
  played = new PlayedService(clock);
  const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
  gateway = createTemporalGateway({
    ...world.access(),
    client,
    clock,
    retryPolicy,
    spreadSeconds: 0,
    increaseNotice: 0,
    patience: { createMs: 20_000, steerMs: 20_000, cancelMs: 20_000 },
  });
});

function clientWith(payloadCodec: PayloadCodec): Client {
  const { connection } = world.env;
  return new Client({
    connection,
    dataConverter: { payloadCodecs: [payloadCodec] },
    interceptors: { workflow: [bindCalls] },
  });
}

/** The workflow, its activities and the ledger are as they are; only the payment service is played. */
async function withWorker(work: () => Promise<void>): Promise<void> {
  const activitiesAlone = {
    connection: world.env.nativeConnection,
    activities: played.activities(world.db),
    interceptors: { activity: [bindActivities(true, report)] },
    dataConverter: { payloadCodecs: [forWorkers(codec)] },
  };
  const common = { ...activitiesAlone, ...builtWorkflows(), sinks: refusalSinks(report), debugMode: true };
  const queues = (['ledger', 'collecting', 'notices'] as const).map((kind) => queueName(world.taskQueue, kind));
  const workers = await Promise.all([
    ...[world.taskQueue, peopleQueue(world.taskQueue)].map((taskQueue) => Worker.create({ ...common, taskQueue })),
    ...queues.map((taskQueue) => Worker.create({ ...activitiesAlone, taskQueue })),
  ]);
  const run = workers.reduce((inner, worker) => () => worker.runUntil(inner), work);
  await run();
}

async function subscribe(): Promise<SubscriptionId> {
  const subscriptionId = `sub_${randomUUID()}` as SubscriptionId;
  const draft: SubscriptionDraft = {
    subscriptionId,
    workflowId: subscriptionWorkflowId(subscriptionId),
    repetition: 'WEEKLY',
    consentAmount: euros(1999),
    startAt: clock.now(),
    firstPaymentAt: clock.now() + 10 * DAY,
    endAt: null,
    onExhausted: 'continue',
    returnURL: 'https://shop.example/',
    payer: { email: null, reference: null },
    billingAddress: address() as unknown as SubscriptionDraft['billingAddress'],
    shippingAddress: null,
    replaces: null,
    warnings: [],
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
  };
  expect(await gateway.create(draft, BY)).toEqual({ kind: 'created' });
  await waitUntil('it is active', async () => (await rowOf(subscriptionId))?.status === 'active');
  return subscriptionId;
}

const rowOf = (id: SubscriptionId) => getSubscription(world.db, id);
const handleOf = (id: SubscriptionId, by = client): WorkflowHandle => by.workflow.getHandle(subscriptionWorkflowId(id));

/** All that the ledger shows of a subscription, and how far its audit log has come. */
async function shownOf(subscriptionId: SubscriptionId) {
  const { items } = await listEvents(world.db, { subscriptionId }, { limit: 50, cursor: null });
  return { row: await rowOf(subscriptionId), trail: items.map(({ type }) => type) };
}

/** It acts on what the API asks, and no task of its workflow has failed. */
async function expectGoesOn(id: SubscriptionId): Promise<void> {
  const asked = { ...BY, reason: 'they asked' };
  expect(await gateway.steer('skip', id, { ...asked, cycle: 70 })).toEqual({ kind: 'done' });
  await waitUntil('its workflow has acknowledged that', async () => {
    const unacknowledged = await listUnacknowledged(world.db, '', 100);
    return unacknowledged.every(({ subscriptionId }) => subscriptionId !== id);
  });
  const { events } = await handleOf(id).fetchHistory();
  expect(events?.filter((each) => each.workflowTaskFailedEventAttributes != null)).toEqual([]);
  expect(await gateway.steer('cancel', id, asked)).toEqual({ kind: 'done' });
  expect((await rowOf(id))?.status).toBe('cancelled');
}

/** Every message that could steer a subscription, if the workflow took any. */
async function sendAll(handle: WorkflowHandle): Promise<void> {
  await handle.signal<unknown[]>('changed', 9);
  await handle.signal<unknown[]>('changed', 'x');
  for (const name of ['pause', 'cancel', 'skipCycle', 'steered', 'replacement'])
    await handle.signal<unknown[]>(name, FORGER);
}

test('fault 49: what is sent without a key is refused as unreadable, and changes nothing', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    await sendAll(handleOf(id, world.env.client));
    expect(await shownOf(id)).toEqual(before);
    await expectGoesOn(id);
  });
});

test('fault 49: what was sealed for another workflow, by another key, or was changed, is refused', async () => {
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
    await gateway.steer('cancel', other, { ...BY, reason: null });
  });
});

test('fault 49: with a key, but past the API, nothing is changed: a revision that was made up is not even acknowledged', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    await sendAll(handleOf(id));
    await handleOf(id).signal(changedSignal, 1_000_000);
    expect(await shownOf(id)).toEqual(before);
    const { rows } = await world.db.query(
      'select heard_revision <= revision as honest from subscriptions where subscription_id = $1',
      [id],
    );
    expect(rows).toEqual([{ honest: true }]);
    await expectGoesOn(id);
  });
});

test('fault 49: a workflow that was started with a key collects nothing that the ledger does not have due', async () => {
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
    expect(played.debits).toEqual([]);
    expect(await shownOf(id)).toEqual(before);
    await handle.terminate();
    await expectGoesOn(id);
  });
});

/** What Temporal has of the workflow's messages and activities, by what each payload was sealed for. */
async function sealedIn(handle: WorkflowHandle): Promise<ReadonlyMap<string, Payload>> {
  const found = new Map<string, Payload>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { metadata } = value as Payload;
    const purpose = Buffer.from(metadata?.['bound-to'] ?? []).toString();
    if (purpose !== '') found.set(purpose, value as Payload);
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

/** Sends these payloads in place of every argument. */
function clientThatSends(payload: Payload): Client {
  return clientWith({
    encode: async (all) => all.map(() => payload),
    decode: (all, context) => codec.decode(all, context),
  });
}

test('fault 49: all that a workflow sends and receives is sealed for its purpose', async () => {
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

test('fault 49: what was sealed for the same workflow is refused for any other purpose', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    const before = await shownOf(id);
    const stolen = [...(await sealedIn(handleOf(id)))];
    expect(stolen.length).toBeGreaterThan(4);
    for (const [, payload] of stolen)
      await handleOf(id, clientThatSends(payload)).signal<unknown[]>('changed', 'replaced by the payload');
    await waitUntil('all are refused', () => refused.length === stolen.length);
    expect(refused).toEqual(
      stolen.map(
        ([purpose]) => `signal changed: a payload is bound to the ${purpose}; expected the argument of signal changed`,
      ),
    );
    expect(await shownOf(id)).toEqual(before);
    await expectGoesOn(id);
  });
});

test('fault 49: a start with what was sealed for something else ends at once, and does nothing', async () => {
  await withWorker(async () => {
    const id = await subscribe();
    await expectGoesOn(id);
    await untilEnded(client, subscriptionWorkflowId(id));
    const stolen = await sealedIn(handleOf(id));
    const posted = played.debits.length;
    const { taskQueue } = world;
    for (const purpose of [
      'argument of activity awaitConsent',
      'result of activity awaitConsent',
      'argument of workflow subscription',
    ])
      for (const type of ['refund', 'notice', 'consentCheck', 'attempt']) {
        const thief = clientThatSends(stolen.get(purpose)!);
        const options = { workflowId: subscriptionWorkflowId(id), taskQueue, args: ['replaced by the payload'] };
        await expect(thief.workflow.execute(type, options)).rejects.toMatchObject({
          cause: { type: 'refused_start', message: expect.stringContaining(`bound to the ${purpose}`) },
        });
      }
    expect(played.debits).toHaveLength(posted);
  });
});

/** One that waits for a change without having asked for anything yet. */
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

test('a worker that lacks the key decides nothing about what others have started', async () => {
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
