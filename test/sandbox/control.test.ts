import { createClock } from '../../src/platform/clock';
import { waitUntil } from '../support/wait-until';
import { createApproved, BOOKING, euros, openShop, START, subscriptionRequest, type Shop } from './merchant';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

it("the simulator's control shows the clock", async () => {
  expect((await shop.get('/_sandbox/clock')).body).toEqual({
    businessTime: START,
    realTime: '2026-11-21T09:00:00.000Z',
    setting: null,
  });
});

it("the simulator's control lets the payer act without a browser", async () => {
  const { body } = await shop.post('/payments', subscriptionRequest());
  const act = (action: string, wallet?: string) =>
    shop.post(`/_sandbox/payments/${body.paymentId}/payer`, { action, wallet });
  expect((await act('approve', 'slow')).body).toMatchObject({ wallet: 'slow', consent: { result: 'successful' } });
  expect(await act('approve')).toMatchObject({ status: 409, body: { detail: 'STATE_CONFLICT' } });
  expect((await act('cancel')).body).toMatchObject({ consent: { result: 'cancelled', reason: 'cancelled_by_payer' } });
  expect(await act('dance')).toMatchObject({ status: 400, body: { detail: 'INVALID_REQUEST' } });
});

it("the simulator's control shows the records of every payment, without personal data", async () => {
  const paymentId = await createApproved(shop, subscriptionRequest(), 'insufficient-funds-once');
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  shop.clock.pass(BOOKING);
  const { body, text } = await shop.get(`/_sandbox/payments/${paymentId}`);
  expect(body).toMatchObject({
    paymentId,
    useCase: 'SUBSCRIPTION',
    wallet: 'insufficient-funds-once',
    consent: { result: 'successful', reason: null },
    authorizations: [
      {
        cycle: 0,
        scheduledAt: START,
        amount: 1999,
        result: 'failed',
        rejection: { detail: 'AUTHORIZATION_REJECTION_RETRYABLE' },
      },
      { cycle: 0, scheduledAt: START, amount: 1999, result: 'successful', rejection: null },
    ],
    debits: [{ status: 'successful' }],
    refunds: [],
  });
  expect(text).not.toContain('Ada Example');
  expect((await shop.get('/_sandbox/payments')).body.items).toEqual([body]);
  expect((await shop.get('/_sandbox/payments/other')).status).toBe(404);
});

it('the simulator does not count requests that it refuses under /_sandbox', async () => {
  await shop.get('/_sandbox/payments/other');
  await shop.get('/consents?paymentId=other');
  expect(shop.sandbox.refusals()).toMatchObject([
    { path: '/consents', detail: 'NOT_FOUND', paymentId: 'other', at: START },
  ]);
});

it('the simulator follows a test clock: an hour per second, bookings in real time', async () => {
  await shop.close();
  const speed = 3_600;
  const realStart = Date.now();
  const clock = createClock({ virtualStart: Date.parse(START), realStart, speed });
  shop = await openShop({ clock, bookingDelayMs: 100, autoDecisionMs: 10 });
  const request = subscriptionRequest();
  const paymentId = await createApproved(shop, request);
  expect((await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) })).status).toBe(201);
  await waitUntil('it is booked', () => shop.sandbox.debits()[0]?.status === 'successful');
  const [debit] = shop.sandbox.debits();
  const minutes = (Date.parse(debit!.capturedAt) - Date.parse(debit!.createdAt)) / 60_000;
  expect(debit).toMatchObject({ status: 'successful', cycle: 0 });
  // On this clock 50 real ms are three minutes.
  expect(minutes).toBeGreaterThanOrEqual(2.75);
  expect(minutes).toBeLessThan(3.25);
});
