import { createApproved, BOOKING, euros, openShop, subscriptionRequest, type Answer, type Shop } from './merchant';

/** What the payer's bank does with a subscription's payments, wallet by wallet. */
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const subscribe = (wallet: string): Promise<string> => createApproved(shop, subscriptionRequest(), wallet);
const collect = (paymentId: string): Promise<Answer> =>
  shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
const authorizations = async (paymentId: string) =>
  (await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items;
const captures = async (paymentId: string) => (await shop.get(`/captures?paymentId=${paymentId}`)).body.items;

const RETRYABLE = { result: 'FAILED', detail: 'AUTHORIZATION_REJECTION_RETRYABLE' };

it('the wallet insufficient-funds-once is refused first, with a failed authorization, and accepted at the retry', async () => {
  const paymentId = await subscribe('insufficient-funds-once');
  const refused = await collect(paymentId);
  expect(refused.status).toBe(422);
  expect(refused.body).toEqual({
    ...RETRYABLE,
    description: expect.stringContaining('Contact the payer before retrying'),
  });
  expect(await authorizations(paymentId)).toEqual([
    {
      paymentId,
      authorizationId: expect.stringMatching(/^aut_/),
      amount: euros(1999),
      createdAt: '2027-01-31T10:00:00.000Z',
      status: { result: 'failed' },
      ...RETRYABLE,
      description: refused.body.description,
    },
  ]);
  expect((await collect(paymentId)).status).toBe(201);
  shop.clock.pass(BOOKING);
  expect(shop.sandbox.debits()).toMatchObject([{ cycle: 0, status: 'successful' }]);
});

it('the wallet insufficient-funds-always is refused four times by its bank, and the fifth time by the service', async () => {
  const paymentId = await subscribe('insufficient-funds-always');
  const details: string[] = [];
  for (let attempt = 1; attempt <= 5; attempt += 1) details.push((await collect(paymentId)).body.detail);
  expect(details).toEqual([...Array<string>(4).fill(RETRYABLE.detail), 'RETRY_NOT_ALLOWED']);
  expect(await authorizations(paymentId)).toHaveLength(4);
  expect(shop.sandbox.refusalCounts()).toEqual({ [RETRYABLE.detail]: 4, RETRY_NOT_ALLOWED: 1 });
});

it('the wallet rejected-late-once is accepted first, and its rejection appears only in the authorization', async () => {
  const paymentId = await subscribe('rejected-late-once');
  const { status, body } = await collect(paymentId);
  expect([status, body.status.result]).toEqual([201, 'pending']);
  shop.clock.pass(BOOKING);
  expect(await authorizations(paymentId)).toMatchObject([{ ...RETRYABLE, status: { result: 'failed' } }]);
  expect(await captures(paymentId)).toEqual([]);
  expect((await collect(paymentId)).status).toBe(201);
});

it('the wallet rejected-with-id-once is answered with the failed authorization', async () => {
  const paymentId = await subscribe('rejected-with-id-once');
  const { status, body } = await collect(paymentId);
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...RETRYABLE, paymentId, status: { result: 'failed' } });
  expect(await authorizations(paymentId)).toEqual([body]);
});

it('the wallet final-rejection is refused finally', async () => {
  const paymentId = await subscribe('final-rejection');
  expect(await collect(paymentId)).toMatchObject({ status: 422, body: { detail: 'AUTHORIZATION_REJECTION_FINAL' } });
});

it('a payment with the wallet slow-90 stays pending for its time, or until a control route settles it', async () => {
  const [slow, settled] = [await subscribe('slow-90'), await subscribe('slow-90')];
  await collect(slow);
  await collect(settled);
  shop.clock.pass(44_999);
  expect(await authorizations(slow)).toMatchObject([{ status: { result: 'pending' } }]);
  await shop.post(`/_sandbox/payments/${settled}/settle`, {});
  expect(await captures(settled)).toMatchObject([{ status: { result: 'successful' } }]);
  shop.clock.pass(1);
  expect(await authorizations(slow)).toMatchObject([{ status: { result: 'successful' } }]);
});

it('the wallet cancels-after-2 cancels the consent at its bank after the second payment', async () => {
  const paymentId = await subscribe('cancels-after-2');
  const consent = async () => (await shop.get(`/${paymentId}/consents`)).body.status;
  await collect(paymentId);
  shop.clock.pass(BOOKING);
  expect(await consent()).toEqual({ result: 'successful' });
  shop.clock.travelTo('2027-02-28T10:00:00.000Z');
  await collect(paymentId);
  shop.clock.pass(BOOKING);
  expect(await consent()).toEqual({ result: 'cancelled', reason: 'cancelled_by_payer' });
  expect(shop.sandbox.debits()).toHaveLength(2);
});

it('the wallet capture-fails has its authorization accepted and its capture fail', async () => {
  const paymentId = await subscribe('capture-fails');
  await collect(paymentId);
  shop.clock.pass(BOOKING);
  expect(await authorizations(paymentId)).toMatchObject([{ status: { result: 'successful' } }]);
  expect(await captures(paymentId)).toMatchObject([{ status: { result: 'failed' }, detail: 'INTERNAL_ERROR' }]);
  expect(shop.sandbox.debits()).toMatchObject([{ status: 'failed' }]);
});

it('the bank behaves differently once a payer has another wallet', async () => {
  const paymentId = await subscribe('approves');
  await shop.post(`/_sandbox/payments/${paymentId}/wallet`, { wallet: 'insufficient-funds-once' });
  expect((await collect(paymentId)).status).toBe(422);
  expect(shop.sandbox.payment(paymentId).wallet).toBe('insufficient-funds-once');
  const unknown = await shop.post(`/_sandbox/payments/${paymentId}/wallet`, { wallet: 'rich' });
  expect(unknown).toMatchObject({ status: 400, body: { detail: 'INVALID_REQUEST' } });
});
