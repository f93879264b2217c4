import {
  AMOUNT,
  CLIENT_SECRET,
  type ClientUnderTest,
  createClient,
  failure,
  REAL_START,
  wire,
} from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

let server: ScriptedServer;
let client: ClientUnderTest;

beforeAll(async () => {
  server = await startScriptedServer();
  client = createClient(server.url, { apiKey: 'api-key-of-the-test' });
});

afterAll(async () => {
  await client.service.close();
  await server.close();
});

function answering(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  server.answer((_request, response) => {
    if (typeof body === 'string' || Buffer.isBuffer(body)) response.writeHead(status, headers).end(body);
    else json(response, status, body, headers);
  });
}

const RETRYABLE = failure('AUTHORIZATION_REJECTION_RETRYABLE', 'insufficient funds; contact the payer');

it.each([200, 201, 400, 404, 409, 422, 500, 503])(
  'a readable Failure is a retryable refusal: status %d with AUTHORIZATION_REJECTION_RETRYABLE (rule 12)',
  async (status) => {
    answering(status, RETRYABLE);
    expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
      kind: 'rejected',
      failure: {
        retryable: true,
        detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
        description: 'insufficient funds; contact the payer',
        httpStatus: status,
      },
    });
  },
);

it.each(['authorization_rejection_retryable', 'Authorization_Rejection_Retryable'])(
  'a readable Failure is a retryable refusal even if its detail is written as %s',
  async (detail) => {
    answering(422, { ...failure(detail), result: 'failed' });
    expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
      kind: 'rejected',
      failure: { retryable: true, detail: 'AUTHORIZATION_REJECTION_RETRYABLE' },
    });
  },
);

it.each([
  [422, 'AUTHORIZATION_REJECTION_FINAL'],
  [201, 'AUTHORIZATION_REJECTION_FINAL'],
  [409, 'CONSENT_NOT_VALID'],
  [404, 'NOT_FOUND'],
  [400, 'INVALID_REQUEST'],
  [422, 'A_WORD_NOBODY_HAS_HEARD'],
  [422, 'AUTHORIZATION_REJECTION_RETRYABLE_LATER'],
  [503, 'CONSENT_NOT_VALID'],
])('a readable Failure is a final refusal: status %d with %s', async (status, detail) => {
  answering(status, failure(detail));
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'rejected',
    failure: { retryable: false, detail, httpStatus: status },
  });
});

it('a readable Failure keeps the refused record if the answer names it', async () => {
  answering(201, { ...wire.authorization, status: { result: 'FAILED' }, ...RETRYABLE });
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'rejected',
    failure: { retryable: true },
    value: { authorizationId: 'auth-1', createdAt: Date.UTC(2027, 0, 31, 10), status: 'failed' },
  });
});

it.each([500, 502, 503])('INTERNAL_ERROR or an unknown detail with a %d is not a refusal', async (status) => {
  for (const detail of ['INTERNAL_ERROR', 'A_WORD_NOBODY_HAS_HEARD']) {
    answering(status, failure(detail));
    expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
  }
});

it('an answer that says both FAILED and successful is unknown', async () => {
  answering(201, { ...wire.authorization, status: { result: 'SUCCESSFUL' }, ...RETRYABLE });
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
});

const REJECTIONS = [
  ['AUTHORIZATION_REJECTION_RETRYABLE', true],
  ['AUTHORIZATION_REJECTION_FINAL', false],
  ['authorization_rejection_retryable', true],
] as const;

it.each([401, 403, 429].flatMap((status) => REJECTIONS.map((each) => [status, ...each] as const)))(
  'a rejection takes precedence over the status %d, and the call is not repeated: %s',
  async (status, detail, retryable) => {
    answering(status, failure(detail));
    const before = server.calls.length;
    expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
      kind: 'rejected',
      failure: { retryable, detail: detail.toUpperCase(), description: 'as the service says', httpStatus: status },
    });
    expect(server.calls).toHaveLength(before + 1);
  },
);

it('a rejection takes precedence over the status 403, and the refused record is kept', async () => {
  answering(403, { ...wire.authorization, status: { result: 'FAILED' }, ...RETRYABLE });
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'rejected',
    value: { authorizationId: 'auth-1', status: 'failed' },
  });
});

it('a rejection takes precedence over the second 401, after the token was replaced', async () => {
  let calls = 0;
  server.answer((_request, response) => {
    calls += 1;
    json(response, 401, calls === 1 ? failure('UNAUTHENTICATED') : RETRYABLE);
  });
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'rejected',
    failure: { httpStatus: 401 },
  });
  expect(calls).toBe(2);
});

describe('not sent, with any other body (rule 17)', () => {
  it.each([401, 403, 429])('a request answered with status %d and no Failure counts as not sent', async (status) => {
    const others = [
      ...[failure('CONSENT_NOT_VALID'), failure('AUTHORIZATION_REJECTION'), { ...RETRYABLE, result: 'REFUSED' }],
      ...[{ ...wire.authorization, status: { result: 'SUCCESSFUL' }, ...RETRYABLE }, wire.authorization],
      ...[JSON.stringify(RETRYABLE).slice(0, -5), '<html>no</html>', ''],
    ];
    for (const body of others) {
      answering(status, body);
      expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
        kind: 'not_sent',
        reason: expect.stringContaining(String(status)),
        httpStatus: status,
      });
    }
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    [new Date(REAL_START + 90_000).toUTCString(), 90_000],
    [new Date(REAL_START - 90_000).toUTCString(), 0],
    ['99999999999999999999', 86_400_000],
  ])(
    'a request answered with 429 and Retry-After %s counts as not sent, with a wait of %i ms',
    async (header, retryAfterMs) => {
      answering(429, failure('RATE_LIMITED'), { 'retry-after': header });
      expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({ kind: 'not_sent', retryAfterMs });
    },
  );

  it.each(['soon', '-5', '1.5', '', 'Infinity'])(
    'a request answered with 429 and the unreadable Retry-After %j asks for no wait',
    async (header) => {
      answering(429, failure('RATE_LIMITED'), { 'retry-after': header });
      expect(await client.service.initiate('pay-1', AMOUNT)).not.toHaveProperty('retryAfterMs');
    },
  );
});

const made = wire.authorization;
it.each<[string, number, unknown]>([
  ['an HTML page with 400', 400, '<html><body>Bad Request</body></html>'],
  ['an HTML page with 404', 404, '<!doctype html>'],
  ['an HTML page with 409', 409, '<html>'],
  ['an HTML page with 422', 422, '<html>'],
  ['an HTML page with 200', 200, '<html>'],
  ['an empty body with 201', 201, ''],
  ['an empty 204', 204, ''],
  ['a 302', 302, made],
  ['a 500 without a body', 500, ''],
  ['a 503 with a record', 503, made],
  ['a 422 with a record', 422, made],
  ['truncated JSON', 201, JSON.stringify(made).slice(0, -5)],
  ['bytes that are not UTF-8', 201, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ['null', 201, 'null'],
  ['an array', 201, [made]],
  ['a number', 201, '5'],
  ['an unknown status word', 201, { ...made, status: { result: 'settled' } }],
  ['a status without result', 201, { ...made, status: {} }],
  ['a status that is a word', 201, { ...made, status: 'pending' }],
  ['an amount in text', 201, { ...made, amount: { value: '1999', currency: 'EUR' } }],
  ['half a cent', 201, { ...made, amount: { value: 1999.5, currency: 'EUR' } }],
  ['another currency', 201, { ...made, amount: { value: 1999, currency: 'USD' } }],
  ['another amount than ordered', 201, { ...made, amount: { value: 1998, currency: 'EUR' } }],
  ['a record of another payment', 201, { ...made, paymentId: 'pay-2' }],
  ['an id that is a number', 201, { ...made, authorizationId: 5 }],
  ['no createdAt', 201, { ...made, createdAt: undefined }],
  ['a createdAt on no calendar', 201, { ...made, createdAt: '2027-02-30T00:00:00.000Z' }],
  ['a createdAt without an offset', 201, { ...made, createdAt: '2027-02-20T00:00:00.000' }],
  ['a Failure without description', 422, { result: 'FAILED', detail: 'AUTHORIZATION_REJECTION_RETRYABLE' }],
  ['a Failure without detail', 422, { result: 'FAILED', description: 'no' }],
  ['a Failure whose detail is a number', 422, { result: 'FAILED', detail: 7, description: 'no' }],
  ['a Failure whose result is another word', 422, { ...RETRYABLE, result: 'REFUSED' }],
  ['a __proto__ that says FAILED', 422, '{"__proto__":{"result":"FAILED","detail":"X","description":"y"}}'],
])('an answer that neither accepts the call nor refuses it readably is unknown: %s', async (_name, status, body) => {
  answering(status, body);
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'unknown',
    reason: `unreadable answer with status ${status}`,
    httpStatus: status,
  });
});

it('the reader of answers keeps the record of an accepted answer that cannot be stored unchanged', async () => {
  answering(201, { ...made, createdAt: '+275760-01-01T00:00:00.000Z', billingAddress: 'Main Street 1' });
  const answer = await client.service.initiate('pay-1', AMOUNT);
  if (answer.kind !== 'unknown') throw new Error(answer.kind);
  const { authorizationId, amount, status } = made;
  const createdAt = '+275760-01-01T00:00:00.000Z';
  expect(JSON.parse(answer.accepted ?? '')).toEqual({
    authorizationId,
    paymentId: 'pay-1',
    amount,
    createdAt,
    status,
  });
});

it('the reader of answers keeps nothing of an answer without a record, or with an error status', async () => {
  answering(201, { ...made, authorizationId: 5 });
  expect(await client.service.initiate('pay-1', AMOUNT)).not.toHaveProperty('accepted');
  answering(503, { ...made });
  expect(await client.service.initiate('pay-1', AMOUNT)).not.toHaveProperty('accepted');
});

it('an answer that neither accepts the call nor refuses it readably is unknown: a record that is compressed although that was not requested', async () => {
  answering(201, JSON.stringify(made), { 'content-encoding': 'gzip' });
  expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('unknown');
});

it('an answer that neither accepts the call nor refuses it readably is unknown: a list with one unreadable item, and a body that is no list', async () => {
  for (const body of [{ items: [made, { ...made, amount: 5 }] }, { items: null }, {}, [made]]) {
    answering(200, body);
    expect((await client.service.listAuthorizations('pay-1')).kind).toBe('unknown');
  }
});

it('an answer that neither accepts the call nor refuses it readably is unknown: a release or a refund that names another record', async () => {
  answering(200, { ...made, authorizationId: 'auth-2', status: { result: 'released' } });
  expect((await client.service.release('pay-1', 'auth-1')).kind).toBe('unknown');
  answering(201, { ...wire.refund, captureId: 'cap-2' });
  expect((await client.service.refund('pay-1', { amount: AMOUNT, captureId: 'cap-1' })).kind).toBe('unknown');
  answering(201, { ...wire.capture, amount: { value: 1, currency: 'EUR' } });
  expect((await client.service.capture('pay-1', { amount: AMOUNT })).kind).toBe('unknown');
});

it.each([
  ['PENDING', 'pending'],
  ['Successful', 'successful'],
  ['FAILED', 'failed'],
  ['released', 'released'],
  ['EXPIRED', 'expired'],
  ['cancelled', 'released'],
])('an authorization %s reads as %s', async (result, status) => {
  answering(200, { items: [{ ...wire.authorization, status: { result } }] });
  expect(await client.service.listAuthorizations('pay-1')).toMatchObject({ kind: 'accepted', value: [{ status }] });
});

it('an authorization in a list with result FAILED is failed, with its detail in upper case', async () => {
  const item = { ...wire.authorization, ...failure('authorization_rejection_retryable', 'no funds') };
  answering(200, { items: [item] });
  expect(await client.service.listAuthorizations('pay-1')).toMatchObject({
    value: [{ status: 'failed', detail: 'AUTHORIZATION_REJECTION_RETRYABLE', description: 'no funds' }],
  });
});

it('a list item that says FAILED and successful makes the list unreadable', async () => {
  answering(200, { items: [{ ...wire.authorization, status: { result: 'successful' }, result: 'FAILED' }] });
  expect((await client.service.listAuthorizations('pay-1')).kind).toBe('unknown');
});

it('the reader of answers ignores unknown fields, and optional fields that it cannot read', async () => {
  const extra = { mood: 'fine', timeToCapture: 'long', detail: 7, description: null, result: 3 };
  answering(201, { ...wire.authorization, ...extra, createdAt: '2027-01-31T11:00:00+01:00' });
  expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
    kind: 'accepted',
    value: {
      paymentId: 'pay-1',
      authorizationId: 'auth-1',
      amount: AMOUNT,
      createdAt: Date.UTC(2027, 0, 31, 10),
      status: 'pending',
    },
  });
});

it('the reader of answers reads HALF-YEARLY as HALF_YEARLY and leaves out what it cannot read of a consent', async () => {
  const status = { result: 'CANCELLED', reason: 'Cancelled_By_Payer' };
  answering(200, { ...wire.consent, repetition: 'HALF-YEARLY', startAt: 'once', amount: AMOUNT, status });
  expect(await client.service.getConsent('pay-1')).toEqual({
    kind: 'accepted',
    value: {
      paymentId: 'pay-1',
      consentId: 'con-1',
      repetition: 'HALF_YEARLY',
      amount: AMOUNT,
      status: 'cancelled',
      reason: 'cancelled_by_payer',
    },
  });
});

it('a consent whose amount is not money is unreadable', async () => {
  answering(200, { ...wire.consent, amount: { value: '5', currency: 'EUR' } });
  expect((await client.service.getConsent('pay-1')).kind).toBe('unknown');
});

it('a consent that expired has failed by timeout', async () => {
  answering(200, { ...wire.consent, status: { result: 'expired' } });
  expect(await client.service.getConsent('pay-1')).toMatchObject({ value: { status: 'failed', reason: 'timeout' } });
});

it('the reader of answers leaves out a redirectURL that is not a web address', async () => {
  answering(201, { ...wire.payment, redirectURL: 'javascript:alert(1)' });
  const request = { amount: AMOUNT, returnURL: 'https://shop.example', billingAddress: {} as never };
  const result = await client.service.requestPayment({ useCase: 'SINGLE', ...request });
  expect(result).toEqual({ kind: 'accepted', value: { paymentId: 'pay-1', status: 'pending' } });
});

it('a list without items is readable', async () => {
  answering(200, { items: [] });
  expect(await client.service.listAuthorizations('pay-1')).toEqual({ kind: 'accepted', value: [] });
});

it('secrets that the service repeats in an answer appear neither in results nor in the log (rule 28)', async () => {
  server.answer((request, response) => {
    const echo = `you sent ${String(request.headers.authorization)} for ${CLIENT_SECRET} with api-key-of-the-test`;
    json(response, 422, failure('INVALID_REQUEST', echo));
  });
  const result = await client.service.initiate('pay-1', AMOUNT);
  expect(result).toMatchObject({
    failure: { description: 'you sent Bearer [masked] for [masked] with [masked]' },
  });
  const everything = JSON.stringify(result) + client.logged();
  for (const secret of ['test-token-', CLIENT_SECRET, 'api-key-of-the-test']) expect(everything).not.toContain(secret);
  expect(client.logged()).toContain('not_sent');
});
