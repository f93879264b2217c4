import type { OrderRun } from '../../src/temporal';
import type { PaymentId } from '../../src/domain/ids';
import { HOUR, SECOND } from '../../src/domain/time';
import { applyPaymentChange } from '../../src/ledger';
import { type AdminUnderTest, type CallOptions, faultPaths, NOW, startAdmin } from './admin-under-test';
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
let keys = 0;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => {
  admin.payments.ran.splice(0);
  admin.payments.onRun = () => ({ kind: 'running' });
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const freshKey = () => `capture-${(keys += 1)}`;

function capture(paymentId: PaymentId, body: unknown, options: CallOptions = {}) {
  const idempotencyKey = freshKey();
  return admin.call('POST', `${pathOf(paymentId)}/captures`, { body, idempotencyKey, role: 'operator', ...options });
}

/** Lets the service make each capture while the API waits for it. */
const madeAtOnce = (state: 'successful' | 'failed' = 'successful') => {
  admin.payments.onRun = async ({ orderId }): Promise<OrderRun> => {
    await settle(admin, orderId, state);
    return { kind: 'running' };
  };
};

test('a capture is ordered, run and answered with its state at that time; the payment shows it', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const answer = await capture(paymentId, { amount: eur(3000) });
  expect(answer.statusCode).toBe(201);
  const shown = answer.json();
  expect(shown).toEqual({
    captureId: null,
    orderId: expect.stringMatching(/^cap_[0-9a-f]{32}$/),
    amount: eur(3000),
    status: 'pending',
    finalCapture: false,
    createdAt: '2027-01-31T12:00:00.000Z',
  });
  expect(admin.payments.ran).toMatchObject([{ orderId: shown.orderId, paymentId }]);
  const read = (await admin.call('GET', pathOf(paymentId))).json();
  expect(read).toMatchObject({ status: 'authorized', captures: [shown], remaining: eur(7000) });
  const auditLog = await admin.call('GET', `${pathOf(paymentId)}/events`, { role: 'viewer' });
  expect(auditLog.json().items[0]).toMatchObject({ actor: 'operator of the shop', type: 'capture.requested' });
});

test('a capture that is successful while the API waits is answered with the id that the service gave it', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  madeAtOnce();
  const shown = (await capture(paymentId, { amount: eur(3000) })).json();
  expect(shown).toMatchObject({ status: 'successful', captureId: `at-service:${shown.orderId}` });
  const read = (await admin.call('GET', pathOf(paymentId))).json();
  expect(read).toMatchObject({ status: 'partly_captured', remaining: eur(7000) });
});

test('a capture that has failed shows why, and its amount may be captured again', async () => {
  const paymentId = await createAuthorized(admin);
  madeAtOnce('failed');
  const failed = await capture(paymentId, { amount: eur(10_000) });
  expect(failed.statusCode).toBe(201);
  expect(failed.json()).toMatchObject({ status: 'failed', detail: 'STATE_CONFLICT', description: 'no' });
  madeAtOnce();
  expect((await capture(paymentId, { amount: eur(10_000) })).json()).toMatchObject({ status: 'successful' });
});

test('a capture that is final closes the payment, and nothing remains to be captured', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  madeAtOnce();
  for (const part of [{ amount: eur(3000) }, { amount: eur(3000) }, { amount: eur(2000), finalCapture: true }]) {
    expect((await capture(paymentId, part)).json()).toMatchObject({ status: 'successful' });
  }
  const read = (await admin.call('GET', pathOf(paymentId))).json();
  expect(read).toMatchObject({ status: 'captured', remaining: eur(0) });
  expect((await capture(paymentId, { amount: eur(1) })).json()).toMatchObject({ status: 409, rule: 'closed' });
});

test('a capture needs an operator', async () => {
  const paymentId = await createAuthorized(admin);
  expect((await capture(paymentId, { amount: eur(1) }, { role: 'viewer' })).json()).toMatchObject({ status: 403 });
});

/** Each capture is the first of a payment of 100.00 EUR; the rule that refuses it is null if it is accepted. */
test.each([
  [{ partialCapture: false, multipleCapture: false }, 10_000, null],
  [{ partialCapture: false, multipleCapture: false }, 9_999, 'partial_capture'],
  [{ partialCapture: false, multipleCapture: true }, 10_000, null],
  [{ partialCapture: false, multipleCapture: true }, 9_999, 'partial_capture'],
  [{ partialCapture: true, multipleCapture: false }, 9_999, null],
  [{ partialCapture: true, multipleCapture: false }, 10_001, 'exceeds_authorized'],
  [BOTH_FLAGS, 1, null],
  [BOTH_FLAGS, 10_001, 'exceeds_authorized'],
])('the rule that refuses a first capture under %j of %d cents: %s', async (flags, value, rule) => {
  const answer = await capture(await createAuthorized(admin, flags), { amount: eur(value) });
  if (rule === null) expect(answer.statusCode).toBe(201);
  else {
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'capture_not_allowed',
      rule,
      highestAllowed: eur(10_000),
    });
    expect(admin.payments.ran).toEqual([]);
  }
});

test.each([
  [{ partialCapture: false, multipleCapture: false }, 10_000, 'multiple_capture'],
  [{ partialCapture: false, multipleCapture: true }, 10_000, 'multiple_capture'],
  [{ partialCapture: true, multipleCapture: false }, 4_000, 'multiple_capture'],
])('a second capture under %j is refused', async (flags, first, rule) => {
  const paymentId = await createAuthorized(admin, flags);
  expect((await capture(paymentId, { amount: eur(first) })).statusCode).toBe(201);
  expect((await capture(paymentId, { amount: eur(1) })).json()).toMatchObject({
    status: 409,
    code: 'capture_not_allowed',
    rule,
    highestAllowed: eur(0),
  });
});

test('a second capture under both flags may take all that is left, and not a cent more', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  await capture(paymentId, { amount: eur(4000) });
  expect((await capture(paymentId, { amount: eur(6001) })).json()).toMatchObject({
    status: 409,
    rule: 'exceeds_authorized',
    highestAllowed: eur(6000),
  });
  expect((await capture(paymentId, { amount: eur(6000) })).statusCode).toBe(201);
});

test('of two concurrent captures of the same remaining amount, one is refused', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const both = await Promise.all([6000, 6000].map((value) => capture(paymentId, { amount: eur(value) })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
});

test('a capture is not allowed from the transit margin before the deadline on', async () => {
  const paymentId = await createAuthorized(admin, { ...BOTH_FLAGS, timeToCapture: 600 });
  const margin = NOW + 600 * SECOND - 60 * SECOND;
  admin.clock.business = margin - 1;
  expect((await capture(paymentId, { amount: eur(1) })).statusCode).toBe(201);
  admin.clock.business = margin;
  expect((await capture(paymentId, { amount: eur(1) })).json()).toMatchObject({ status: 409, rule: 'deadline' });
});

test('a capture is not allowed above 50.00 EUR for a category that is capped', async () => {
  const paymentId = await createAuthorized(admin, { ...BOTH_FLAGS, merchantCategoryCode: '7523' });
  expect((await capture(paymentId, { amount: eur(5001) })).json()).toMatchObject({
    status: 409,
    rule: 'category_cap',
    highestAllowed: eur(5000),
  });
  expect((await capture(paymentId, { amount: eur(5000) })).statusCode).toBe(201);
});

test.each<[string, string, () => Promise<PaymentId>]>([
  ['before the authorization', 'not_authorized', async () => (await createOpened(admin)).paymentId],
  ['of a Single Immediate payment', 'plan', () => createBooked(admin, 10_000)],
  ['once a release is ordered', 'closed', () => createPatched({ releaseOrderedAt: NOW })],
  ['once it has expired', 'deadline', () => createPatched({ expiredAt: NOW })],
])('a capture is not allowed %s', async (_what, rule, make) => {
  const answer = await capture(await make(), { amount: eur(10_000) });
  expect(answer.json()).toMatchObject({ status: 409, code: 'capture_not_allowed', rule, highestAllowed: eur(0) });
  expect(admin.payments.ran).toEqual([]);
});

async function createPatched(patch: { releaseOrderedAt: number } | { expiredAt: number }): Promise<PaymentId> {
  const paymentId = await createAuthorized(admin);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch });
  return paymentId;
}

test('a capture that is not allowed is in the audit log with its rule', async () => {
  const paymentId = await createAuthorized(admin);
  await capture(paymentId, { amount: eur(1) });
  const auditLog = await admin.call('GET', `${pathOf(paymentId)}/events`);
  expect(auditLog.json().items[0]).toMatchObject({
    type: 'capture.refused',
    actor: 'operator of the shop',
    data: { rule: 'partial_capture' },
  });
});

test('a capture needs an Idempotency-Key, which is reported as missing together with every other fault', async () => {
  const path = `${pathOf(await createAuthorized(admin))}/captures`;
  expect(faultPaths(await admin.call('POST', path, { body: { amount: eur(1) } }))).toEqual(['Idempotency-Key']);
  const more = await admin.call('POST', path, { body: { amount: eur(0), finalCapture: 'yes', colour: 'red' } });
  expect(faultPaths(more).sort()).toEqual(['Idempotency-Key', 'amount.value', 'colour', 'finalCapture']);
});

test('a capture repeated with its Idempotency-Key gets the first response, and after a day the capture in its current state; another body is refused', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const idempotencyKey = freshKey();
  const first = await capture(paymentId, { amount: eur(5) }, { idempotencyKey });
  const again = await capture(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replay']).toBe('true');
  await settle(admin, created(first).orderId, 'successful');
  admin.clock.real += 25 * HOUR;
  const other = await capture(paymentId, { amount: eur(5), finalCapture: true }, { idempotencyKey });
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  admin.clock.real += 25 * HOUR;
  const late = await capture(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(late.json()).toMatchObject({ orderId: first.json().orderId, status: 'successful' });
  expect(admin.payments.ran).toHaveLength(1);
  expect((await recordOf(admin, paymentId)).captures).toHaveLength(1);
});

test('a capture with the Idempotency-Key of another API key is another capture', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const idempotencyKey = freshKey();
  const orders = [
    await capture(paymentId, { amount: eur(5) }, { idempotencyKey }),
    await capture(paymentId, { amount: eur(5) }, { idempotencyKey, role: 'admin' }),
  ].map((answer) => created(answer).orderId);
  expect(new Set(orders).size).toBe(2);
});

test('a capture whose workflow cannot be reached is answered with 503, and is made if the request is repeated', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const idempotencyKey = freshKey();
  admin.payments.onRun = () => ({ kind: 'not_ready' });
  const lost = await capture(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(lost.json()).toMatchObject({ status: 503, code: 'not_ready' });
  expect(lost.json().detail).toContain('will be made');
  madeAtOnce();
  const again = await capture(paymentId, { amount: eur(5) }, { idempotencyKey });
  expect(again.json()).toMatchObject({ status: 'successful' });
  expect(admin.payments.ran.map(({ orderId }) => orderId)).toEqual(Array(2).fill(again.json().orderId));
  expect((await recordOf(admin, paymentId)).captures).toHaveLength(1);
});

test('a capture whose workflow cannot be reached is answered with its state in the ledger if that is final', async () => {
  const paymentId = await createAuthorized(admin);
  admin.payments.onRun = async ({ orderId }) => {
    await settle(admin, orderId, 'successful');
    return { kind: 'not_ready' };
  };
  expect((await capture(paymentId, { amount: eur(10_000) })).json()).toMatchObject({ status: 'successful' });
});

test('a capture that does not end while the API waits is answered as pending', async () => {
  admin.payments.onRun = () => ({ kind: 'running' });
  const answer = await capture(await createAuthorized(admin), { amount: eur(10_000) });
  expect(answer.json()).toMatchObject({ status: 'pending' });
});

test.each(['nobody', 'a%20b', '..', 'x'.repeat(201)])('a capture of the unknown payment %s is a 404', async (id) => {
  const options = { body: { amount: eur(1) }, idempotencyKey: freshKey() };
  const answer = await admin.call('POST', `/v1/payments/${id}/captures`, options);
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
});
