import { parseContradiction } from '../../../src/sandbox';
import { createApproved, BOOKING, openShop, subscriptionRequest } from '../merchant';
import { Liar } from './liar';

let liar: Liar;
afterEach(() => liar.close());

const consent = () => liar.shop.get(`/${liar.paymentId}/consents`);
const cancel = () => liar.shop.delete(`/${liar.paymentId}/consents`);

it.each([403, 409, 422, 500])(
  'a simulated service that refuses a cancellation answers it with %d, and the consent stays',
  async (status) => {
    liar = await Liar.open({ kind: 'cancellation_refused', status });
    expect(await cancel()).toMatchObject({ status, body: { result: 'FAILED' } });
    expect((await consent()).body.status.result).toBe('successful');
  },
);

it('a simulated service that ignores a cancellation answers 200, and the consent stays', async () => {
  liar = await Liar.open({ kind: 'cancellation_ignored' });
  expect(await cancel()).toMatchObject({ status: 200, body: { status: { result: 'successful' } } });
  expect((await consent()).body.status.result).toBe('successful');
});

it.each([
  [404, 'NOT_FOUND'],
  [410, 'GONE'],
])('a simulated service without the consent answers a cancellation with %d', async (status, detail) => {
  liar = await Liar.open({ kind: 'consent_gone', status });
  expect(await consent()).toMatchObject({ status, body: { detail } });
  expect(await liar.shop.get(`/consents?paymentId=${liar.paymentId}`)).toMatchObject({ status });
  expect(await cancel()).toMatchObject({ status, body: { detail } });
  expect(liar.shop.sandbox.payment(liar.paymentId).consent.result).toBe('successful');
});

it('a simulated outage refuses every POST for an hour of business time from the first POST on, and creates nothing', async () => {
  liar = await Liar.open({ kind: 'outage', minutes: 60 });
  const start = liar.shop.clock.now();
  expect((await liar.collect()).status).toBe(503);
  liar.shop.clock.travelTo(start + 3_599_999);
  expect((await liar.collect()).status).toBe(503);
  expect((await consent()).status).toBe(200);
  expect(liar.shop.sandbox.payment(liar.paymentId).authorizations).toEqual([]);
  liar.shop.clock.travelTo(start + 3_600_000);
  expect((await liar.collect()).status).toBe(201);
});

it('another simulated system of the merchant can collect any amount at any time with the same mandate', async () => {
  liar = await Liar.open();
  const path = `/_sandbox/payments/${liar.paymentId}/authorizations`;
  const made = { amount: 500, createdAt: '2027-01-28T16:00:00.000Z' };
  expect(await liar.shop.post(path, made)).toMatchObject({
    status: 201,
    body: { authorizations: [{ cycle: 0, amount: 500, createdAt: made.createdAt, result: 'successful' }] },
  });
  expect(await liar.states()).toEqual(['successful']);
  expect(await liar.states('captures')).toEqual(['successful']);
  expect(liar.debits()).toEqual(['successful']);
  expect(await liar.shop.post(path, { ...made, createdAt: '2027-02-28T16:00:00.000Z' })).toMatchObject({
    status: 400,
  });
});

it.each(['pending', 'failed'])(
  'another simulated system of the merchant can have an authorization that is %s',
  async (result) => {
    liar = await Liar.open();
    const made = { amount: 1999, createdAt: '2027-01-30T16:00:00.000Z', result, cycle: 1 };
    await liar.shop.post(`/_sandbox/payments/${liar.paymentId}/authorizations`, made);
    expect(await liar.states()).toEqual([result]);
    expect(liar.shop.sandbox.payment(liar.paymentId).authorizations).toMatchObject([{ cycle: 1 }]);
    liar.shop.clock.pass(BOOKING);
    expect(liar.debits()).toEqual(result === 'pending' ? ['successful'] : []);
  },
);

it('another simulated system of the merchant can have a mandate whose dates are past', async () => {
  liar = await Liar.open();
  const past = { startAt: '2026-01-31T10:00:00.000Z', firstPaymentAt: '2026-01-31T10:00:00.000Z' };
  const request = subscriptionRequest({ ...past, createdAt: '2026-01-30T10:00:00.000Z' });
  const { status, body } = await liar.shop.post('/_sandbox/payments', request);
  expect([status, body.createdAt]).toEqual([201, '2026-01-30T10:00:00.000Z']);
  const granted = await liar.shop.get(`/${body.paymentId}/consents`);
  expect(granted.body).toMatchObject({ status: { result: 'successful' }, firstPaymentAt: past.firstPaymentAt });
});

it('the simulated service can be set up to contradict itself from its start', async () => {
  liar = await Liar.open();
  const contradictions = [parseContradiction('list_cut:keeps=newest,count=1,says=total')];
  const shop = await openShop({ contradictions, brokenRules: ['one-debit-per-date'] });
  try {
    const paymentId = await createApproved(shop, subscriptionRequest());
    for (let n = 0; n < 2; n += 1)
      await shop.post(`/${paymentId}/authorizations`, { amount: { value: 1999, currency: 'EUR' } });
    const { body } = await shop.get(`/authorizations?paymentId=${paymentId}`);
    expect([body.items.length, body]).toEqual([1, expect.objectContaining({ total: 2 })]);
  } finally {
    await shop.close();
  }
});

it('the simulator parses a contradiction as a kind with its fields, which applies to all records and requests unless they limit it', async () => {
  liar = await Liar.open();
  expect(parseContradiction('refused_then_successful:delayMs=3000,named=true,attempt=1')).toMatchObject({
    kind: 'refused_then_successful',
    delayMs: 3000,
    named: true,
    times: null,
    match: { attempt: 1, on: 'authorizations' },
  });
  expect(parseContradiction('list_lag:times=2')).toMatchObject({ kind: 'list_lag', delayMs: 2000, times: 2 });
  expect(() => parseContradiction('list_short')).toThrow(
    /no such contradiction as list_short; expected one of\n {2}refused/,
  );
  expect(() => parseContradiction('list_cut:count=many')).toThrow(/list_cut:count=many: .*expected number/s);
});

it('the simulator lists its ways of contradicting itself', async () => {
  liar = await Liar.open();
  const { items } = (await liar.shop.get('/_sandbox/contradictions')).body as unknown as {
    items: { name: string }[];
  };
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_cut', 'same_id', 'vanishing']));
});
