import { createApproved, BOOKING, euros, openShop, type Shop, subscriptionRequest } from './merchant';

const HOUR = 3_600_000;
const DUE = Date.parse('2027-01-31T10:00:00.000Z');

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const collect = (paymentId: string, cents = 1999) =>
  shop.post(`/${paymentId}/authorizations`, { amount: euros(cents) });
const book = () => shop.clock.pass(BOOKING);

it('a debit of a subscription is answered as pending, then authorized, then captured', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  const { status, body } = await collect(paymentId);
  expect(status).toBe(201);
  expect(body).toEqual({
    paymentId,
    authorizationId: expect.stringMatching(/^aut_/),
    amount: euros(1999),
    createdAt: '2027-01-31T10:00:00.000Z',
    status: { result: 'pending' },
  });
  expect((await shop.get(`/captures?paymentId=${paymentId}`)).body.items).toEqual([]);

  shop.clock.pass(BOOKING / 2 - 1);
  expect((await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items[0]!.status.result).toBe('pending');
  shop.clock.pass(1);
  expect((await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items[0]!.status.result).toBe('successful');
  expect((await shop.get(`/captures?paymentId=${paymentId}`)).body.items[0]!.status.result).toBe('pending');

  shop.clock.pass(BOOKING / 2);
  const captures = await shop.get(`/captures?paymentId=${paymentId}&authorizationId=${body.authorizationId}`);
  expect(captures.body.items).toEqual([
    {
      paymentId,
      captureId: expect.stringMatching(/^cap_/),
      authorizationId: body.authorizationId,
      amount: euros(1999),
      createdAt: expect.stringMatching(/^2027-01-31T/),
      status: { result: 'successful' },
    },
  ]);
});

it('a debit of a subscription accepts the payment id in the body as well', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  const { status, body } = await shop.post('/authorizations', { paymentId, amount: euros(1999) });
  expect([status, body.paymentId]).toEqual([201, paymentId]);
});

it('a subscription records each debit with the date it was matched to', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  await collect(paymentId);
  book();
  shop.clock.travelTo('2027-02-28T12:00:00.000Z');
  await collect(paymentId);
  book();
  const { items } = (await shop.get('/_sandbox/debits')).body;
  expect(items).toMatchObject([
    { paymentId, cycle: 0, scheduledAt: '2027-01-31T10:00:00.000Z', amount: euros(1999), status: 'successful' },
    { paymentId, cycle: 1, scheduledAt: '2027-02-28T10:00:00.000Z', createdAt: '2027-02-28T12:00:00.000Z' },
  ]);
  expect(shop.sandbox.debits()).toEqual(items);
});

it('a subscription captures nothing before its authorization, even if the business clock is stopped', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  await collect(paymentId);
  book();
  const [debit] = shop.sandbox.debits();
  expect(debit!.capturedAt).toBe(debit!.createdAt);
});

it('a subscription refuses a second payment of a date that is pending or paid, and counts the refusal', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  await collect(paymentId);
  expect(await collect(paymentId)).toMatchObject({
    status: 422,
    body: { result: 'FAILED', detail: 'INTERVAL_NOT_MATCHED' },
  });
  book();
  expect((await collect(paymentId)).body.detail).toBe('INTERVAL_NOT_MATCHED');
  expect(shop.sandbox.debits()).toHaveLength(1);
  expect((await shop.get('/_sandbox/refusals')).body).toMatchObject({
    counts: { INTERVAL_NOT_MATCHED: 2 },
    items: [{ method: 'POST', path: `/${paymentId}/authorizations`, paymentId }, {}],
  });
});

it('a subscription takes a payment 120 hours late and none a millisecond later', async () => {
  const onTime = await createApproved(shop, subscriptionRequest());
  const late = await createApproved(shop, subscriptionRequest());
  shop.clock.travelTo(DUE + 120 * HOUR);
  expect((await collect(onTime)).status).toBe(201);
  shop.clock.travelTo(DUE + 120 * HOUR + 1);
  expect((await collect(late)).body.detail).toBe('INTERVAL_NOT_MATCHED');
});

it('a subscription collects nothing before consent, nor after it was cancelled', async () => {
  const { body: payment } = await shop.post('/payments', subscriptionRequest());
  expect(await collect(payment.paymentId)).toMatchObject({ status: 409, body: { detail: 'CONSENT_NOT_VALID' } });
  shop.sandbox.payer(payment.paymentId).approve();
  shop.sandbox.payer(payment.paymentId).cancel();
  expect((await collect(payment.paymentId)).body.detail).toBe('CONSENT_NOT_VALID');
});

it('a subscription allows only the consent amount at first, and one increase in six months', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  expect((await collect(paymentId, 1998)).body).toMatchObject({ result: 'FAILED', detail: 'AMOUNT_NOT_ALLOWED' });
  await collect(paymentId);
  book();
  shop.clock.travelTo('2027-02-28T10:00:00.000Z');
  await collect(paymentId, 2500);
  book();
  shop.clock.travelTo('2027-03-31T10:00:00.000Z');
  expect((await collect(paymentId, 2501)).body.detail).toBe('AMOUNT_NOT_ALLOWED');
  expect((await collect(paymentId, 2500)).status).toBe(201);
});
