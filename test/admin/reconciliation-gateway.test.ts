import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities, type WorkerDependencies } from '../../activities';
import { createReconciliationGateway, type ReconciliationPatience } from '../../src/admin';
import { createClock } from '../../src/clock';
import { reconciliationWorkflowId } from '../../src/contract/housekeeping';
import { listDifferences, readReconciliation } from '../../src/ledger';
import { AMOUNT, BOOKING, useWorld, type World } from '../activities/activity-world';
import { emptyLedger } from '../support/empty-ledger';
import { connectDevServerEnv, workflowBundle } from '../support/temporal';

/** The workflow, its activity, the ledger and the simulated service as they are. */
const holder = useWorld();
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await connectDevServerEnv();
});
afterAll(() => env.teardown());
beforeEach(() => emptyLedger(holder.world.deps.ledger));

const SPAN = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };

function open(patience: Partial<ReconciliationPatience> = {}) {
  const taskQueue = `reconciliation-${randomUUID()}`;
  const gateway = createReconciliationGateway({
    ...{ client: env.client, clock: createClock(null), taskQueue },
    patience: { startMs: 5_000, endMs: 20_000, serviceMs: 1_000, ...patience },
  });
  return { taskQueue, gateway };
}

async function withWorker<T>(deps: WorkerDependencies, taskQueue: string, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    ...{ connection: env.nativeConnection, taskQueue, workflowBundle: workflowBundle() },
    activities: createActivities(deps),
  });
  return worker.runUntil(work);
}

async function stolenFrom(world: World): Promise<string> {
  const { paymentId } = await world.due();
  await world.deps.service.initiate(paymentId, AMOUNT);
  world.clock.pass(2 * BOOKING);
  return paymentId;
}

test('what differs is in the ledger under the run that is answered, whoever asked', async () => {
  const { world } = holder;
  const paymentId = await stolenFrom(world);
  const { taskQueue, gateway } = open();
  const run = await withWorker(world.deps, taskQueue, () => gateway.run(SPAN, 'till'));
  if (run.kind !== 'compared') throw new Error(run.kind);
  const { items } = await listDifferences(world.deps.ledger, run.runId, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ kind: 'debit_unknown', paymentId }]);
  expect(await readReconciliation(world.deps.ledger, run.runId)).toMatchObject({ state: 'compared', payments: 1 });
  const description = await env.client.workflow.getHandle(reconciliationWorkflowId(taskQueue, SPAN)).describe();
  expect([description.status.name, await description.staticSummary()]).toEqual([
    'COMPLETED',
    'ledger and service, 1970-01-01T00:00:00.000Z to 2099-01-01T00:00:00.000Z',
  ]);
});

test('two who ask for the same span at once hear of one run; who asks later, of another', async () => {
  const { world } = holder;
  const { taskQueue, gateway } = open();
  const both = [gateway.run(SPAN, 'till'), gateway.run(SPAN, 'office')];
  const [first, second, third] = await withWorker(world.deps, taskQueue, async () => [
    ...(await Promise.all(both)),
    await gateway.run(SPAN, 'till'),
  ]);
  expect(second).toEqual(first);
  expect(third).toMatchObject({ kind: 'compared' });
  expect(third).not.toEqual(first);
});

test('a service that cannot be asked is told as such', async () => {
  const { world } = holder;
  await world.due();
  const { taskQueue, gateway } = open({ serviceMs: 1_000 });
  const service = world.service({ listAuthorizations: async () => ({ kind: 'not_sent', reason: 'refused' }) });
  // Waiting is counted from Temporal's own time, which is not the world's.
  const clock = createClock(null);
  const run = await withWorker({ ...world.deps, service, clock }, taskQueue, () => gateway.run(SPAN, 'till'));
  expect(run).toEqual({ kind: 'service_unavailable' });
});

test('without a worker it is not ready, and neither without Temporal', async () => {
  const { taskQueue, gateway } = open({ endMs: 500 });
  expect(await gateway.run(SPAN, 'till')).toEqual({ kind: 'not_ready' });
  await env.client.workflow.getHandle(reconciliationWorkflowId(taskQueue, SPAN)).terminate('the test is over');
  const late = createClock(null);
  const impatient = { now: () => late.now(), realNow: () => late.realNow() - 60_000, setting: null };
  const deadline = createReconciliationGateway({ client: env.client, clock: impatient, taskQueue });
  expect(await deadline.run(SPAN, 'till')).toEqual({ kind: 'not_ready' });
});
