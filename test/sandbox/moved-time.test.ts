import { createApproved, BOOKING, euros, oneTimeRequest, openShop, subscriptionRequest, type Shop } from './merchant';

const WEEK = 604_800_000;
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const move = (paymentId: string, by: Record<string, unknown>) => shop.post(`/_sandbox/payments/${paymentId}/clock`, by);

it('moving the time of one payment does not move that of the others', async () => {
  const [one, other] = [
    await createApproved(shop, oneTimeRequest('EVENT_DEPENDENT')),
    await createApproved(shop, oneTimeRequest('EVENT_DEPENDENT')),
  ];
  shop.clock.pass(BOOKING);
  const statusOf = async (paymentId: string): Promise<string> =>
    (await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items[0]!.status.result;
  const deadline = new Date(shop.clock.now() + WEEK).toISOString();
  expect((await move(one, { businessTime: deadline })).body).toMatchObject({ businessTime: deadline });
  expect([await statusOf(one), await statusOf(other)]).toEqual(['expired', 'successful']);
});

it('the time of one payment cannot be moved backwards, nor that of an unknown payment at all', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'));
  expect(await move(paymentId, { businessTime: '2027-01-31T09:59:59.999Z' })).toMatchObject({
    status: 400,
    body: { detail: 'INVALID_REQUEST', description: 'the time of a payment cannot run backwards' },
  });
  expect((await move('other', { realSeconds: 1 })).status).toBe(404);
});

it('moving the time of one payment by real seconds ends its consent session, and books what is pending', async () => {
  const { body } = await shop.post('/payments', oneTimeRequest('SINGLE'));
  const consent = async (): Promise<unknown> => (await shop.get(`/${body.paymentId}/consents`)).body.status;
  await move(body.paymentId, { realSeconds: 599.999 });
  expect(await consent()).toEqual({ result: 'pending' });
  await move(body.paymentId, { realSeconds: 0.001 });
  expect(await consent()).toEqual({ result: 'failed', reason: 'timeout' });
  const paid = await createApproved(shop, oneTimeRequest('SINGLE'));
  await move(paid, { realSeconds: BOOKING / 1000 });
  expect(shop.sandbox.debits()).toMatchObject([{ paymentId: paid, status: 'successful' }]);
});

it('moving the time of one payment brings a subscription to its next due date', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  await move(paymentId, { realSeconds: 1 });
  await move(paymentId, { businessTime: '2027-02-28T10:00:00.000Z' });
  const { status, body } = await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  expect([status, body.createdAt]).toEqual([201, '2027-02-28T10:00:00.000Z']);
});

it('a token can be aged to the end of its life', async () => {
  const token = await shop.token();
  const call = async (): Promise<number> =>
    (await shop.send('/consents?paymentId=x', { headers: { authorization: `Bearer ${token}` } })).status;
  const age = (seconds: number, of = token) => shop.post('/_sandbox/tokens/age', { token: of, seconds });
  expect((await age(300)).status).toBe(204);
  expect(await call()).toBe(404);
  await age(0.001);
  expect(await call()).toBe(401);
  expect((await age(1, 'other')).status).toBe(404);
});
