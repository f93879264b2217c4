import type { ChangedPayment } from '../../src/contract/payments';
import type { PaymentId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import {
  applyPaymentChange,
  decideNextOfPayment,
  listUnacknowledgedPayments,
  readPaymentRevision,
} from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { FakePayments } from './fake-payments';
import { startOrdersAt } from './orphaned-orders';
import { createAuthorized, BOTH_FLAGS, created, eur, pathOf, settle } from './payment-order';

let admin: AdminUnderTest;
/** The workflows of the API that a test starts, apart from `admin`, whose own check runs once a minute. */
let payments: FakePayments;
let keys = 0;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => {
  payments = new FakePayments(admin.db);
});
afterAll(() => admin.stop());

function capture(paymentId: PaymentId, body: unknown) {
  const idempotencyKey = `left-${(keys += 1)}`;
  return admin.call('POST', `${pathOf(paymentId)}/captures`, { body, idempotencyKey });
}

/** Starts orphaned captures at this real time. @returns their ids */
async function startedAt(real: number): Promise<string[]> {
  payments.started.splice(0);
  await startOrdersAt(admin, real, { payments });
  return payments.started.map(({ orderId }) => orderId);
}

test('orphaned captures that were ordered a minute ago and never started are started', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const ordered = async () => created(await capture(paymentId, { amount: eur(5) })).orderId;
  const inFlight = await ordered();
  await settle(admin, inFlight, 'pending');
  const real = admin.clock.real;
  const left = await ordered();
  expect(await startedAt(real + MINUTE)).not.toContain(left);
  const started = await startedAt(real + MINUTE + 1);
  expect(started).toContain(left);
  expect(started).not.toContain(inFlight);
  expect(payments.started.find(({ orderId }) => orderId === left)).toMatchObject({ paymentId, amount: eur(5) });
});

test('orphaned captures are started even if another one cannot be started now', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  for (const value of [1, 2]) await capture(paymentId, { amount: eur(value) });
  const real = admin.clock.real + MINUTE + 1;
  const all = await startedAt(real);
  expect(all.length).toBeGreaterThan(1);
  payments.onStart = ({ orderId }) => ({ kind: orderId === all[0] ? 'not_ready' : 'running' });
  expect(await startedAt(real)).toEqual(all);
});

test('while Temporal is unreachable, only three orphaned captures are tried in a round', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  for (const value of [1, 2, 3, 4]) await capture(paymentId, { amount: eur(value) });
  payments.onStart = () => ({ kind: 'not_ready' });
  expect(await startedAt(admin.clock.real + MINUTE + 1)).toHaveLength(3);
});

test('orphaned captures are started however long ago they were ordered', async () => {
  const { orderId } = created(await capture(await createAuthorized(admin), { amount: eur(10_000) }));
  expect(await startedAt(admin.clock.real + 400 * DAY)).toContain(orderId);
});

test('when the API starts, orphaned captures that were sent an hour ago are started again, even for a payment that has ended', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  const { orderId } = created(await capture(paymentId, { amount: eur(5) }));
  await settle(admin, orderId, 'pending');
  await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { expiredAt: NOW } });
  const { real } = admin.clock;
  expect(await startedAt(real + HOUR)).not.toContain(orderId);
  admin.clock.real = real + HOUR + 1;
  const app = await admin.another({ payments });
  await app.ready();
  await waitUntil('it is started', () => payments.started.some((each) => each.orderId === orderId));
  await app.close();
});

test('the API starts even if orphaned captures cannot be started', async () => {
  await capture(await createAuthorized(admin), { amount: eur(10_000) });
  admin.clock.real += HOUR;
  let tried = 0;
  payments.onStart = () => {
    tried += 1;
    throw new Error('Temporal is another one');
  };
  const app = await admin.another({ payments });
  await app.ready();
  await waitUntil('it was tried', () => tried >= 1);
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  await app.close();
});

/** Starts another API, until it has notified workflows of all these changes. @returns the changes that it has notified of */
const notifiedAtStart = async (expected: readonly ChangedPayment[]) => {
  payments.notified.splice(0);
  const app = await admin.another({ payments });
  await app.ready();
  const isNotified = ({ requestId }: ChangedPayment) => payments.notified.some((each) => each.requestId === requestId);
  await waitUntil('the workflows are notified', () => expected.every(isNotified));
  await app.close();
  return payments.notified;
};

test('when the API starts, it notifies workflows of releases until the workflows have acknowledged them', async () => {
  const paymentId = await createAuthorized(admin, BOTH_FLAGS);
  expect((await admin.call('POST', `${pathOf(paymentId)}/release`, { body: {} })).statusCode).toBe(202);
  const changed = await readPaymentRevision(admin.db, paymentId);
  expect(await notifiedAtStart([changed])).toContainEqual(changed);
  await decideNextOfPayment(admin.db, changed.requestId, { at: NOW, revision: changed.revision });
  expect(await listUnacknowledgedPayments(admin.db, '', 1_000)).not.toContainEqual(changed);
});

test('when the API starts, it notifies workflows of all unacknowledged releases, however many there are', async () => {
  const ordered: ChangedPayment[] = [];
  for (let n = 0; n < 21; n += 1) {
    const paymentId = await createAuthorized(admin, BOTH_FLAGS);
    await admin.call('POST', `${pathOf(paymentId)}/release`, { body: {} });
    ordered.push(await readPaymentRevision(admin.db, paymentId));
  }
  expect(await notifiedAtStart(ordered)).toEqual(expect.arrayContaining(ordered));
});
