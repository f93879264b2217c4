import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../activities';
import { createRefundWorkflows } from '../../src/temporal';
import { createClock } from '../../src/platform/clock';
import { interactiveQueue } from '../../src/contract/workflows';
import { refundWorkflowId } from '../../src/contract/workflow-ids';
import { SECOND } from '../../src/domain/time';
import { getRefund, type RefundRecord } from '../../src/ledger';
import { useWorld, type World } from '../activities/activity-world';
import { createCollected, givenBack, placeRefund, refundEntries } from '../activities/refund-world';
import { connectDevServerEnv, testWorkflows } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

/** The workflow, its activity, the ledger and the simulated service as they are; only their time is moved by hand. */
const holder = useWorld();
let env: TestWorkflowEnvironment;

beforeAll(async () => {
  env = await connectDevServerEnv();
});
afterAll(() => env.teardown());

async function begin(wallet?: string, endMs = 60_000) {
  const { world } = holder;
  const input = await placeRefund(world, await createCollected(world, wallet));
  const refund = (await getRefund(world.deps.ledger, input.refundId))!;
  const taskQueue = `refunds-${randomUUID()}`;
  const timeouts = { startMs: 5_000, endMs };
  const workflows = createRefundWorkflows({ client: env.client, clock: createClock(null), taskQueue, timeouts });
  return { world, input, refund, workflows, taskQueue };
}

async function withWorker(world: World, taskQueue: string, work: () => Promise<void>): Promise<void> {
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: interactiveQueue(taskQueue),
    ...testWorkflows(),
    activities: createActivities(world.deps),
  });
  await worker.runUntil(work);
}

/** Does the work while the simulated time passes: a second in each tenth of a real one. */
async function whileTimePasses(world: World, work: () => Promise<void>): Promise<void> {
  const moving = new AbortController();
  const clock = moveOn(world, moving.signal);
  try {
    await work();
  } finally {
    moving.abort();
    await clock;
  }
}

async function moveOn(world: World, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    world.clock.pass(SECOND);
    await pause(100);
  }
}

const stateOf = async (world: World, { refundId }: RefundRecord) =>
  (await getRefund(world.deps.ledger, refundId))?.state;
const untilMade = (world: World, refund: RefundRecord) =>
  waitUntil('it is made', async () => (await stateOf(world, refund)) === 'successful');

test('a refund is made by its workflow, for which the caller waits, and only once, however often it is requested', async () => {
  const { world, input, refund, workflows, taskQueue } = await begin();
  await withWorker(world, taskQueue, async () => {
    await whileTimePasses(world, async () => expect(await workflows.run(refund)).toEqual({ kind: 'running' }));
    expect(await stateOf(world, refund)).toBe('successful');
    const handle = env.client.workflow.getHandle(refundWorkflowId(refund.refundId));
    const [made] = givenBack(world, input);
    expect(await handle.result()).toMatchObject({ kind: 'successful', serviceRefundId: made?.refundId });
    const description = await handle.describe();
    expect(description.status.name).toBe('COMPLETED');
    expect(await description.staticSummary()).toBe(`refund 5.00 EUR, cycle 0 of ${refund.subscriptionId}`);
    expect(await workflows.run(refund)).toEqual({ kind: 'running' });
  });
  expect(givenBack(world, input)).toHaveLength(1);
  expect((await refundEntries(world, input)).filter((type) => type === 'refund.successful')).toHaveLength(1);
});

test('a refund that takes long is reported as running, and is made in the end', async () => {
  const { world, input, refund, workflows, taskQueue } = await begin('slow-30', 1_000);
  await withWorker(world, taskQueue, async () => {
    expect(await workflows.run(refund)).toEqual({ kind: 'running' });
    await waitUntil('it is under way', async () => (await stateOf(world, refund)) === 'pending');
    expect(await workflows.start(refund)).toEqual({ kind: 'running' });
    await whileTimePasses(world, () => untilMade(world, refund));
  });
  expect(givenBack(world, input)).toHaveLength(1);
});

test('a refund waits for a worker; without Temporal the request is answered as not ready', async () => {
  const { world, input, refund, workflows, taskQueue } = await begin(undefined, 1_000);
  expect(await workflows.run(refund)).toEqual({ kind: 'running' });
  expect(await stateOf(world, refund)).toBeNull();
  const late = createClock(null);
  const impatient = { now: () => late.now(), realNow: () => late.realNow() - 60_000, setting: null };
  const deadline = createRefundWorkflows({ client: env.client, clock: impatient, taskQueue });
  expect(await deadline.start(refund)).toEqual({ kind: 'not_ready' });
  await withWorker(world, taskQueue, () => whileTimePasses(world, () => untilMade(world, refund)));
  expect(givenBack(world, input)).toHaveLength(1);
});
