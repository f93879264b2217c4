import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { PINNED_KINDS, WORKFLOW_KINDS } from '../../src/contract/versions';
import { CONSENT_CHECK_WORKFLOW } from '../../src/contract/messages';
import { REFUND_WORKFLOW } from '../../src/contract/payments';
import { interactiveQueue } from '../../src/contract/workflows';
import { type Replayed, replayNewest, replayRuns } from '../../src/process/versions/replay';
import { buildIdOf, type WorkflowCode } from '../../src/platform/workflow-bundle';
import * as workflows from '../../workflows';
import { builtWorkflows } from '../support/built-workflows';
import { connectDevServerEnv, testWorkflows } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

/** A queue name with a character that could end a string in Temporal's query language. */
const taskQueue = `replay-o'${randomUUID()}`;

let env: TestWorkflowEnvironment;
let code: WorkflowCode;

/** Refunds that are retried in an hour. */
const WAITING = ['waits', 'waits too'] as const;

beforeAll(async () => {
  env = await connectDevServerEnv();
  code = builtWorkflows();
  const activities = {
    checkConsent: async () => ({ changed: null }),
    refundPayment: async ({ refundId }: { readonly refundId: string }) => {
      if (refundId.startsWith('waits'))
        throw ApplicationFailure.create({ message: 'not now', nextRetryDelay: '1 hour' });
      return null;
    },
  };
  const common = { connection: env.nativeConnection, ...testWorkflows(), activities };
  const [base, people] = await Promise.all([
    Worker.create({ ...common, taskQueue }),
    Worker.create({ ...common, taskQueue: interactiveQueue(taskQueue) }),
  ]);
  await base.runUntil(() => people.runUntil(beginAll));
  await waitUntil('Temporal lists them all', async () => (await found(100)).length === 3);
});

afterAll(async () => {
  await Promise.all([...WAITING, 'unknown'].map((id) => env.client.workflow.getHandle(idOf(id)).terminate()));
  await env.teardown();
});

function refundOf(refundId: string) {
  const amount = { value: 100, currency: 'EUR' };
  return { refundId, subscriptionId: 'sub', paymentId: 'pay', cycle: 0, captureId: 'cap', amount };
}

function idOf(name: string): string {
  return `${name}/${taskQueue}`;
}

/** Starts a refund that ends, two that wait, a check that ends, and a workflow of an unknown type. */
async function beginAll(): Promise<void> {
  const { workflow } = env.client;
  const start = (type: string, name: string, queue: string, ...args: unknown[]) =>
    workflow.start(type, { workflowId: idOf(name), taskQueue: queue, args });
  const ended = await start(REFUND_WORKFLOW, 'ended', taskQueue, refundOf('ended'));
  await ended.result();
  const reference = { subscriptionId: 'sub', paymentId: 'pay', status: 'active' };
  const check = await start(CONSENT_CHECK_WORKFLOW, 'check', interactiveQueue(taskQueue), reference);
  await check.result();
  for (const name of WAITING) {
    const waiting = await start(REFUND_WORKFLOW, name, taskQueue, refundOf(name));
    await waitUntil(
      'it has been tried',
      async () => ((await waiting.describe()).raw.pendingActivities?.[0]?.attempt ?? 0) > 1,
    );
  }
  await start('vanished', 'unknown', taskQueue);
}

async function found(newest: number, other = code, queue = taskQueue): Promise<readonly Replayed[]> {
  const all: Replayed[] = [];
  const replaying = { client: env.client, taskQueue: queue, code: other, dataConverter: {} };
  for await (const each of replayNewest(replaying, newest)) all.push(each);
  return all;
}

const inShort = (all: readonly Replayed[]) =>
  all.map(({ workflowId, fault }) => [workflowId.split('/')[0], fault === null]);

test('the newest running workflows of each kind are replayed, and none that has ended', async () => {
  expect(inShort(await found(100))).toEqual([
    ['waits too', true],
    ['waits', true],
    ['unknown', false],
  ]);
  expect(inShort(await found(1))).toEqual([
    ['waits too', true],
    ['unknown', false],
  ]);
});

test('a run that has ended since it was listed is not replayed', async () => {
  const { runId } = await env.client.workflow.getHandle(idOf('ended')).describe();
  const ended = { kind: REFUND_WORKFLOW, workflowId: idOf('ended'), runId, taskQueue };
  async function* listed() {
    yield ended;
  }
  const replaying = { client: env.client, taskQueue, code, dataConverter: {} };
  const all: Replayed[] = [];
  for await (const each of replayRuns(replaying, listed())) all.push(each);
  expect(all).toEqual([]);
});

test('a workflow that has not completed a task yet does not make the replay fail', async () => {
  const queue = `notStarted-${randomUUID()}`;
  const args = [refundOf('notStarted')];
  const begin = { workflowId: `notStarted/${queue}`, taskQueue: queue, args, startDelay: '1 hour' } as const;
  const notStarted = await env.client.workflow.start(REFUND_WORKFLOW, begin);
  try {
    expect((await notStarted.fetchHistory()).events).toHaveLength(1);
    let all: readonly Replayed[] = [];
    await waitUntil('Temporal lists it', async () => {
      all = await found(100, code, queue);
      return all.length > 0;
    });
    expect(inShort(all)).toEqual([['notStarted', true]]);
  } finally {
    await notStarted.terminate();
  }
});

test('running workflows of unknown types are reported with the reason', async () => {
  const [unknown] = (await found(1)).filter(({ kind }) => kind === 'vanished');
  expect(unknown?.fault).toBe('this release has no workflow of the type vanished');
});

test('code that decides differently cannot replay the existing histories', async () => {
  const other = { workflowBundle: { code: code.workflowBundle.code.replaceAll('refundPayment', 'repayPayment') } };
  const all = await found(100, other);
  expect(inShort(all)).toEqual([
    ['waits too', false],
    ['waits', false],
    ['unknown', false],
  ]);
  expect(all[0]?.fault).toMatch(/Nondeterminism.*repayPayment/);
});

test('all workflow types of a worker are replayed, and those marked in the code are pinned', () => {
  expect(WORKFLOW_KINDS.toSorted()).toEqual(Object.keys(workflows).toSorted());
  const saysSo = Object.entries(workflows).filter(([, workflow]) => 'workflowDefinitionOptions' in workflow);
  expect(saysSo.map(([kind]) => kind).toSorted()).toEqual(PINNED_KINDS.toSorted());
});

test('a build id depends only on the code, not on its location', () => {
  const bundle = (text: string): WorkflowCode => ({ workflowBundle: { code: text } });
  const map = (text: string) => `\n//# sourceMappingURL=data:application/json;base64,${text}`;
  expect(buildIdOf(bundle(`one${map('aGVyZQ==')}`))).toBe(buildIdOf(bundle(`one${map('dGhlcmU=')}`)));
  expect(buildIdOf(bundle('one'))).not.toBe(buildIdOf(bundle('other')));
  expect(buildIdOf(code)).toMatch(/^[0-9a-f]{16}$/);
});
