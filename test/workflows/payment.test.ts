import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { changedSignal, PAYMENT_CHECK_WORKFLOW } from '../../src/contract/messages';
import {
  CAPTURE_WORKFLOW,
  type CaptureInput,
  type OrderActivities,
  PAYMENT_WORKFLOW,
  type PaymentActivities,
  paymentWorkflowId,
} from '../../src/contract/payments';
import type { PaymentInput, PaymentStepInput, Step } from '../../src/contract/steps';
import { DUEDAY_STATUS, SEARCH_ATTRIBUTES } from '../../src/contract/workflows';
import { captureWorkflowId } from '../../src/contract/workflow-ids';
import type { OrderId, PaymentId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import type { PathName } from '../replay/paths';
import { historiesOf, recordHistories } from '../replay/recording';
import { FINISH, step } from '../support/step-world';
import { startTimeSkippingEnv, testWorkflows } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkippingEnv();
  const KEYWORD = 2;
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
  await env.connection.operatorService.addSearchAttributes({ namespace: env.namespace ?? 'default', searchAttributes });
});
afterAll(() => env.teardown());

type Name = keyof PaymentActivities;
type Steps = (call: { readonly name: Name; readonly input: PaymentStepInput }, nth: number) => Step | Promise<Step>;

interface Called {
  readonly name: Name;
  readonly input: PaymentStepInput;
  /** Days since the start. */
  readonly day: number;
}

/** One payment's workflow whose activities answer as the test says; there is no ledger behind it. */
async function live(
  path: PathName,
  steps: Steps,
  story: (life: {
    readonly calls: Called[];
    readonly changed: (revision: number) => Promise<void>;
  }) => Promise<void> = async () => undefined,
  input: Partial<PaymentInput> = {},
) {
  const calls: Called[] = [];
  const requestId = `pay_${randomUUID()}`;
  const workflowId = paymentWorkflowId(requestId);
  const startedAt = await env.currentTimeMs();
  const answered = (name: Name) => async (given: PaymentStepInput) => {
    const day = Math.round((await env.currentTimeMs()) - startedAt) / DAY;
    return steps({ name, input: given }, calls.push({ name, input: given, day: Math.round(day * 24) / 24 }) - 1);
  };
  return withWorker(
    {
      decidePayment: answered('decidePayment'),
      requestPayment: answered('requestPayment'),
      followPayment: answered('followPayment'),
      releasePayment: answered('releasePayment'),
    },
    async (taskQueue) => {
      const args: [PaymentInput] = [{ requestId, clock: null, ...input }];
      const handle = await env.client.workflow.start(PAYMENT_WORKFLOW, { workflowId, taskQueue, args });
      await story({ calls, changed: (revision) => handle.signal(changedSignal, revision) });
      await handle.result();
      await recordHistories(env, workflowId, path);
      const { typedSearchAttributes } = await handle.describe();
      return {
        calls,
        requestId,
        names: calls.map(({ name }) => name),
        shown: typedSearchAttributes.get(DUEDAY_STATUS),
      };
    },
  );
}

async function withWorker<T>(activities: object, work: (taskQueue: string) => Promise<T>): Promise<T> {
  const taskQueue = `payments-${randomUUID()}`;
  const worker = await Worker.create({ connection: env.nativeConnection, taskQueue, ...testWorkflows(), activities });
  return worker.runUntil(() => work(taskQueue));
}

const until = async (days: number) => (await env.currentTimeMs()) + days * DAY;
/** Answers these steps, one a call. */
const inOrder =
  (...steps: readonly Step[]): Steps =>
  (_call, nth) =>
    steps[nth] ?? FINISH;

test('each step of a payment is carried out by the activity of its name, with references alone', async () => {
  const shown = (status: string) => ({ show: { status } });
  const {
    calls,
    requestId,
    shown: status,
  } = await live(
    'payment: the order of a life',
    inOrder(
      step('request_consent'),
      step('follow_payment', shown('pending_consent')),
      step('wait', { until: await until(2), ...shown('authorized') }),
      step('release', { revision: 3 }),
      step('finish', { revision: 3, ...shown('released') }),
    ),
  );
  expect(calls.map(({ name, day }) => [name, day])).toEqual([
    ['decidePayment', 0],
    ['requestPayment', 0],
    ['followPayment', 0],
    ['decidePayment', 2],
    ['releasePayment', 2],
  ]);
  expect(calls.map(({ input }) => input)).toEqual(Array(5).fill({ requestId, revision: 0 }));
  expect(status).toBe('released');
});

test('following a payment for a long time takes one activity, whose waits write no history', async () => {
  let asked = 0;
  const { requestId, names } = await live('payment: followed for long', ({ name }) => {
    if (name === 'decidePayment') return step('follow_payment');
    asked += 1;
    if (asked > 20) return FINISH;
    throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '1 minute' });
  });
  expect(names).toHaveLength(22);
  const [history] = await historiesOf(env.client, paymentWorkflowId(requestId));
  expect(history?.events?.length).toBeLessThan(20);
});

test('fault 29: a request whose worker was lost is made once, and continues from the ledger', async () => {
  const { names } = await live(
    'payment: a request whose worker was lost',
    ({ name }) => {
      if (name === 'requestPayment') throw new Error('activity Heartbeat timeout');
      return name === 'decidePayment' ? step('follow_payment') : FINISH;
    },
    undefined,
    { step: step('request_consent') },
  );
  expect(names).toEqual(['requestPayment', 'decidePayment', 'followPayment']);
});

test('a change ends a wait without an end, and the ledger is asked with its revision', async () => {
  const { calls } = await live(
    'payment: a change ends a wait',
    inOrder(step('wait', { until: null }), step('finish', { revision: 7 })),
    async ({ calls: made, changed }) => {
      await waitUntil('the ledger was asked', () => made.length > 0);
      await env.sleep(HOUR);
      await changed(7);
    },
  );
  expect(calls.map(({ name, input }) => [name, input.revision])).toEqual([
    ['decidePayment', 0],
    ['decidePayment', 7],
  ]);
});

test('a change stops a polling activity, and the workflow asks the ledger for the next step', async () => {
  const { names } = await live(
    'payment: a change stops what polls',
    ({ name, input }) => {
      if (name === 'followPayment') {
        throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '1 day' });
      }
      return input.revision === 0 ? step('follow_payment') : step('finish', { revision: 1 });
    },
    async ({ calls: made, changed }) => {
      await waitUntil('it polls', () => made.length > 1);
      await changed(1);
    },
  );
  expect(names).toEqual(['decidePayment', 'followPayment', 'decidePayment']);
});

const PAYMENT = { paymentId: 'pay_of_the_service' as PaymentId };

/** The revisions with which the payment's workflow asked for steps: 0, and those of which it was notified. */
async function notified(activities: object, requestId: string, work: (taskQueue: string) => Promise<void>) {
  const received: number[] = [];
  const decidePayment = async ({ revision }: PaymentStepInput) => {
    received.push(revision);
    return revision === 0 ? step('wait', { until: null }) : step('finish', { revision });
  };
  await withWorker({ decidePayment, ...activities }, async (taskQueue) => {
    const args: [PaymentInput] = [{ requestId, clock: null }];
    const workflowId = paymentWorkflowId(requestId);
    const handle = await env.client.workflow.start(PAYMENT_WORKFLOW, { workflowId, taskQueue, args });
    await waitUntil('it waits', () => received.length > 0);
    await work(taskQueue);
    await handle.result();
  });
  return received;
}

test("a capture has its own workflow, which notifies the payment's", async () => {
  const asked: CaptureInput[] = [];
  const requestId = `pay_${randomUUID()}`;
  const input: CaptureInput = { ...PAYMENT, orderId: `cap_${randomUUID()}` as OrderId };
  const capturePayment: OrderActivities['capturePayment'] = async (given) => {
    if (asked.push(given) <= 3)
      throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '1 day' });
    return { kind: 'successful', changed: { requestId, revision: 4 } };
  };
  const received = await notified({ capturePayment }, requestId, async (taskQueue) => {
    const workflowId = captureWorkflowId(input.orderId);
    await env.client.workflow.execute(CAPTURE_WORKFLOW, { workflowId, taskQueue, args: [input] });
    await recordHistories(env, workflowId, 'capture made');
  });
  expect([asked, received]).toEqual([Array(4).fill(input), [0, 4]]);
});

test('a capture ends although the workflow of its payment has ended and cannot be notified', async () => {
  const input: CaptureInput = { ...PAYMENT, orderId: `cap_${randomUUID()}` as OrderId };
  const changed = { requestId: `pay_${randomUUID()}`, revision: 4 };
  await withWorker({ capturePayment: async () => ({ kind: 'failed', changed }) }, (taskQueue) =>
    env.client.workflow.execute(CAPTURE_WORKFLOW, {
      workflowId: captureWorkflowId(input.orderId),
      taskQueue,
      args: [input],
    }),
  );
});

test('a check that changed something notifies the workflow of the payment and returns the change', async () => {
  const requestId = `pay_${randomUUID()}`;
  const checked = { changed: { requestId, revision: 1 } };
  const received = await notified({ checkPayment: async () => checked }, requestId, async (taskQueue) => {
    const workflowId = `payment-check/${requestId}`;
    const answer = await env.client.workflow.execute(PAYMENT_CHECK_WORKFLOW, {
      workflowId,
      taskQueue,
      args: [PAYMENT],
    });
    expect(answer).toEqual(checked);
    await recordHistories(env, workflowId, 'payment checked');
  });
  expect(received).toEqual([0, 1]);
});
