import { ADDRESS, BOOKING, euros, oneTimeRequest, openShop, START, subscriptionRequest, type Shop } from './merchant';

const SECOND = 1000;
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

it("the simulator answers a payment request with its ids and the payer's approval address", async () => {
  const { status, body } = await shop.post('/payments', subscriptionRequest());
  expect(status).toBe(201);
  expect(body).toEqual({
    paymentId: expect.stringMatching(/^pay_/),
    consentId: expect.stringMatching(/^con_/),
    useCase: 'SUBSCRIPTION',
    amount: euros(1999),
    createdAt: START,
    redirectURL: `${shop.url}/payer/${body.paymentId}`,
    status: { result: 'pending' },
  });
});

it('the simulator shows the consent in both spellings, with only the documented fields', async () => {
  const endAt = '2028-01-01T00:00:00.000Z';
  const { body } = await shop.post('/payments', subscriptionRequest({ endAt, startAt: '2020-01-01T00:00:00Z' }));
  const pending = {
    paymentId: body.paymentId,
    consentId: expect.stringMatching(/^con_/),
    createdAt: START,
    amount: euros(1999),
    repetition: 'MONTHLY',
    startAt: '2020-01-01T00:00:00.000Z',
    firstPaymentAt: START,
    endAt,
    status: { result: 'pending' },
  };
  expect((await shop.get(`/consents?paymentId=${body.paymentId}`)).body).toEqual(pending);
  shop.sandbox.payer(body.paymentId).approve();
  expect((await shop.get(`/${body.paymentId}/consents`)).body).toEqual({
    ...pending,
    walletId: expect.stringMatching(/^wal_/),
    status: { result: 'successful' },
  });
});

it('the simulator answers 404 for a payment that does not exist', async () => {
  for (const path of [
    '/consents?paymentId=pay_1',
    '/pay_1/consents',
    '/authorizations?paymentId=pay_1',
    '/pay_1/refunds',
  ]) {
    expect(await shop.get(path)).toMatchObject({ status: 404, body: { detail: 'NOT_FOUND' } });
  }
});

const problemsOf = async (request: Record<string, unknown>): Promise<string> => {
  const { status, body } = await shop.post('/payments', request);
  expect([status, body.detail]).toEqual([400, 'INVALID_REQUEST']);
  expect(shop.sandbox.payments()).toEqual([]);
  return body.description;
};

it('a malformed request is answered with every wrong field at once', async () => {
  const description = await problemsOf({
    useCase: 'GIFT',
    amount: { value: 1.5, currency: 'USD' },
    billingAddress: {},
    more: 1,
  });
  const fields = [
    'useCase',
    'amount.value',
    'amount.currency',
    'returnURL',
    'billingAddress.name',
    'billingAddress.country',
    '"more"',
  ];
  for (const field of fields) expect(description).toContain(field);
});

it.each([
  ['an amount of nothing', { amount: euros(0) }, 'amount.value'],
  ['a text for an amount', { amount: { value: '1999', currency: 'EUR' } }, 'amount.value'],
  ['a returnURL without scheme', { returnURL: 'shop.example' }, 'returnURL'],
  ['a returnURL that is a script', { returnURL: 'javascript:alert(1)' }, 'returnURL'],
  ['a country in small letters', { billingAddress: { ...ADDRESS, country: 'de' } }, 'billingAddress.country'],
  ['half a shipping address', { shippingAddress: { name: 'Ada' } }, 'shippingAddress.street'],
  [
    'a wallet that does not exist',
    { billingAddress: { ...ADDRESS, email: 'wallet+nope@example.test' } },
    'billingAddress.email',
  ],
  ['no repetition', { repetition: undefined }, 'repetition'],
  ['an unknown repetition', { repetition: 'DAILY' }, 'repetition'],
  ['no startAt', { startAt: undefined }, 'startAt'],
  ['no firstPaymentAt', { firstPaymentAt: undefined }, 'firstPaymentAt'],
  ['a date without time', { firstPaymentAt: '2027-03-01' }, 'firstPaymentAt'],
  ['an endAt without time', { endAt: '2028-01-01' }, 'endAt'],
  ['a time with another offset', { firstPaymentAt: '2027-03-01T10:00:00+01:00' }, 'firstPaymentAt'],
  ['a first payment before startAt', { startAt: '2027-01-31T10:00:00.001Z' }, 'firstPaymentAt'],
  ['an end at the first payment', { endAt: START }, 'endAt'],
  ['a capture period', { timeToCapture: 604800 }, 'timeToCapture'],
  ['partial captures', { partialCapture: true }, 'partialCapture'],
  ['several captures', { multipleCapture: true }, 'multipleCapture'],
])('a subscription with %s is refused as malformed', async (_what, changes, field) => {
  expect(await problemsOf(subscriptionRequest(changes))).toContain(`${field}: `);
});

it('a schedule is refused as malformed for plans other than Subscription', async () => {
  const description = await problemsOf(oneTimeRequest('SINGLE', { repetition: 'MONTHLY', startAt: START }));
  expect(description).toBe('repetition: only for SUBSCRIPTION; startAt: only for SUBSCRIPTION');
});

it('a first payment is refused if it is more than a minute in the past', async () => {
  const at = (offset: number): string => new Date(Date.parse(START) + offset).toISOString();
  const old = { startAt: '2026-01-01T00:00:00.000Z' };
  expect((await shop.post('/payments', subscriptionRequest({ ...old, firstPaymentAt: at(-60 * SECOND) }))).status).toBe(
    201,
  );
  const { status } = await shop.post(
    '/payments',
    subscriptionRequest({ ...old, firstPaymentAt: at(-60 * SECOND - 1) }),
  );
  expect(status).toBe(400);
});

const requested = async (timeToCapture: number): Promise<number> =>
  (await shop.post('/payments', oneTimeRequest('EVENT_DEPENDENT', { timeToCapture }))).status;

it('timeToCapture is a week at most', async () => {
  expect([await requested(0), await requested(1), await requested(604_800), await requested(604_801)]).toEqual([
    400, 201, 201, 400,
  ]);
});

it('timeToCapture is ten days at most for merchants permitted the longer period', async () => {
  await shop.close();
  shop = await openShop({ longCapturePermitted: true });
  expect([await requested(864_000), await requested(864_001)]).toEqual([201, 400]);
});

it.each(['4111', '4112', '4789', '7523', '4131'])(
  'timeToCapture is a week at most in category %s, permitted or not',
  async (merchantCategoryCode) => {
    await shop.close();
    shop = await openShop({ longCapturePermitted: true, merchantCategoryCode });
    expect([await requested(604_800), await requested(604_801)]).toEqual([201, 400]);
  },
);

describe('POST /payments', () => {
  beforeEach(async () => {
    await shop.close();
    shop = await openShop({ merchantCategoryCode: '4112' });
  });

  it.each([
    ['SINGLE', (cents: number) => oneTimeRequest('SINGLE', { amount: euros(cents) })],
    ['SUBSCRIPTION', (cents: number) => subscriptionRequest({ amount: euros(cents) })],
  ])('a merchant of a restricted category can request 50 EUR for %s and not a cent more', async (_plan, request) => {
    const statuses = [await shop.post('/payments', request(5000)), await shop.post('/payments', request(5001))];
    expect(statuses.map((answer) => answer.status)).toEqual([201, 400]);
  });

  it('a merchant of a restricted category may reserve more for Event Dependent, as captures are limited one by one', async () => {
    expect((await shop.post('/payments', oneTimeRequest('EVENT_DEPENDENT', { amount: euros(5001) }))).status).toBe(201);
  });

  it('a merchant of a restricted category cannot increase a subscription beyond 50 EUR', async () => {
    const { body } = await shop.post('/payments', subscriptionRequest({ amount: euros(4000) }));
    shop.sandbox.payer(body.paymentId).approve();
    await shop.post(`/${body.paymentId}/authorizations`, { amount: euros(4000) });
    shop.clock.pass(BOOKING);
    shop.clock.travelTo('2027-02-28T10:00:00.000Z');
    const refused = await shop.post(`/${body.paymentId}/authorizations`, { amount: euros(5001) });
    expect(refused).toMatchObject({ status: 422, body: { detail: 'AMOUNT_NOT_ALLOWED' } });
    expect((await shop.post(`/${body.paymentId}/authorizations`, { amount: euros(5000) })).status).toBe(201);
  });
});

it('the simulator writes status results in upper case if the simulator or the wallet is configured so', async () => {
  const plain = await shop.post(
    '/payments',
    subscriptionRequest({ billingAddress: { ...ADDRESS, email: 'wallet+approves+upper@example.test' } }),
  );
  expect(plain.body.status.result).toBe('PENDING');
  await shop.close();
  shop = await openShop({ upperCaseResults: true });
  expect((await shop.post('/payments', subscriptionRequest())).body.status.result).toBe('PENDING');
});

it('the simulator sends the payer to publicUrl if payers reach the simulator under another name', async () => {
  await shop.close();
  shop = await openShop({ publicUrl: 'https://pay.example/' });
  const { body } = await shop.post('/payments', subscriptionRequest());
  expect(body.redirectURL).toBe(`https://pay.example/payer/${body.paymentId}`);
});
