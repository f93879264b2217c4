import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type WorkflowHandle } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { createClock } from '../../src/platform/clock';
import { interactiveQueue, queueName, subscriptionWorkflowId } from '../../src/contract/workflows';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { createSubscriptionWorkflows, type SubscriptionWorkflows } from '../../src/temporal';
import { getSubscription, listEvents, listUnacknowledged } from '../../src/ledger';
import { bindActivities, bindCalls, refusalSinks, type ReportRefusal } from '../../src/platform/payload-binding';
import { createPayloadEncryption, forWorkers } from '../../src/platform/payload-encryption';
import { builtWorkflows } from '../support/built-workflows';
import { draftOf } from '../support/drafts';
import { waitUntil } from '../support/wait-until';
import { type TemporalWorld, useTemporalWorld } from '../temporal/temporal-world';
import { FakeService } from '../admin/fake-service';

/** Workflows, a worker and a ledger whose messages through Temporal are encrypted; only the payment service is a fake. */

export let world: TemporalWorld;
const clock = createClock(null);
export const codec = createPayloadEncryption([{ id: 'k1', key: randomBytes(32).toString('base64') }], {
  plainAllowed: false,
});
export const BY = { actor: 'till', keyId: randomUUID() };

/** What was refused, with the reason. */
export const refused: string[] = [];
const report: ReportRefusal = (kind, name, why) => void refused.push(`${kind} ${name}: ${why}`);

export let workflows: SubscriptionWorkflows;
export let client: Client;
export let fake: FakeService;

/** Opened for the tests of one file. */
export function useSealedWorld(): void {
  world = useTemporalWorld();
  beforeEach(() => {
    refused.length = 0;
    client = clientWith(codec);
    fake = new FakeService(clock);
    const retryPolicy = { offsets: [DAY], transit: 0, gap: 0 };
    workflows = createSubscriptionWorkflows({
      ...world.access(),
      client,
      clock,
      retryPolicy,
      spreadSeconds: 0,
      increaseNotice: 0,
      timeouts: { createMs: 20_000, steerMs: 20_000, cancelMs: 20_000, checkMs: 20_000 },
    });
  });
}

export function clientWith(payloadCodec: PayloadCodec): Client {
  const { connection } = world.env;
  return new Client({
    connection,
    dataConverter: { payloadCodecs: [payloadCodec] },
    interceptors: { workflow: [bindCalls] },
  });
}

/** The workflow, its activities and the ledger are real; only the payment service is a fake. */
export async function withWorker(work: () => Promise<void>): Promise<void> {
  const activitiesAlone = {
    connection: world.env.nativeConnection,
    activities: fake.activities(world.db),
    interceptors: { activity: [bindActivities(true, report)] },
    dataConverter: { payloadCodecs: [forWorkers(codec)] },
  };
  const common = { ...activitiesAlone, ...builtWorkflows(), sinks: refusalSinks(report), debugMode: true };
  const queues = (['ledger', 'collecting'] as const).map((kind) => queueName(world.taskQueue, kind));
  const workers = await Promise.all([
    ...[world.taskQueue, interactiveQueue(world.taskQueue)].map((taskQueue) => Worker.create({ ...common, taskQueue })),
    ...queues.map((taskQueue) => Worker.create({ ...activitiesAlone, taskQueue })),
  ]);
  const run = workers.reduce((inner, worker) => () => worker.runUntil(inner), work);
  await run();
}

export async function subscribe(): Promise<SubscriptionId> {
  const draft = draftOf(clock, { repetition: 'WEEKLY', firstPaymentAt: clock.now() + 10 * DAY });
  const { subscriptionId } = draft;
  expect(await workflows.create(draft, BY)).toEqual({ kind: 'created' });
  await waitUntil('it is active', async () => (await rowOf(subscriptionId))?.status === 'active');
  return subscriptionId;
}

export const rowOf = (id: SubscriptionId) => getSubscription(world.db, id);
export const handleOf = (id: SubscriptionId, by = client): WorkflowHandle =>
  by.workflow.getHandle(subscriptionWorkflowId(id));

/** Everything that the ledger shows of a subscription, with the types of its audit entries. */
export async function shownOf(subscriptionId: SubscriptionId) {
  const { items } = await listEvents(world.db, { subscriptionId }, { limit: 50, cursor: null });
  return { row: await rowOf(subscriptionId), auditLog: items.map(({ type }) => type) };
}

/** Expects the workflow to act on a request of the API, and none of its tasks to have failed. */
export async function expectGoesOn(id: SubscriptionId): Promise<void> {
  const asked = { ...BY, reason: 'they asked' };
  expect(await workflows.steer('skip', id, { ...asked, cycle: 50 })).toEqual({ kind: 'done' });
  await waitUntil('its workflow has acknowledged that', async () => {
    const unacknowledged = await listUnacknowledged(world.db, '', 100);
    return unacknowledged.every(({ subscriptionId }) => subscriptionId !== id);
  });
  const { events } = await handleOf(id).fetchHistory();
  // Temporal repeats the task if a signal came while it was under way, which is not a failure of the workflow.
  const faults = events?.flatMap(({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? []);
  expect(faults?.filter((message) => message !== 'UnhandledCommand')).toEqual([]);
  expect(await workflows.steer('cancel', id, asked)).toEqual({ kind: 'done' });
  expect((await rowOf(id))?.status).toBe('cancelled');
}
