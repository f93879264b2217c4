import { randomUUID } from 'node:crypto';
import { createPaymentGateway, type PaymentGateway, type PaymentPatience } from '../../src/gateway';
import { createClock } from '../../src/clock';
import type { ConsentRequestResult } from '../../src/contract/activities';
import {
  type PaymentActivities,
  type PaymentLook,
  paymentStateQuery,
  paymentWorkflowId,
} from '../../src/contract/payments';
import type { AuthorizationId, OrderId, PaymentId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyPaymentChange,
  discardDraft,
  getPaymentOfRequest,
  openPayment,
  orderCapture,
  type OrderedCapture,
  type PaymentDraft,
  type PaymentRecord,
  readPaymentDraft,
} from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { useGatewayWorld } from './gateway-world';

const world = useGatewayWorld();
const clock = createClock(null);
const ASKED = { actor: 'till', reason: null };

let gateway: PaymentGateway;
let service: ConsentRequestResult['kind'];
/** Captures that were asked for, and whether they may end. */
let asked: OrderId[];
let mayEnd: boolean;
/** What a look comes to; undefined, as an older worker answers. */
let look: PaymentLook;

beforeEach(() => {
  service = 'requested';
  asked = [];
  mayEnd = false;
  look = undefined;
  gateway = gatewayWith({});
});

function gatewayWith(patience: Partial<PaymentPatience>): PaymentGateway {
  const patient = { createMs: 20_000, releaseMs: 20_000, captureMs: 20_000, captureEndMs: 500, ...patience };
  return createPaymentGateway({ ...world.access(), clock, transit: MINUTE, patience: patient });
}

/** A creation must have begun by then. */
const impatient = () => gatewayWith({ createMs: 3_000, releaseMs: 1_000, captureMs: 1_000 });

/** The workflow as it is, the ledger as it is; only the payment service is played. */
const activities: Partial<PaymentActivities> = {
  requestPayment: async ({ requestId }) => {
    if (service === 'refused') return { kind: 'refused', detail: 'NO', description: 'not you' };
    if (service === 'unavailable') return { kind: 'unavailable', reason: 'down' };
    const paymentId = `at-service-${randomUUID()}` as PaymentId;
    const requestedRealAt = clock.realNow();
    const { draftedRealAt } = (await readPaymentDraft(world.db, requestId))!;
    await openPayment(world.db, {
      requestId,
      draftedRealAt,
      paymentId,
      redirectURL: 'https://bank',
      requestedRealAt,
      at: clock.now(),
    });
    return { kind: 'requested', paymentId, requestedRealAt };
  },
  discardPayment: ({ requestId }) => discardDraft(world.db, 'payments', requestId),
  followPayment: async ({ paymentId }) => {
    const [authorizationId, createdAt] = [randomUUID() as AuthorizationId, clock.now()];
    const captureBy = createdAt + 2 * DAY;
    const authorization = { authorizationId, state: 'successful', createdAt, detail: null, description: null } as const;
    const consent = { status: 'successful', reason: null } as const;
    await applyPaymentChange(world.db, { paymentId, at: createdAt, patch: { consent, authorization, captureBy } });
    return { status: 'authorized', captureBy, noticeId: null };
  },
  lookAtPayment: async () => look,
  capturePayment: async ({ orderId }) => {
    asked.push(orderId);
    await waitUntil('it may end', () => mayEnd);
    return { kind: 'successful', status: 'captured' };
  },
  releasePayment: async ({ paymentId }) => {
    await applyPaymentChange(world.db, { paymentId, at: clock.now(), patch: { releasedAt: clock.now() } });
    return { status: 'released', captureBy: null, noticeId: null };
  },
};

const withWorker = (work: () => Promise<void>) => world.withWorker(activities, work);

function draft(changes: Partial<PaymentDraft> = {}): PaymentDraft {
  const requestId = `pay_${randomUUID()}`;
  return {
    requestId,
    workflowId: paymentWorkflowId(requestId),
    plan: 'EVENT_DEPENDENT',
    amount: euros(10_000),
    returnURL: 'https://shop.example/back',
    timeToCapture: 172_800,
    merchantCategoryCode: null,
    partialCapture: true,
    multipleCapture: true,
    shippingAddress: null,
    actor: 'till',
    billingAddress: { name: 'Ada Byron', street: 'Ring 1', postalCode: 'D-10115', city: 'Berlin', country: 'DE' },
    createdAt: clock.now(),
    draftedRealAt: clock.realNow(),
    ...changes,
  };
}

const handleOf = ({ workflowId }: { readonly workflowId: string }) => world.env.client.workflow.getHandle(workflowId);

async function authorized(): Promise<PaymentRecord> {
  const wanted = draft();
  expect(await gateway.create(wanted)).toEqual({ kind: 'created' });
  const knows = async () => (await handleOf(wanted).query(paymentStateQuery)).status === 'authorized';
  await waitUntil('its workflow knows that it is authorized', knows);
  return (await getPaymentOfRequest(world.db, wanted.requestId))!;
}

async function ordered({ paymentId }: PaymentRecord, cents = 10_000): Promise<OrderedCapture> {
  const result = await orderCapture(world.db, {
    orderId: `cap_${randomUUID()}` as OrderId,
    paymentId,
    amount: euros(cents),
    finalCapture: false,
    actor: 'till',
    at: clock.now(),
    realAt: clock.realNow(),
    transit: MINUTE,
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${result.kind}`);
  return result.capture;
}

test('a payment is made by its workflow, whose history holds nothing of the payer', async () => {
  await withWorker(async () => {
    const payment = await authorized();
    const handle = handleOf(payment);
    expect(await handle.query(paymentStateQuery)).toMatchObject({
      paymentId: payment.paymentId,
      status: 'authorized',
      captureBy: payment.captureBy,
      deadlineTold: false,
      terms: { requestId: payment.requestId, plan: 'EVENT_DEPENDENT', amount: euros(10_000), transit: MINUTE },
    });
    expect(await (await handle.describe()).staticSummary()).toBe('EVENT_DEPENDENT 100.00 EUR');
    const history = JSON.stringify(await handle.fetchHistory());
    const readable = history.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain('10000');
    expect(readable).not.toMatch(/Ada|Ring 1|D-10115|shop\.example/);
    expect(await gateway.steer('check', payment, ASKED)).toEqual({ kind: 'done' });
    expect(await gateway.create(draft({ requestId: payment.requestId, workflowId: payment.workflowId }))).toEqual({
      kind: 'exists',
    });
  });
});

test.each([
  ['refused', { kind: 'refused', detail: 'NO', description: 'not you' }],
  ['unavailable', { kind: 'unavailable', reason: 'down' }],
] as const)('a request that is %s leaves nothing, and may come again', async (kind, outcome) => {
  await withWorker(async () => {
    service = kind;
    const wanted = draft();
    expect(await gateway.create(wanted)).toEqual(outcome);
    await waitUntil(
      'the workflow has ended',
      async () => (await handleOf(wanted).describe()).status.name !== 'RUNNING',
    );
    expect(await readPaymentDraft(world.db, wanted.requestId)).toBeNull();
    service = 'requested';
    expect(await gateway.create(wanted)).toEqual({ kind: 'created' });
  });
});

test('without a worker nothing is ready, and a request under way is not made a second time', async () => {
  const wanted = draft();
  expect(await impatient().create(wanted)).toEqual({ kind: 'not_ready' });
  expect(await impatient().create({ ...wanted, draftedRealAt: wanted.draftedRealAt + DAY })).toEqual({
    kind: 'exists',
  });
  await withWorker(() =>
    waitUntil('it is made', async () => (await getPaymentOfRequest(world.db, wanted.requestId)) !== null),
  );
});

test('a capture is told as running while it takes long; run again it is joined, and made once', async () => {
  await withWorker(async () => {
    const payment = await authorized();
    const capture = await ordered(payment, 4_000);
    expect(await gateway.runCapture(payment, capture)).toEqual({ kind: 'running' });
    expect(await gateway.startCapture(payment, capture)).toEqual({ kind: 'running' });
    await waitUntil('it is asked for', () => asked.length > 0);
    expect(asked).toEqual([capture.orderId]);
    mayEnd = true;
    expect(await gatewayWith({ captureEndMs: 20_000 }).runCapture(payment, capture)).toEqual({ kind: 'running' });
    await handleOf(payment).result();
    expect(asked).toEqual([capture.orderId]);
    // What has been asked for is known to the ended workflow; anything new is not.
    expect(await gateway.runCapture(payment, capture)).toEqual({ kind: 'running' });
    expect(await gateway.runCapture(payment, await ordered(payment, 1_000))).toEqual({ kind: 'finished' });
    expect(await gateway.steer('check', payment, ASKED)).toEqual({ kind: 'done' });
    expect(await gateway.steer('release', payment, ASKED)).toEqual({ kind: 'finished' });
  });
});

test('a payment that is settled and has an open capture is begun anew to take it up; without one nothing is left to do', async () => {
  mayEnd = true;
  await withWorker(async () => {
    const payment = await authorized();
    const capture = await ordered(payment, 4_000);
    const { paymentId } = payment;
    const at = clock.now();
    const { payment: settled } = await applyPaymentChange(world.db, { paymentId, at, patch: { expiredAt: at } });
    await handleOf(payment).terminate();
    expect(await gateway.startCapture(payment, capture)).toEqual({ kind: 'finished' });
    expect(settled.status).toBe('expired');
    expect(await gateway.steer('restart', settled, ASKED)).toEqual({ kind: 'done' });
    await handleOf(payment).result();
    expect(asked).toEqual([capture.orderId]);
    const closed = { ...settled, captures: [] };
    expect(await gateway.steer('restart', closed, ASKED)).toMatchObject({ kind: 'refused' });
  });
});

test('an ended workflow has a capture begun by nobody, though it had taken it', async () => {
  await withWorker(async () => {
    const payment = await authorized();
    const capture = await ordered(payment, 4_000);
    expect(await gateway.startCapture(payment, capture)).toEqual({ kind: 'running' });
    await handleOf(payment).terminate();
    expect(await gateway.startCapture(payment, capture)).toEqual({ kind: 'finished' });
    mayEnd = true;
  });
});

test('a look is done once the service has answered, and unavailable where it has not', async () => {
  await withWorker(async () => {
    const payment = await authorized();
    look = { kind: 'looked' };
    expect(await gateway.steer('check', payment, ASKED)).toEqual({ kind: 'done' });
    look = { kind: 'unavailable', reason: 'down' };
    expect(await gateway.steer('check', payment, ASKED)).toEqual({ kind: 'unavailable', reason: 'down' });
  });
});

test('a release is done once it is confirmed', async () => {
  await withWorker(async () => {
    const payment = await authorized();
    expect(await gateway.steer('release', payment, ASKED)).toEqual({ kind: 'done' });
    expect((await getPaymentOfRequest(world.db, payment.requestId))?.releasedAt).not.toBeNull();
  });
});

test('without a worker captures, releases and looks are not ready', async () => {
  let payment: PaymentRecord;
  await withWorker(async () => {
    payment = await authorized();
  });
  const late = impatient();
  const capture = await ordered(payment!);
  expect(await late.runCapture(payment!, capture)).toEqual({ kind: 'not_ready' });
  expect(await late.startCapture(payment!, capture)).toEqual({ kind: 'not_ready' });
  expect(await late.steer('release', payment!, ASKED)).toEqual({ kind: 'not_ready' });
  expect(await late.steer('check', payment!, ASKED)).toEqual({ kind: 'not_ready' });
  await handleOf(payment!).terminate();
});
