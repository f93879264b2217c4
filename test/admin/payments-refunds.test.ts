import type { FastifyInstance } from 'fastify';
import type { PaymentId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import { differenceOf } from '../../src/domain/reconciliation/subscription';
import { applyPaymentChange, beginReconciliation, recordCompared } from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, type CallOptions, faultPaths, NOW, SANDBOX, startAdmin } from './admin-under-test';
import {
  createAuthorized,
  createBooked,
  BOTH_FLAGS,
  created,
  eur,
  createOpened,
  pathOf,
  recordOf,
  settle,
} from './payment-order';

let admin: AdminUnderTest;
/** An API with EVENT_DEPENDENT_REFUNDS on. */
let switchedOn: FastifyInstance;
let keys = 0;
beforeAll(async () => {
  admin = await startAdmin();
  switchedOn = await admin.another({ policy: { ...SANDBOX, eventDependentRefunds: true } });
});
beforeEach(() => {
  admin.refunds.ran.splice(0);
  admin.refunds.started.splice(0);
  admin.refunds.onRun = () => ({ kind: 'running' });
});
afterAll(async () => {
  await switchedOn.close();
  await admin.stop();
});

const freshKey = () => `refund-${(keys += 1)}`;

function refund(paymentId: PaymentId, body: unknown, options: CallOptions = {}) {
  const idempotencyKey = freshKey();
  return admin.call('POST', `${pathOf(paymentId)}/refunds`, { body, idempotencyKey, role: 'operator', ...options });
}

/** Creates an Event Dependent payment with successful captures of these amounts. @returns the payment and the captures' ids */
async function createCaptured(...values: number[]): Promise<{ paymentId: PaymentId; captureIds: string[] }> {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  for (const value of values) {
    // Captures are listed in the order of real time.
    admin.clock.real += 1;
    const options = { body: { amount: eur(value) }, idempotencyKey: freshKey() };
    const answer = await admin.call('POST', `${pathOf(paymentId)}/captures`, options);
    await settle(admin, created(answer).orderId, 'successful');
  }
  const { captures } = await recordOf(admin, paymentId);
  return { paymentId, captureIds: captures.map(({ captureId }) => String(captureId)) };
}

test('a refund of a Single Immediate payment is ordered, started and answered with its state, and the payment shows it', async () => {
  const paymentId = await createBooked(admin, 1999);
  const answer = await refund(paymentId, { amount: eur(500), reason: 'damaged' });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({
    refundId: expect.stringMatching(/^ref_[0-9a-f]{32}$/),
    amount: eur(500),
    status: 'pending',
    reason: 'damaged',
    createdAt: '2027-01-31T12:00:00.000Z',
    captureId: `booked-${paymentId}`,
  });
  const { refundId } = answer.json<{ refundId: string }>();
  expect(admin.refunds.ran).toMatchObject([{ refundId, paymentId, subscriptionId: null, cycle: null }]);
  const read = (await admin.call('GET', pathOf(paymentId))).json();
  expect(read).toMatchObject({ status: 'captured', refunds: [answer.json()] });
  const auditLog = await admin.call('GET', `${pathOf(paymentId)}/events`);
  expect(auditLog.json().items[0]).toMatchObject({ actor: 'operator of the shop', type: 'refund.requested' });
});

test('a refund of a Single Immediate payment may return all that was booked; a cent more is refused, with the amount that is left', async () => {
  const paymentId = await createBooked(admin, 1999);
  expect((await refund(paymentId, { amount: eur(2000) })).json()).toMatchObject({
    status: 409,
    code: 'refund_not_allowed',
    rule: 'exceeds_captured',
    highestAllowed: eur(1999),
  });
  admin.refunds.onRun = async ({ refundId }) => {
    await settle(admin, refundId, 'successful');
    return { kind: 'running' };
  };
  expect((await refund(paymentId, { amount: eur(1999) })).json()).toMatchObject({ status: 'successful' });
  expect((await admin.call('GET', pathOf(paymentId))).json()).toMatchObject({ status: 'refunded' });
  expect((await refund(paymentId, { amount: eur(1) })).json()).toMatchObject({
    status: 409,
    highestAllowed: eur(0),
  });
});

test('of two concurrent refunds that together exceed a Single Immediate payment, one is refused', async () => {
  const paymentId = await createBooked(admin, 1999);
  const answers = await Promise.all([1000, 1000].map((value) => refund(paymentId, { amount: eur(value) })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
});

test('a refund of a Single Immediate payment needs an operator', async () => {
  const paymentId = await createBooked(admin, 1999);
  expect((await refund(paymentId, { amount: eur(1) }, { role: 'viewer' })).json()).toMatchObject({ status: 403 });
});

test.each<[string, string, () => Promise<PaymentId>]>([
  ['before the consent', 'not_captured', async () => (await createOpened(admin, { plan: 'SINGLE' })).paymentId],
  ['before the booking', 'not_captured', () => createAuthorized(admin, { plan: 'SINGLE' })],
  ['once it has expired', 'not_captured', createExpired],
])('a refund of a payment is not allowed %s', async (_what, rule, make) => {
  const answer = await refund(await make(), { amount: eur(1) }, { on: switchedOn });
  expect(answer.json()).toMatchObject({ status: 409, code: 'refund_not_allowed', rule, highestAllowed: eur(0) });
  expect(admin.refunds.ran).toEqual([]);
});

async function createExpired(): Promise<PaymentId> {
  const paymentId = await createAuthorized(admin);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
  return paymentId;
}

test('a refund of an Event Dependent payment is not allowed, unless EVENT_DEPENDENT_REFUNDS is on', async () => {
  const { paymentId } = await createCaptured(3000);
  expect((await refund(paymentId, { amount: eur(1) })).json()).toMatchObject({
    status: 409,
    code: 'refund_not_allowed',
    rule: 'event_dependent',
    highestAllowed: eur(0),
  });
  expect((await refund(paymentId, { amount: eur(3000) }, { on: switchedOn })).statusCode).toBe(201);
});

const on = () => ({ on: switchedOn });

test('a refund of one of several captures names the capture, and returns at most its amount', async () => {
  const { paymentId, captureIds } = await createCaptured(3000, 2000);
  expect((await refund(paymentId, { amount: eur(1) }, on())).json()).toMatchObject({
    status: 409,
    rule: 'capture_required',
    highestAllowed: eur(5000),
  });
  for (const [index, value] of [3000, 2000].entries()) {
    const captureId = captureIds[index];
    expect((await refund(paymentId, { amount: eur(value + 1), captureId }, on())).json()).toMatchObject({
      status: 409,
      rule: 'exceeds_captured',
      highestAllowed: eur(value),
    });
    expect((await refund(paymentId, { amount: eur(value), captureId }, on())).json()).toMatchObject({ captureId });
    expect((await refund(paymentId, { amount: eur(1), captureId }, on())).json()).toMatchObject({ status: 409 });
  }
});

test('a refund that names a capture of another payment, or a capture by dueday’s order id, is refused', async () => {
  const { paymentId } = await createCaptured(3000);
  const { captureIds } = await createCaptured(3000);
  const { captures } = await recordOf(admin, paymentId);
  for (const captureId of [captureIds[0], captures[0]?.orderId]) {
    expect((await refund(paymentId, { amount: eur(1), captureId }, on())).json()).toMatchObject({
      status: 409,
      rule: 'unknown_capture',
    });
  }
});

async function recordFound(paymentId: PaymentId, captureId: string): Promise<void> {
  const { requestId } = await recordOf(admin, paymentId);
  const period = { from: NOW - 1, to: NOW };
  await beginReconciliation(admin.db, { runId: captureId, period, actor: 'till', at: NOW, realAt: NOW });
  const service = { state: 'successful', amount: eur(700), at: NOW };
  const difference = differenceOf({ kind: 'debit_unknown', captureId, service });
  await recordCompared(admin.db, captureId, { subscriptionId: null, requestId, paymentId }, [difference], null);
}

test('an unexplained debit that a reconciliation has found is refunded by a refund that names its captureId', async () => {
  const paymentId = await createBooked(admin, 1999);
  const captureId = `strange-${paymentId}`;
  const wanted = { amount: eur(700), captureId };
  expect((await refund(paymentId, wanted)).json()).toMatchObject({ status: 409, rule: 'unknown_capture' });
  await recordFound(paymentId, captureId);
  expect((await refund(paymentId, { ...wanted, amount: eur(701) })).json()).toMatchObject({
    status: 409,
    rule: 'exceeds_captured',
    highestAllowed: eur(700),
  });
  const given = await refund(paymentId, wanted);
  expect([given.statusCode, given.json()]).toMatchObject([201, { captureId, amount: eur(700) }]);
  await settle(admin, given.json<{ refundId: string }>().refundId, 'successful');
  expect((await admin.call('GET', pathOf(paymentId))).json()).toMatchObject({
    status: 'captured',
    refunds: [{ captureId, status: 'successful' }],
  });
});

test('a refund needs an Idempotency-Key, which is reported as missing together with every other fault', async () => {
  const path = `${pathOf(await createBooked(admin, 1999))}/refunds`;
  const answer = await admin.call('POST', path, { body: { amount: eur(0), colour: 'red' } });
  expect(faultPaths(answer).sort()).toEqual(['Idempotency-Key', 'amount.value', 'colour']);
});

test('the Idempotency-Key of a refund of one payment is refused for a refund of another payment', async () => {
  const idempotencyKey = freshKey();
  const first = await refund(await createBooked(admin, 1999), { amount: eur(5) }, { idempotencyKey });
  expect(first.statusCode).toBe(201);
  admin.clock.real += 25 * 60 * MINUTE;
  const other = await refund(await createBooked(admin, 1999), { amount: eur(5) }, { idempotencyKey });
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('a refund whose workflow cannot be reached is answered with 503, and is made if the request is repeated', async () => {
  const paymentId = await createBooked(admin, 1999);
  const idempotencyKey = freshKey();
  admin.refunds.onRun = () => ({ kind: 'not_ready' });
  const lost = await refund(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(lost.json()).toMatchObject({ status: 503, code: 'not_ready' });
  admin.refunds.onRun = () => ({ kind: 'running' });
  const again = await refund(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(again.statusCode).toBe(201);
  expect((await recordOf(admin, paymentId)).refunds).toHaveLength(1);
});

test('a refund of an unknown payment is answered with 404', async () => {
  expect((await refund('nobody' as PaymentId, { amount: eur(1) })).json()).toMatchObject({ status: 404 });
});

test('orphaned refunds of one-time payments are started when the API starts', async () => {
  const { refundId } = (await refund(await createBooked(admin, 1999), { amount: eur(5) })).json<{ refundId: string }>();
  admin.clock.real += MINUTE + 1;
  const app = await admin.another();
  await app.ready();
  await waitUntil('it is started', () => admin.refunds.started.some((each) => each.refundId === refundId));
  await app.close();
});
