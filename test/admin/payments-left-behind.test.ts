import type { PaymentId } from '../../src/domain/ids';
import { HOUR, MINUTE, SECOND } from '../../src/domain/instant';
import { applyPaymentChange } from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { authorized, BOTH_FLAGS, created, eur, pathOf, settle } from './payment-order';

let admin: AdminUnderTest;
let keys = 0;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => {
  admin.payments.started.splice(0);
  admin.payments.onStart = () => ({ kind: 'running' });
});
afterAll(() => admin.stop());

function capture(paymentId: PaymentId, body: unknown) {
  const idempotencyKey = `left-${(keys += 1)}`;
  return admin.call('POST', `${pathOf(paymentId)}/captures`, { body, idempotencyKey });
}

describe('captures left behind', () => {
  /** The captures that an API which comes up at this real time has begun. */
  async function begunAt(real: number): Promise<string[]> {
    admin.payments.started.splice(0);
    admin.clock.real = real;
    const app = await admin.another();
    await app.ready();
    await app.close();
    return admin.payments.started.map(({ capture: { orderId } }) => orderId);
  }

  test('ordered a minute ago and never begun are begun when the API comes up', async () => {
    const paymentId = await authorized(admin, BOTH_FLAGS);
    const ordered = async () => created(await capture(paymentId, { amount: eur(5) })).orderId;
    const begun = await ordered();
    await settle(admin, begun, 'pending');
    const real = admin.clock.real;
    const left = await ordered();
    expect(await begunAt(real + MINUTE)).not.toContain(left);
    const started = await begunAt(real + MINUTE + 1);
    expect(started).toContain(left);
    expect(started).not.toContain(begun);
    const found = admin.payments.started.find(({ capture: { orderId } }) => orderId === left);
    expect(found?.payment).toMatchObject({ paymentId, captureBy: NOW + 604_800 * SECOND });
  });

  test('one whose workflow has ended keeps none from being begun; one that cannot be begun now does', async () => {
    const paymentId = await authorized(admin, BOTH_FLAGS);
    for (const value of [1, 2]) await capture(paymentId, { amount: eur(value) });
    const real = admin.clock.real + MINUTE + 1;
    const all = await begunAt(real);
    expect(all.length).toBeGreaterThan(1);
    admin.payments.onStart = () => ({ kind: 'finished' });
    expect(await begunAt(real)).toEqual(all);
    admin.payments.onStart = () => ({ kind: 'not_ready' });
    expect(await begunAt(real)).toEqual(all.slice(0, 1));
  });

  test('that cannot be begun leave the API as it is', async () => {
    await capture(await authorized(admin), { amount: eur(10_000) });
    admin.clock.real += HOUR;
    let tried = 0;
    admin.payments.onStart = () => {
      tried += 1;
      throw new Error('Temporal is another one');
    };
    const app = await admin.another();
    await app.ready();
    await waitUntil('it was tried', () => tried === 1);
    expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    await app.close();
  });
});

describe('releases left behind', () => {
  const released = () => admin.payments.steered.filter(({ what }) => what === 'release').length;

  test('are asked for again when the API comes up, until the ledger has them confirmed', async () => {
    const paymentId = await authorized(admin, BOTH_FLAGS);
    admin.payments.onSteer = () => ({ kind: 'not_ready' });
    expect((await admin.call('POST', `${pathOf(paymentId)}/release`, { body: {} })).statusCode).toBe(202);
    const asked = released();
    const comesUp = async () => {
      const app = await admin.another();
      await app.ready();
      await app.close();
    };
    await comesUp();
    expect(released()).toBe(asked + 1);
    await applyPaymentChange(admin.db, { paymentId, at: NOW, patch: { releasedAt: NOW } });
    await comesUp();
    expect(released()).toBe(asked + 1);
  });
});
