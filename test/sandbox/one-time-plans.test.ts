import {
  ADDRESS,
  createApproved,
  BOOKING,
  euros,
  oneTimeRequest,
  openShop,
  subscriptionRequest,
  type Answer,
  type Shop,
} from './merchant';

const WEEK = 604_800_000;
const START_MS = Date.parse('2027-01-31T10:00:00.000Z');
const SEVERAL = { partialCapture: true, multipleCapture: true };
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const authorizations = async (paymentId: string) =>
  (await shop.get(`/authorizations?paymentId=${paymentId}`)).body.items;
const captures = async (paymentId: string) => (await shop.get(`/captures?paymentId=${paymentId}`)).body.items;
const capture = (paymentId: string, cents: number, changes = {}): Promise<Answer> =>
  shop.post('/captures', { paymentId, amount: euros(cents), ...changes });

/** Creates an authorized Event Dependent payment. @returns its id and that of its authorization */
async function createReserved(changes: Record<string, unknown> = {}, wallet?: string): Promise<[string, string]> {
  const paymentId = await createApproved(shop, oneTimeRequest('EVENT_DEPENDENT', changes), wallet);
  shop.clock.pass(BOOKING);
  return [paymentId, (await authorizations(paymentId))[0]!.authorizationId];
}

it('the service authorizes and captures Single Immediate without a request once the payer has approved', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'));
  expect(await authorizations(paymentId)).toMatchObject([{ amount: euros(10000), status: { result: 'pending' } }]);
  shop.clock.pass(BOOKING);
  expect(await captures(paymentId)).toMatchObject([{ amount: euros(10000), status: { result: 'successful' } }]);
  expect(shop.sandbox.debits()).toMatchObject([{ paymentId, useCase: 'SINGLE', cycle: null, scheduledAt: null }]);
});

it('Single Immediate is not authorized if the payer declines', async () => {
  const { body } = await shop.post('/payments', oneTimeRequest('SINGLE'));
  shop.sandbox.payer(body.paymentId).decline();
  shop.clock.pass(BOOKING);
  expect(await authorizations(body.paymentId)).toEqual([]);
});

it('Single Immediate shows the rejection of the bank on its authorization', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'), 'insufficient-funds-once');
  shop.clock.pass(BOOKING);
  expect(await authorizations(paymentId)).toMatchObject([
    { status: { result: 'failed' }, detail: 'AUTHORIZATION_REJECTION_RETRYABLE' },
  ]);
  expect(await captures(paymentId)).toEqual([]);
});

it('Single Immediate is neither authorized, captured nor released by request', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'));
  shop.clock.pass(BOOKING / 2);
  const [authorization] = await authorizations(paymentId);
  const answers = [
    await shop.post(`/${paymentId}/authorizations`, { amount: euros(10000) }),
    await capture(paymentId, 10000),
    await shop.delete(`/payments/${paymentId}/authorizations/${authorization!.authorizationId}`),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { detail: 'STATE_CONFLICT' } });
});

it('Event Dependent waits for a capture, which names its authorization', async () => {
  const [paymentId, authorizationId] = await createReserved();
  expect(await captures(paymentId)).toEqual([]);
  const { status, body } = await capture(paymentId, 10000);
  expect(status).toBe(201);
  expect(body).toEqual({
    paymentId,
    captureId: expect.stringMatching(/^cap_/),
    authorizationId,
    amount: euros(10000),
    finalCapture: false,
    createdAt: expect.stringMatching(/^2027-01-31T/),
    status: { result: 'pending' },
  });
  shop.clock.pass(BOOKING - 1);
  expect(await captures(paymentId)).toMatchObject([{ status: { result: 'pending' } }]);
  shop.clock.pass(1);
  expect(await captures(paymentId)).toMatchObject([{ status: { result: 'successful' } }]);
});

it('Event Dependent shows its timeToCapture: a week unless asked otherwise', async () => {
  const [usual] = await createReserved();
  const [short] = await createReserved({ timeToCapture: 60 });
  expect(await authorizations(usual)).toMatchObject([{ timeToCapture: 604800 }]);
  expect(await authorizations(short)).toMatchObject([{ timeToCapture: 60 }]);
});

it('Event Dependent is not captured while its authorization is pending, or before consent', async () => {
  const { body } = await shop.post('/payments', oneTimeRequest('EVENT_DEPENDENT'));
  expect((await capture(body.paymentId, 10000)).body.detail).toBe('STATE_CONFLICT');
  shop.sandbox.payer(body.paymentId).approve();
  expect((await capture(body.paymentId, 10000)).body.detail).toBe('STATE_CONFLICT');
});

it('Event Dependent is captured in parts up to the amount; a capture that is too large leaves a failed record', async () => {
  const [paymentId] = await createReserved(SEVERAL);
  expect((await capture(paymentId, 4000)).status).toBe(201);
  expect(await capture(paymentId, 6001)).toMatchObject({
    status: 422,
    body: { detail: 'CAPTURE_EXCEEDS_AUTHORIZATION' },
  });
  expect((await capture(paymentId, 6000)).status).toBe(201);
  shop.clock.pass(BOOKING);
  expect((await captures(paymentId)).map((one) => [one.status.result, one.detail])).toEqual([
    ['successful', undefined],
    ['failed', 'CAPTURE_EXCEEDS_AUTHORIZATION'],
    ['successful', undefined],
  ]);
});

it('Event Dependent is closed by a final capture', async () => {
  const [paymentId] = await createReserved(SEVERAL);
  expect((await capture(paymentId, 4000, { finalCapture: true })).body).toMatchObject({ finalCapture: true });
  expect(await capture(paymentId, 1)).toMatchObject({ status: 409, body: { detail: 'STATE_CONFLICT' } });
});

it('Event Dependent may be captured again if a capture has failed at the bank', async () => {
  const [paymentId] = await createReserved({}, 'capture-fails');
  await capture(paymentId, 10000, { finalCapture: true });
  shop.clock.pass(BOOKING);
  expect(await captures(paymentId)).toMatchObject([{ status: { result: 'failed' } }]);
  expect((await capture(paymentId, 10000)).status).toBe(201);
});

it('Event Dependent can be captured a millisecond before its deadline, and has expired at it', async () => {
  const [[inTime], [late]] = [await createReserved(), await createReserved()];
  const createdAt = Date.parse((await authorizations(late))[0]!.createdAt);
  expect(createdAt).toBe(START_MS);
  shop.clock.travelTo(START_MS + WEEK - 1);
  expect((await capture(inTime, 10000)).status).toBe(201);
  shop.clock.travelTo(START_MS + WEEK);
  expect(await capture(late, 10000)).toMatchObject({ status: 422, body: { detail: 'CAPTURE_PERIOD_ENDED' } });
  expect(await authorizations(late)).toMatchObject([{ status: { result: 'expired' } }]);
  expect(await authorizations(inTime)).toMatchObject([{ status: { result: 'successful' } }]);
});

it('Event Dependent allows a restricted merchant at most 50 EUR per capture', async () => {
  await shop.close();
  shop = await openShop({ merchantCategoryCode: '7523' });
  const [paymentId] = await createReserved(SEVERAL);
  expect((await capture(paymentId, 5001)).body.detail).toBe('AMOUNT_NOT_ALLOWED');
  expect((await capture(paymentId, 5000)).status).toBe(201);
});

it('Event Dependent is released before any capture, in both spellings, and again', async () => {
  const [[one, oneId], [other, otherId]] = [await createReserved(), await createReserved()];
  const first = await shop.delete(`/authorizations/${oneId}?paymentId=${one}`);
  expect(first).toMatchObject({ status: 200, body: { authorizationId: oneId, status: { result: 'released' } } });
  expect((await shop.delete(`/authorizations/${oneId}?paymentId=${one}`)).status).toBe(200);
  const second = await shop.delete(`/payments/${other}/authorizations/${otherId}`);
  expect(second.body.status.result).toBe('released');
  expect((await capture(one, 10000)).body.detail).toBe('STATE_CONFLICT');
});

it('Event Dependent is not released after a capture, after its expiry, or if it is unknown', async () => {
  const [[captured, capturedId], [expired, expiredId]] = [await createReserved(SEVERAL), await createReserved()];
  await capture(captured, 1);
  shop.clock.travelTo(START_MS + WEEK);
  const release = (paymentId: string, id: string): Promise<Answer> =>
    shop.delete(`/authorizations/${id}?paymentId=${paymentId}`);
  expect((await release(captured, capturedId)).status).toBe(409);
  expect((await release(expired, expiredId)).status).toBe(409);
  expect((await release(expired, capturedId)).status).toBe(404);
  expect((await shop.delete(`/authorizations/${capturedId}`)).body.description).toContain('paymentId');
});

it('lists of captures and authorizations can be filtered by an id, and are empty for an unknown one', async () => {
  const [paymentId, authorizationId] = await createReserved(SEVERAL);
  const { body } = await capture(paymentId, 100);
  await capture(paymentId, 200);
  const of = async (path: string): Promise<number> => (await shop.get(path)).body.items.length;
  expect(await of(`/captures?paymentId=${paymentId}`)).toBe(2);
  expect(await of(`/captures?paymentId=${paymentId}&captureId=${body.captureId}`)).toBe(1);
  expect(await of(`/captures?paymentId=${paymentId}&authorizationId=${authorizationId}`)).toBe(2);
  expect(await of(`/captures?paymentId=${paymentId}&authorizationId=other`)).toBe(0);
  expect(await of(`/authorizations?paymentId=${paymentId}&authorizationId=${authorizationId}`)).toBe(1);
  expect(await of(`/authorizations?paymentId=${paymentId}&authorizationId=other`)).toBe(0);
});

const refund = (paymentId: string, cents: number, captureId?: string): Promise<Answer> =>
  shop.post(`/${paymentId}/refunds`, { amount: euros(cents), ...(captureId === undefined ? {} : { captureId }) });
const refunds = async (paymentId: string) => (await shop.get(`/${paymentId}/refunds`)).body.items;

it('a refund of a Single Immediate payment needs no captureId, and is booked after a while', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'));
  shop.clock.pass(BOOKING);
  const [debit] = shop.sandbox.debits();
  const { status, body } = await refund(paymentId, 4000);
  expect(status).toBe(201);
  expect(body).toEqual({
    paymentId,
    refundId: expect.stringMatching(/^ref_/),
    captureId: debit!.captureId,
    amount: euros(4000),
    createdAt: '2027-01-31T10:00:00.000Z',
    status: { result: 'pending' },
  });
  shop.clock.pass(BOOKING);
  expect(await refunds(paymentId)).toEqual([{ ...body, status: { result: 'successful' } }]);
  expect((await shop.get(`/${paymentId}/refunds?refundId=other`)).body.items).toEqual([]);
  expect(await refund(paymentId, 6001)).toMatchObject({ status: 422, body: { detail: 'REFUND_EXCEEDS_CAPTURE' } });
  expect((await refund(paymentId, 6000)).status).toBe(201);
  expect(shop.sandbox.debits()).toMatchObject([{ refunded: 10000 }]);
});

it('refunds of a subscription name their capture once there are two', async () => {
  const paymentId = await createApproved(shop, subscriptionRequest());
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  shop.clock.pass(BOOKING);
  shop.clock.travelTo('2027-02-28T10:00:00.000Z');
  await shop.post(`/${paymentId}/authorizations`, { amount: euros(1999) });
  shop.clock.pass(BOOKING);
  expect(await refund(paymentId, 100)).toMatchObject({ status: 422, body: { detail: 'CAPTURE_ID_REQUIRED' } });
  const [, second] = shop.sandbox.debits();
  expect((await refund(paymentId, 100, second!.captureId)).status).toBe(201);
  expect(shop.sandbox.debits()).toMatchObject([{ refunded: 0 }, { refunded: 100 }]);
});

it('refunds that fail at the bank return nothing', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'), 'refund-fails');
  shop.clock.pass(BOOKING);
  await refund(paymentId, 10000);
  shop.clock.pass(BOOKING);
  expect(await refunds(paymentId)).toMatchObject([{ status: { result: 'failed' }, detail: 'INTERNAL_ERROR' }]);
  expect(shop.sandbox.debits()).toMatchObject([{ refunded: 0 }]);
  expect((await refund(paymentId, 10000)).status).toBe(201);
});

it('a failed payment cannot be refunded', async () => {
  const paymentId = await createApproved(shop, oneTimeRequest('SINGLE'), 'final-rejection');
  shop.clock.pass(BOOKING);
  expect(await refund(paymentId, 1)).toMatchObject({ status: 409, body: { detail: 'STATE_CONFLICT' } });
});

it('the simulator refunds Event Dependent payments only if it is configured to', async () => {
  const captured = async (): Promise<string> => {
    const [paymentId] = await createReserved();
    await capture(paymentId, 10000);
    shop.clock.pass(BOOKING);
    return paymentId;
  };
  expect(await refund(await captured(), 1)).toMatchObject({ status: 409, body: { detail: 'STATE_CONFLICT' } });
  await shop.close();
  shop = await openShop({ eventDependentRefunds: true });
  expect((await refund(await captured(), 1)).status).toBe(201);
});

it('the simulator takes the wallet from the name if no e-mail is given', async () => {
  const request = oneTimeRequest('SINGLE', { billingAddress: { ...ADDRESS, name: 'wallet+declines+auto' } });
  const { body } = await shop.post('/payments', request);
  shop.clock.pass(200);
  expect(shop.sandbox.payment(body.paymentId).consent.reason).toBe('declined');
});
