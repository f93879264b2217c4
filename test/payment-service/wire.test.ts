import { AMOUNT, CLIENT_ID, CLIENT_SECRET, type ClientUnderTest, createClient, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

let server: ScriptedServer;
let client: ClientUnderTest;

beforeEach(async () => {
  server = await startScriptedServer();
  client = createClient(server.url);
});

afterEach(async () => {
  await client.service.close();
  await server.close();
});

const address = { name: 'Ada', street: 'Lane 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

function sent(): { line: string; body: unknown } {
  const call = server.calls.at(-1)!;
  return { line: `${call.method} ${call.path}`, body: call.body === '' ? null : JSON.parse(call.body) };
}

it('the client of the payment service requests a subscription with upper-case enums and UTC timestamps to the millisecond', async () => {
  server.answer((_request, response) => json(response, 201, wire.payment));
  const result = await client.service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: AMOUNT,
    returnURL: 'https://shop.example/back',
    billingAddress: address,
    repetition: 'HALF_YEARLY',
    startAt: Date.UTC(2027, 0, 1),
    firstPaymentAt: Date.UTC(2027, 0, 31, 10, 0, 0, 7),
  });
  expect(sent()).toEqual({
    line: 'POST /payments',
    body: {
      useCase: 'SUBSCRIPTION',
      amount: { value: 1999, currency: 'EUR' },
      returnURL: 'https://shop.example/back',
      billingAddress: address,
      repetition: 'HALF_YEARLY',
      startAt: '2027-01-01T00:00:00.000Z',
      firstPaymentAt: '2027-01-31T10:00:00.007Z',
    },
  });
  expect(result).toMatchObject({ kind: 'accepted', value: { paymentId: 'pay-1', status: 'pending' } });
});

it('the client of the payment service requests an event dependent payment with its capture flags and both addresses', async () => {
  server.answer((_request, response) => json(response, 201, { ...wire.payment, multiCapture: true }));
  const result = await client.service.requestPayment({
    useCase: 'EVENT_DEPENDENT',
    amount: AMOUNT,
    returnURL: 'https://shop.example/back',
    billingAddress: address,
    shippingAddress: { ...address, name: 'Bob', email: 'bob@example.org' },
    timeToCapture: 604800,
    partialCapture: true,
    multipleCapture: true,
  });
  expect(sent().body).toEqual({
    useCase: 'EVENT_DEPENDENT',
    amount: AMOUNT,
    returnURL: 'https://shop.example/back',
    billingAddress: address,
    shippingAddress: { ...address, name: 'Bob', email: 'bob@example.org' },
    timeToCapture: 604800,
    partialCapture: true,
    multipleCapture: true,
  });
  expect(result).toMatchObject({ kind: 'accepted', value: { multipleCapture: true } });
});

it('the client of the payment service requests a single payment without any field of the other plans', async () => {
  server.answer((_request, response) => json(response, 201, wire.payment));
  const common = { amount: AMOUNT, returnURL: 'https://shop.example/back', billingAddress: address };
  await client.service.requestPayment({ useCase: 'SINGLE', ...common });
  expect(sent().body).toEqual({ useCase: 'SINGLE', ...common });
});

it('the client of the payment service asks for and cancels the consent of a payment below the payment', async () => {
  server.answer((_request, response) => json(response, 200, wire.consent));
  await client.service.getConsent('pay-1');
  expect(sent()).toEqual({ line: 'GET /pay-1/consents', body: null });
  await client.service.cancelConsent('pay-1');
  expect(sent()).toEqual({ line: 'DELETE /pay-1/consents', body: null });
});

it('the client of the payment service initiates below the payment and lists by query', async () => {
  server.answer((_request, response) => json(response, 201, wire.authorization));
  await client.service.initiate('pay-1', AMOUNT);
  expect(sent()).toEqual({ line: 'POST /pay-1/authorizations', body: { amount: AMOUNT } });
  server.answer((_request, response) => json(response, 200, { items: [wire.authorization] }));
  const result = await client.service.listAuthorizations('pay-1');
  expect(sent()).toEqual({ line: 'GET /authorizations?paymentId=pay-1', body: null });
  expect(result).toEqual({
    kind: 'accepted',
    value: [
      {
        paymentId: 'pay-1',
        authorizationId: 'auth-1',
        amount: AMOUNT,
        createdAt: Date.UTC(2027, 0, 31, 10),
        status: 'pending',
      },
    ],
  });
});

it('the client of the payment service captures, lists captures, refunds, lists refunds and releases', async () => {
  server.answer((_request, response) => json(response, 201, wire.capture));
  await client.service.capture('pay-1', { amount: AMOUNT, finalCapture: true });
  const body = { paymentId: 'pay-1', amount: AMOUNT, finalCapture: true };
  expect(sent()).toEqual({ line: 'POST /captures', body });

  server.answer((_request, response) => json(response, 200, { items: [wire.capture] }));
  expect((await client.service.listCaptures('pay-1')).kind).toBe('accepted');
  expect(sent().line).toBe('GET /captures?paymentId=pay-1');
  await client.service.listCaptures('pay-1', 'auth-1');
  expect(sent().line).toBe('GET /captures?paymentId=pay-1&authorizationId=auth-1');

  server.answer((_request, response) => json(response, 201, wire.refund));
  expect((await client.service.refund('pay-1', { amount: AMOUNT, captureId: 'cap-1' })).kind).toBe('accepted');
  expect(sent()).toEqual({ line: 'POST /pay-1/refunds', body: { amount: AMOUNT, captureId: 'cap-1' } });

  server.answer((_request, response) => json(response, 200, { items: [wire.refund] }));
  expect((await client.service.listRefunds('pay-1')).kind).toBe('accepted');
  expect(sent().line).toBe('GET /pay-1/refunds');

  const released = { ...wire.authorization, status: { result: 'RELEASED' } };
  server.answer((_request, response) => json(response, 200, released));
  const result = await client.service.release('pay-1', 'auth-1');
  expect(sent()).toEqual({ line: 'DELETE /authorizations/auth-1?paymentId=pay-1', body: null });
  expect(result).toMatchObject({ kind: 'accepted', value: { status: 'released' } });
});

it("the client of the payment service reads consents, initiates and releases in the service's other spellings if these are configured", async () => {
  const other = createClient(server.url, { spellings: { consent: 'query', initiate: 'body', release: 'path' } });
  server.answer((_request, response) => json(response, 200, wire.consent));
  expect((await other.service.getConsent('pay-1')).kind).toBe('accepted');
  expect(sent()).toEqual({ line: 'GET /consents?paymentId=pay-1', body: null });
  server.answer((_request, response) => json(response, 201, wire.authorization));
  expect((await other.service.initiate('pay-1', AMOUNT)).kind).toBe('accepted');
  expect(sent()).toEqual({ line: 'POST /authorizations', body: { paymentId: 'pay-1', amount: AMOUNT } });
  const released = { ...wire.authorization, status: { result: 'released' } };
  server.answer((_request, response) => json(response, 200, released));
  expect((await other.service.release('pay-1', 'auth-1')).kind).toBe('accepted');
  expect(sent()).toEqual({ line: 'DELETE /payments/pay-1/authorizations/auth-1', body: null });
  await other.service.close();
});

it('the client of the payment service percent-encodes ids, so that none can change the path', async () => {
  const paymentId = 'a/b?c=d&e#f%2e';
  server.answer((_request, response) => json(response, 200, { ...wire.consent, paymentId }));
  expect((await client.service.getConsent(paymentId)).kind).toBe('accepted');
  expect(sent().line).toBe('GET /a%2Fb%3Fc%3Dd%26e%23f%252e/consents');
});

it.each(['', '.', '..', 'with space', 'line\nbreak', 'é', 'x'.repeat(201)])(
  'the client of the payment service refuses the id %j',
  async (paymentId) => {
    await expect(client.service.getConsent(paymentId)).rejects.toThrow(RangeError);
    expect(server.calls).toHaveLength(0);
  },
);

it('the client of the payment service keeps a path prefix of the base URL', async () => {
  const prefixed = createClient(`${server.url}/merchant/v1/`);
  server.answer((_request, response) => json(response, 200, wire.consent));
  await prefixed.service.getConsent('pay-1');
  expect(sent().line).toBe('GET /merchant/v1/pay-1/consents');
  expect(server.tokenCalls[0]?.path).toBe('/merchant/v1/oauth/token');
  await prefixed.service.close();
});

it('the client of the payment service authenticates with a bearer token that it gets by its client credentials, and asks for no compression', async () => {
  const keyed = createClient(server.url, { apiKey: 'the-api-key' });
  server.answer((_request, response) => json(response, 200, wire.consent));
  await keyed.service.getConsent('pay-1');
  await client.service.getConsent('pay-1');
  expect(server.tokenCalls[0]).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
  expect(server.tokenCalls[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    'x-api-key': 'the-api-key',
  });
  expect(server.calls[0]?.headers).toMatchObject({
    authorization: 'Bearer test-token-1',
    'x-api-key': 'the-api-key',
    'accept-encoding': 'identity',
  });
  expect(server.calls[1]?.headers).not.toHaveProperty('x-api-key');
  await keyed.service.close();
});

it('the client of the payment service requests its token at the token URL if one is configured', async () => {
  const elsewhere = await startScriptedServer();
  const configured = createClient(server.url, {
    tokenUrl: `${elsewhere.url}/tenant/oauth/token?realm=a`,
    apiKey: 'the-api-key',
  });
  elsewhere.answer((_request, response) => json(response, 200, { access_token: 'far', token_type: 'bearer' }));
  server.answer((_request, response) => json(response, 200, wire.consent));
  await configured.service.getConsent('pay-1');
  expect(elsewhere.calls[0]?.path).toBe('/tenant/oauth/token?realm=a');
  expect(elsewhere.calls[0]?.headers).not.toHaveProperty('x-api-key');
  expect(server.calls[0]?.headers.authorization).toBe('Bearer far');
  await configured.service.close();
  await elsewhere.close();
});

it('the client of the payment service reports every call once, for metrics', async () => {
  const onCall = jest.fn();
  const counted = createClient(server.url, { onCall });
  server.answer((_request, response) => json(response, 200, wire.consent));
  await counted.service.getConsent('pay-1');
  server.answer((_request, response) => json(response, 500, {}));
  await counted.service.initiate('pay-1', AMOUNT);
  expect(onCall.mock.calls).toEqual([
    [{ operation: 'get_consent', outcome: 'accepted', ms: 0 }],
    [{ operation: 'initiate', outcome: 'unknown', ms: 0 }],
  ]);
  await counted.service.close();
});
