import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { REFUND_WORKFLOW, type RefundInput, type RefundResult } from '../../src/contract/payments';
import { refundWorkflowId } from '../../src/contract/workflow-ids';
import type { PaymentId, OrderId, SubscriptionId } from '../../src/domain/ids';
import type { PathName } from '../replay/paths';
import { historiesOf, recordHistories } from '../replay/recording';
import { startTimeSkippingEnv, testWorkflows } from '../support/temporal';

/** The activity is scripted; the workflow only repeats it and returns its result. */

const ORDERED_AT = Date.parse('2027-01-31T12:00:00.000Z');
const MADE: RefundResult = { kind: 'successful', serviceRefundId: 'ref_of_the_service', at: ORDERED_AT };
const FAILED: RefundResult = { kind: 'failed', detail: 'REFUND_EXCEEDS_CAPTURE', description: 'too much' };

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkippingEnv();
});
afterAll(() => env.teardown());

function input(): RefundInput {
  return {
    refundId: `ref_${randomUUID()}` as OrderId,
    subscriptionId: 'sub_a' as SubscriptionId,
    paymentId: 'pay_a' as PaymentId,
  };
}

/** Runs a refund whose activity is pending `pendingFor` times, a day apart, and then returns the result. */
async function run(path: PathName, pendingFor: number, result: RefundResult, ordered = input()) {
  const asked: RefundInput[] = [];
  const taskQueue = `refunds-${randomUUID()}`;
  const refundPayment = async (given: RefundInput): Promise<RefundResult> => {
    asked.push(given);
    if (asked.length <= pendingFor) {
      throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '1 day' });
    }
    return result;
  };
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    ...testWorkflows(),
    activities: { refundPayment },
  });
  const workflowId = refundWorkflowId(ordered.refundId);
  const answer: unknown = await worker.runUntil(() =>
    env.client.workflow.execute(REFUND_WORKFLOW, { workflowId, taskQueue, args: [ordered] }),
  );
  await recordHistories(env, workflowId, path);
  const [history] = await historiesOf(env.client, workflowId);
  return { ordered, asked, answer, events: history?.events?.length };
}

test('polling a refund that is pending for ten days adds nothing to the history', async () => {
  const { ordered, asked, answer, events } = await run('refund made', 10, MADE);
  expect(answer).toEqual(MADE);
  expect(asked).toEqual(Array(11).fill(ordered));
  expect(events).toBe(11);
});

test('a failed refund ends the workflow with the reason, and is not polled again', async () => {
  const { asked, answer } = await run('refund failed', 0, FAILED);
  expect(answer).toEqual(FAILED);
  expect(asked).toHaveLength(1);
});
