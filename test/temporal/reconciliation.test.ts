import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createActivities, type WorkerDependencies } from '../../activities';
import {
  createReconciliationWorkflows,
  type OrderedReconciliation,
  type ReconciliationTimeouts,
} from '../../src/temporal';
import { createClock } from '../../src/platform/clock';
import { type ReconciliationResult } from '../../src/contract/housekeeping';
import { reconciliationWorkflowId } from '../../src/contract/workflow-ids';
import { beginReconciliation, listDifferences, readReconciliation, stopReconciliation } from '../../src/ledger';
import { AMOUNT, BOOKING, useWorld, type World } from '../activities/activity-world';
import { connectDevServerEnv, testWorkflows } from '../support/temporal';

/** The workflow, its activity, the ledger and the simulated service as they are. */
const holder = useWorld();
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await connectDevServerEnv();
});
afterAll(() => env.teardown());

const SPAN = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };
const OTHER = { from: 1, to: SPAN.to };

function open(timeouts: Partial<ReconciliationTimeouts> = {}) {
  const taskQueue = `reconciliation-${randomUUID()}`;
  const workflows = createReconciliationWorkflows({
    client: env.client,
    clock: createClock(null),
    db: holder.world.deps.ledger,
    taskQueue,
    timeouts: { startMs: 5_000, serviceMs: 1_000, ...timeouts },
  });
  return { taskQueue, workflows };
}

/** Waits for the end of this run. @returns its result */
async function ended(taskQueue: string, ordered: OrderedReconciliation): Promise<ReconciliationResult> {
  if (!('runId' in ordered)) throw new Error(ordered.kind);
  const handle = env.client.workflow.getHandle(reconciliationWorkflowId(taskQueue), ordered.runId);
  return (await handle.result()) as ReconciliationResult;
}

const endAll = (taskQueue: string) =>
  env.client.workflow.getHandle(reconciliationWorkflowId(taskQueue)).terminate('the test is over');

async function withWorker<T>(deps: WorkerDependencies, taskQueue: string, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    ...testWorkflows(),
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

test('a requested reconciliation stores its differences in the ledger under its run, without a waiting caller', async () => {
  const { world } = holder;
  const paymentId = await stolenFrom(world);
  const { taskQueue, workflows } = open();
  const ordered = await workflows.order(SPAN, { actor: 'till' });
  if (ordered.kind !== 'started') throw new Error(ordered.kind);
  expect(await withWorker(world.deps, taskQueue, () => ended(taskQueue, ordered))).toMatchObject({ kind: 'compared' });
  const { items } = await listDifferences(world.deps.ledger, ordered.runId, { limit: 5, cursor: null });
  expect(items).toMatchObject([{ kind: 'debit_unknown', paymentId }]);
  expect(await readReconciliation(world.deps.ledger, ordered.runId)).toMatchObject({
    state: 'compared',
    payments: 1,
    actor: 'till',
  });
  const description = await env.client.workflow.getHandle(reconciliationWorkflowId(taskQueue)).describe();
  expect(await description.staticSummary()).toBe(
    'compare ledger and service, from 1970-01-01T00:00:00.000Z to 2099-01-01T00:00:00.000Z',
  );
});

test('only one reconciliation runs at a time: a request for its period joins it, one for another period is refused until it has ended', async () => {
  const { world } = holder;
  const { taskQueue, workflows } = open();
  const orders = await Promise.all(['till', 'office', 'shop'].map((actor) => workflows.order(SPAN, { actor })));
  expect(orders.map(({ kind }) => kind).sort()).toEqual(['joined', 'joined', 'started']);
  const [first] = orders;
  if (!('runId' in first!)) throw new Error(first?.kind);
  const { runId } = first;
  expect(orders).toMatchObject(Array(3).fill({ runId }));
  expect(await workflows.order(OTHER, { actor: 'till' })).toEqual({ kind: 'busy', runId, period: SPAN });
  await withWorker(world.deps, taskQueue, () => ended(taskQueue, first));
  const next = await workflows.order(OTHER, { actor: 'till' });
  expect(next).toMatchObject({ kind: 'started' });
  expect(next).not.toMatchObject({ runId });
  await endAll(taskQueue);
});

test('a reconciliation that is stopped before a worker has started it no longer prevents others', async () => {
  const { ledger } = holder.world.deps;
  const { taskQueue, workflows } = open();
  const ordered = await workflows.order(SPAN, { actor: 'till' });
  if (ordered.kind !== 'started') throw new Error(ordered.kind);
  const act = { actor: 'till', at: 0, realAt: 0 };
  await beginReconciliation(ledger, { runId: ordered.runId, period: SPAN, ...act });
  await stopReconciliation(ledger, ordered.runId, act);
  for (const period of [SPAN, OTHER]) {
    const next = await workflows.order(period, { actor: 'till' });
    if (next.kind !== 'started') throw new Error(next.kind);
    expect(next.runId).not.toBe(ordered.runId);
    await beginReconciliation(ledger, { runId: next.runId, period, ...act });
    await stopReconciliation(ledger, next.runId, act);
  }
  await endAll(taskQueue);
});

test('a reconciliation that is stopped ends by itself, with what it has found', async () => {
  const { world } = holder;
  const stolen = [await stolenFrom(world), await stolenFrom(world)];
  const { rows } = await world.deps.ledger.query<{ paymentId: string }>(
    'select payment_id as "paymentId" from subscriptions where payment_id = any ($1) order by subscription_id',
    [stolen],
  );
  const { taskQueue, workflows } = open();
  const ordered = await workflows.order(SPAN, { actor: 'till' });
  if (ordered.kind !== 'started') throw new Error(ordered.kind);
  const act = { actor: 'till', at: 0, realAt: 0 };
  let asked = 0;
  const service = world.service({
    async listAuthorizations(paymentId) {
      if (paymentId !== rows[1]?.paymentId) return world.deps.service.listAuthorizations(paymentId);
      asked += 1;
      // The run is interrupted here; what it has stored for the first payment remains.
      if (asked === 1) return { kind: 'not_sent', reason: 'connection refused' };
      await stopReconciliation(world.deps.ledger, ordered.runId, act);
      return world.deps.service.listAuthorizations(paymentId);
    },
  });
  const result = await withWorker({ ...world.deps, service }, taskQueue, () => ended(taskQueue, ordered));
  expect(result).toEqual({ kind: 'stopped', runId: ordered.runId, payments: 1, differences: 1 });
});

test('a reconciliation reports that the service cannot be reached', async () => {
  const { world } = holder;
  await world.due();
  const { taskQueue, workflows } = open({ serviceMs: 1_000 });
  const service = world.service({ listAuthorizations: async () => ({ kind: 'not_sent', reason: 'refused' }) });
  // The activity counts its wait from the time at which Temporal scheduled it: real time, not the world's.
  const clock = createClock(null);
  const ordered = await workflows.order(SPAN, { actor: 'till' });
  const result = await withWorker({ ...world.deps, service, clock }, taskQueue, () => ended(taskQueue, ordered));
  expect(result).toMatchObject({ kind: 'service_unavailable' });
});

test('a reconciliation is not ready without Temporal', async () => {
  const late = createClock(null);
  const impatient = { now: () => late.now(), realNow: () => late.realNow() - 60_000, setting: null };
  const { ledger: db } = holder.world.deps;
  const workflows = createReconciliationWorkflows({
    client: env.client,
    clock: impatient,
    db,
    taskQueue: randomUUID(),
  });
  expect(await workflows.order(SPAN, { actor: 'till' })).toEqual({ kind: 'not_ready' });
});
