import { randomUUID } from 'node:crypto';
import { waitUntil } from '../support/wait-until';
import type { AdminApi, ProblemBody } from './admin-api';
import { adminApiOf, type Ground, openGround } from './world';
import type { Sandbox } from '../../src/sandbox';

interface Payment {
  readonly paymentId: string;
  readonly status: string;
  readonly consent: { readonly status: string; readonly redirectURL?: string };
  readonly captures: readonly { readonly captureId: string; readonly amount: Cents; readonly status: string }[];
  readonly refunds: readonly { readonly status: string; readonly amount: Cents }[];
  readonly authorizations: readonly { readonly createdAt: string }[];
  readonly remaining: Cents;
  readonly captureBy?: string;
  readonly workflowId: string;
}

interface Cents {
  readonly value: number;
}

const ADDRESS = { name: 'Ada Example', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const euros = (value: number) => ({ value, currency: 'EUR' });

let ground: Ground;
let admin: AdminApi;
let sandbox: Sandbox;

beforeAll(async () => {
  ground = await openGround();
  const opened = await ground.openSandbox(0, { eventDependentRefunds: true });
  sandbox = opened.sandbox;
  const env = { PAYMENT_SERVICE_BASE_URL: opened.url, EVENT_DEPENDENT_REFUNDS: 'true' };
  admin = await adminApiOf(ground.start('daemon', env));
});
afterAll(() => ground.close());

/** Creates a payment whose payer has approved, and waits until the ledger has its state. */
async function createApproved(order: object, status: string): Promise<Payment> {
  const body = { amount: euros(10_000), returnURL: 'https://shop.example/back', billingAddress: ADDRESS, ...order };
  const created = await admin.post<Payment>('/v1/payments', body);
  expect(created).toMatchObject({ status: 201, body: { status: 'pending_consent', consent: { status: 'pending' } } });
  const { paymentId } = created.body;
  sandbox.payer(paymentId).approve();
  return became(paymentId, status);
}

async function view(paymentId: string): Promise<Payment> {
  const { status, body } = await admin.get<Payment>(`/v1/payments/${paymentId}`);
  expect(status).toBe(200);
  return body;
}

async function became(paymentId: string, status: string): Promise<Payment> {
  await waitUntil(`${paymentId} is ${status}`, async () => (await view(paymentId)).status === status);
  return view(paymentId);
}

const post = (paymentId: string, what: string, body: object) =>
  admin.post<Payment & ProblemBody>(`/v1/payments/${paymentId}/${what}`, body);

async function refund(paymentId: string, captureId: string | undefined, cents: number) {
  return post(paymentId, 'refunds', { amount: euros(cents), captureId });
}

function debited(paymentId: string): number[] {
  return sandbox
    .debits()
    .filter((each) => each.paymentId === paymentId)
    .map(({ amount }) => amount.value);
}

/**
 *   authorized 100.00   30.00   30.00   20.00 final   refunds of each
 */
test('Event Dependent with both flags: captured 30, 30, then 20 final; 20.00 released; each capture refunded to the cent', async () => {
  const flags = { partialCapture: true, multipleCapture: true };
  const { paymentId, remaining } = await createApproved({ plan: 'EVENT_DEPENDENT', ...flags }, 'authorized');
  expect(remaining.value).toBe(10_000);
  for (const [cents, finalCapture, left] of [
    [3_000, false, 7_000],
    [3_000, false, 4_000],
    [2_000, true, 0],
  ] as const) {
    const captured = await post(paymentId, 'captures', { amount: euros(cents), finalCapture });
    expect(captured).toMatchObject({ status: 201, body: { amount: { value: cents }, finalCapture } });
    await waitUntil('it is booked', async () =>
      (await view(paymentId)).captures.every(({ status }) => status === 'successful'),
    );
    expect((await view(paymentId)).remaining.value).toBe(left);
  }
  const { captures, status } = await view(paymentId);
  expect(status).toBe('captured');
  expect(debited(paymentId)).toEqual([3_000, 3_000, 2_000]);
  expect(await post(paymentId, 'captures', { amount: euros(1) })).toMatchObject({
    status: 409,
    body: { code: 'capture_not_allowed', rule: 'closed', highestAllowed: { value: 0 } },
  });

  expect(await refund(paymentId, undefined, 1)).toMatchObject({ status: 409, body: { rule: 'capture_required' } });
  for (const { captureId, amount } of captures) {
    expect(await refund(paymentId, captureId, amount.value + 1)).toMatchObject({
      status: 409,
      body: { code: 'refund_not_allowed', highestAllowed: { value: amount.value } },
    });
    expect(await refund(paymentId, captureId, amount.value)).toMatchObject({ status: 201 });
    expect(await refund(paymentId, captureId, 1)).toMatchObject({ status: 409 });
  }
  await became(paymentId, 'refunded');
  expect(sandbox.refusals().filter((each) => each.paymentId === paymentId)).toEqual([]);
});

/**
 *   authorized           24 h before: notice   createdAt + timeToCapture
 */
test('a payment without captures is announced to the merchant a day before its deadline, and then expires and can be neither captured nor released', async () => {
  const order = { plan: 'EVENT_DEPENDENT', partialCapture: true, timeToCapture: 2 * 86_400 };
  const { paymentId, captureBy, authorizations } = await createApproved(order, 'authorized');
  expect(Date.parse(captureBy!) - Date.parse(authorizations[0]!.createdAt)).toBe(2 * 86_400_000);
  await became(paymentId, 'expired');
  expect(await post(paymentId, 'captures', { amount: euros(1) })).toMatchObject({
    status: 409,
    body: { code: 'capture_not_allowed', rule: 'deadline' },
  });
  expect(await post(paymentId, 'release', {})).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  expect(debited(paymentId)).toEqual([]);
  const told = ground.receiver.deliveries.filter(({ data }) => data['paymentId'] === paymentId);
  expect(told).toMatchObject([
    { type: 'capture.deadline_near', data: { captureBy, remaining: { value: 10_000 }, subscriptionId: null } },
  ]);
  expect(told[0]!.at).toBeLessThan(Date.parse(captureBy!));
  expect(told[0]!.at).toBeGreaterThanOrEqual(Date.parse(captureBy!) - 86_400_000);
});

test('a Single Immediate payment is debited without a request, and refunded in parts up to what was debited', async () => {
  const { paymentId, captures } = await createApproved({ plan: 'SINGLE' }, 'captured');
  expect(captures).toMatchObject([{ amount: { value: 10_000 }, status: 'successful' }]);
  expect(await refund(paymentId, undefined, 4_000)).toMatchObject({ status: 201 });
  expect(await refund(paymentId, undefined, 6_001)).toMatchObject({ status: 409 });
  expect(await refund(paymentId, undefined, 6_000)).toMatchObject({ status: 201 });
  await became(paymentId, 'refunded');
  expect(await post(paymentId, 'captures', { amount: euros(1) })).toMatchObject({ status: 409 });
});

test('a release frees the whole reserved amount; it can be repeated, and nothing can be captured afterwards', async () => {
  const { paymentId } = await createApproved({ plan: 'EVENT_DEPENDENT' }, 'authorized');
  // 202 if the service takes longer to confirm than the response waits.
  expect([200, 202]).toContain((await post(paymentId, 'release', { reason: 'out of stock' })).status);
  expect((await became(paymentId, 'released')).remaining.value).toBe(0);
  expect((await post(paymentId, 'release', {})).status).toBe(200);
  expect(await post(paymentId, 'captures', { amount: euros(10_000) })).toMatchObject({ status: 409 });
  expect(debited(paymentId)).toEqual([]);
});

test('a capture that is requested twice with one key is made once, and a payer who declines ends the payment', async () => {
  const { paymentId } = await createApproved({ plan: 'EVENT_DEPENDENT' }, 'authorized');
  const key = randomUUID();
  const path = `/v1/payments/${paymentId}/captures`;
  const both = await Promise.all([1, 2].map(() => admin.post(path, { amount: euros(10_000) }, key)));
  expect(both.map(({ status }) => status).sort()[0]).toBe(201);
  await became(paymentId, 'captured');
  expect(debited(paymentId)).toEqual([10_000]);

  const order = { plan: 'SINGLE', amount: euros(500), returnURL: 'https://shop.example', billingAddress: ADDRESS };
  const { body } = await admin.post<Payment>('/v1/payments', order);
  sandbox.payer(body.paymentId).decline();
  await admin.post(`/v1/payments/${body.paymentId}/consent-check`);
  await became(body.paymentId, 'consent_failed');
  const listed = await admin.get<{ items: Payment[] }>('/v1/payments?status=consent_failed&plan=SINGLE');
  expect(listed.body.items.map((each) => each.paymentId)).toContain(body.paymentId);
});
