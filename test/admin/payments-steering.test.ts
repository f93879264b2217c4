import type { RequestOutcome } from '../../src/temporal';
import type { PaymentId } from '../../src/domain/ids';
import { applyPaymentChange } from '../../src/ledger';
import { type AdminUnderTest, type CallOptions, faultPaths, NOW, startAdmin } from './admin-under-test';
import { createAuthorized, createBooked, BOTH_FLAGS, eur, createOpened, pathOf, recordOf } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => {
  admin.payments.steered.splice(0);
  admin.payments.onSteer = () => ({ kind: 'done' });
});
afterAll(() => admin.stop());

const release = (paymentId: string, options: CallOptions = {}) =>
  admin.call('POST', `${pathOf(paymentId)}/release`, { role: 'operator', ...options });
const check = (paymentId: string, options: CallOptions = {}) =>
  admin.call('POST', `${pathOf(paymentId)}/consent-check`, { role: 'operator', ...options });

const auditEntriesOf = async (paymentId: string) =>
  (await admin.call('GET', `${pathOf(paymentId)}/events`)).json<{ items: Record<string, unknown>[] }>().items;

/** Lets the service confirm the release before the API is answered with this outcome. */
const confirming = (outcome: RequestOutcome = { kind: 'done' }) => {
  admin.payments.onSteer = async ({ paymentId }) => {
    await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { releasedAt: NOW } });
    return outcome;
  };
};

test('a release that the service has confirmed is answered with 200', async () => {
  const paymentId = await createAuthorized(admin);
  confirming();
  const answer = await release(paymentId, { body: { reason: 'out of stock' } });
  expect(answer.statusCode).toBe(200);
  const at = '2027-01-31T12:00:00.000Z';
  expect(answer.json()).toMatchObject({
    status: 'released',
    remaining: eur(0),
    releaseRequestedAt: at,
    releasedAt: at,
  });
  expect(admin.payments.steered).toMatchObject([{ what: 'release', payment: { paymentId } }]);
  expect((await auditEntriesOf(paymentId))[0]).toMatchObject({
    type: 'payment.release_requested',
    actor: 'operator of the shop',
    data: { reason: 'out of stock' },
  });
});

test('a release that the service has not confirmed yet is answered with 202, and needs no body', async () => {
  const paymentId = await createAuthorized(admin);
  admin.payments.onSteer = () => ({ kind: 'not_ready' });
  const waiting = await release(paymentId);
  expect(waiting.statusCode).toBe(202);
  expect(waiting.json()).toMatchObject({
    status: 'authorized',
    remaining: eur(0),
    releaseRequestedAt: '2027-01-31T12:00:00.000Z',
  });
  confirming();
  expect((await release(paymentId)).statusCode).toBe(200);
  const auditLog = await auditEntriesOf(paymentId);
  expect(auditLog.filter(({ type }) => type === 'payment.release_requested')).toHaveLength(1);
});

test('a repeated release is answered with 200 and makes no request', async () => {
  const paymentId = await createAuthorized(admin);
  confirming();
  await release(paymentId);
  expect((await release(paymentId)).statusCode).toBe(200);
  expect(admin.payments.steered).toHaveLength(1);
});

test('a release that was confirmed although its workflow could not be notified is answered with 200', async () => {
  confirming({ kind: 'not_ready' });
  expect((await release(await createAuthorized(admin))).statusCode).toBe(200);
});

test('a release after a capture is a conflict that says what to do, and is in the audit log', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const options = { body: { amount: eur(1) }, idempotencyKey: 'before-the-release' };
  expect((await admin.call('POST', `${pathOf(paymentId)}/captures`, options)).statusCode).toBe(201);
  const answer = await release(paymentId);
  expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect(answer.json().detail).toContain('refund');
  expect(admin.payments.steered).toEqual([]);
  expect((await auditEntriesOf(paymentId))[0]).toMatchObject({ type: 'payment.release_refused' });
});

test.each<[string, () => Promise<PaymentId>]>([
  ['of a Single Immediate payment', () => createBooked(admin, 1999)],
  ['before the authorization', async () => (await createOpened(admin)).paymentId],
  ['of an expired payment', createExpired],
])('a release %s is a conflict', async (_what, make) => {
  expect((await release(await make())).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect(admin.payments.steered).toEqual([]);
});

async function createExpired(): Promise<PaymentId> {
  const paymentId = await createAuthorized(admin);
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
  return paymentId;
}

test('a release of a payment that has expired is a conflict', async () => {
  admin.payments.onSteer = async ({ paymentId }) => {
    await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
    return { kind: 'done' };
  };
  const answer = await release(await createAuthorized(admin));
  expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect(answer.json().detail).toContain('expired');
});

test('a release with an invalid body, by a viewer, or of an unknown id is refused', async () => {
  const paymentId = await createAuthorized(admin);
  expect(faultPaths(await release(paymentId, { body: { reason: ' ', colour: 'red' } })).sort()).toEqual([
    'colour',
    'reason',
  ]);
  expect((await release(paymentId, { role: 'viewer' })).json()).toMatchObject({ status: 403 });
  expect((await release('nobody')).json()).toMatchObject({ status: 404 });
  expect((await recordOf(admin, paymentId)).releaseOrderedAt).toBeNull();
});

test('a check of the consent returns the status that the service has given', async () => {
  const { paymentId } = await createOpened(admin);
  admin.payments.onSteer = async () => {
    const patch = { consent: { status: 'successful', reason: null } } as const;
    await applyPaymentChange(admin.db, { paymentId, at: NOW, patch });
    return { kind: 'done' };
  };
  const answer = await check(paymentId, { body: {} });
  expect(answer.statusCode).toBe(200);
  // No redirectURL is shown, because the payer cannot approve the consent again.
  expect(answer.json().consent).toEqual({ status: 'successful', checkedAt: '2027-01-31T12:00:00.000Z' });
  expect(admin.payments.steered).toMatchObject([{ what: 'check', payment: { paymentId } }]);
});

test('a check of the consent of a settled payment makes no request', async () => {
  const answer = await check(await createBooked(admin, 1999));
  expect(answer.json()).toMatchObject({ status: 'captured' });
  expect(admin.payments.steered).toEqual([]);
});

test('a check of the consent without a worker is answered with 503, unless the payment is settled meanwhile', async () => {
  const { paymentId } = await createOpened(admin);
  admin.payments.onSteer = () => ({ kind: 'not_ready' });
  expect((await check(paymentId)).json()).toMatchObject({ status: 503, code: 'not_ready' });
  admin.payments.onSteer = async () => {
    const patch = { consent: { status: 'failed', reason: 'declined' } } as const;
    await applyPaymentChange(admin.db, { paymentId, at: NOW, patch });
    return { kind: 'not_ready' };
  };
  expect((await check(paymentId)).json()).toMatchObject({ status: 'consent_failed' });
});

test('a check of the consent that the payment service does not answer is answered with 502, without the reason', async () => {
  const { paymentId } = await createOpened(admin);
  admin.payments.onSteer = () => ({ kind: 'unavailable', reason: 'connect ECONNREFUSED 10.0.0.7:443' });
  const answer = await check(paymentId);
  expect(answer.json()).toMatchObject({ status: 502, code: 'payment_service_unavailable' });
  expect(answer.body).not.toContain('10.0.0.7');
});

test('a check of the consent needs an operator and a payment', async () => {
  const { paymentId } = await createOpened(admin);
  expect((await check(paymentId, { role: 'viewer' })).json()).toMatchObject({ status: 403 });
  expect((await check('nobody')).json()).toMatchObject({ status: 404 });
});
