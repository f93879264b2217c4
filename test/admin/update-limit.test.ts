import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createPaymentGateway, type PaymentGateway } from '../../src/gateway';
import { createClock } from '../../src/clock';
import { checkPaymentUpdate, type PaymentInput } from '../../src/contract/payments';
import type { PaymentId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { PaymentRecord, Pool } from '../../src/ledger';
import { startDevServerEnv, testWorkflows } from '../support/temporal';

const TASK_QUEUE = 'update-limit';
const UPDATES = 3;
const clock = createClock(null);
const ASKED = { actor: 'till', reason: null };

/** A Temporal of this file's own, whose runs take a few updates each. */
let env: TestWorkflowEnvironment;
let gateway: PaymentGateway;

beforeAll(async () => {
  env = await startDevServerEnv({ 'history.maxTotalUpdates': UPDATES });
  const db = undefined as unknown as Pool;
  gateway = createPaymentGateway({ client: env.client, taskQueue: TASK_QUEUE, clock, db, transit: MINUTE });
});
afterAll(() => env.teardown());

const PAYMENT = { paymentId: 'pay_full' as PaymentId, workflowId: 'payment/full' } as PaymentRecord;

function waiting(): PaymentInput {
  const terms = { requestId: 'full', plan: 'EVENT_DEPENDENT', amount: euros(1999), transit: MINUTE } as const;
  const { paymentId } = PAYMENT;
  const captureBy = clock.now() + 7 * DAY;
  const state = { terms, paymentId, requestedRealAt: clock.realNow(), status: 'authorized', captureBy } as const;
  return { state: { ...state, deadlineTold: true }, clock: null };
}

test('a run that has taken its last update takes no more: not ready, and told to be refused', async () => {
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: TASK_QUEUE,
    ...testWorkflows(),
    activities: { lookAtPayment: async () => undefined },
  });
  await worker.runUntil(async () => {
    const { workflowId } = PAYMENT;
    const handle = await env.client.workflow.start('payment', { workflowId, taskQueue: TASK_QUEUE, args: [waiting()] });
    for (let update = 0; update < UPDATES; update += 1) await handle.executeUpdate(checkPaymentUpdate);
    expect(await gateway.steer('release', PAYMENT, ASKED)).toEqual({ kind: 'not_ready', isRefused: true });
  });
});
