import { createLogger } from '../../src/platform/log';
import { createSandbox } from '../../src/sandbox';
import { ManualClock } from './manual-clock';
import { basic, CLIENT_ID, CLIENT_SECRET, openShop, requestToken, START, type Shop } from './merchant';

const production = { clientId: 'merchant-1-live', clientSecret: 'live secret' };
let shop: Shop;
afterEach(() => shop.close());

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

it('a token is given for the client credentials', async () => {
  shop = await openShop();
  const answer = await requestToken(shop.url, basic(CLIENT_ID, CLIENT_SECRET));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 300 });
});

it('a token is given for form-encoded credentials as well', async () => {
  shop = await openShop();
  const encoded = new URLSearchParams({ x: CLIENT_SECRET }).toString().slice(2);
  expect((await requestToken(shop.url, basic(CLIENT_ID, encoded))).status).toBe(200);
});

it.each([
  ['a wrong secret', basic(CLIENT_ID, 'no')],
  ['an unknown client', basic('nobody', CLIENT_SECRET)],
  ['no Basic header', 'Bearer x'],
  ['a header without a colon', `Basic ${Buffer.from('abc').toString('base64')}`],
])('a token is refused for %s', async (_what, authorization) => {
  shop = await openShop();
  const answer = await requestToken(shop.url, authorization);
  expect(answer).toMatchObject({ status: 401, body: { result: 'FAILED', detail: 'UNAUTHENTICATED' } });
});

it('a token is refused with 403 for the credentials of the other environment', async () => {
  shop = await openShop({ production });
  const answer = await requestToken(shop.url, basic(production.clientId, production.clientSecret));
  expect(answer).toMatchObject({ status: 403, body: { result: 'FAILED', detail: 'FORBIDDEN' } });
});

it('a token is refused for another grant', async () => {
  shop = await openShop();
  const body = new URLSearchParams({ grant_type: 'password' });
  const headers = { authorization: basic(CLIENT_ID, CLIENT_SECRET) };
  const answer = await shop.send('/oauth/token', { method: 'POST', body, headers });
  expect(answer).toMatchObject({ status: 400, body: { detail: 'INVALID_REQUEST' } });
});

it('a token works for 300 real seconds and not a millisecond longer', async () => {
  shop = await openShop();
  const token = await shop.token();
  shop.clock.travelTo('2040-01-01T00:00:00.000Z');
  shop.clock.pass(300_000);
  expect((await shop.send('/consents?paymentId=x', bearer(token))).status).toBe(404);
  shop.clock.pass(1);
  const late = await shop.send('/consents?paymentId=x', bearer(token));
  expect(late).toMatchObject({ status: 401, body: { result: 'FAILED', detail: 'UNAUTHENTICATED' } });
});

it('the simulator needs a token on every path of the payment service, and on none under /_sandbox', async () => {
  shop = await openShop();
  const calls = [
    'POST /payments',
    'GET /consents',
    'GET /p/consents',
    'DELETE /p/consents',
    'POST /p/authorizations',
    'POST /authorizations',
    'GET /authorizations',
    'DELETE /authorizations/a',
    'DELETE /payments/p/authorizations/a',
    'POST /captures',
    'GET /captures',
    'POST /p/refunds',
    'GET /p/refunds',
  ];
  for (const call of calls) {
    const [method, path] = call.split(' ') as [string, string];
    const { status, body } = await shop.send(path, { method, ...bearer('made-up') });
    expect([call, status, body.detail]).toEqual([call, 401, 'UNAUTHENTICATED']);
  }
  for (const path of ['/_sandbox/debits', '/_sandbox/clock', '/_sandbox/wallets']) {
    expect((await shop.send(path, bearer('made-up'))).status).toBe(200);
  }
});

it('the simulator needs the API key if one is configured', async () => {
  shop = await openShop({ apiKey: 'key-1' });
  const withKey = (key: string): RequestInit => ({ headers: { 'x-api-key': key } });
  expect((await shop.get('/consents?paymentId=x')).status).toBe(401);
  expect((await shop.send('/consents?paymentId=x', withKey('key-2'))).status).toBe(401);
  expect((await shop.send('/consents?paymentId=x', withKey('key-1'))).status).toBe(404);
});

it.each([
  ['the address', ['127.0.0.1'], 200],
  ['its subnet', ['10.0.0.0/8', '127.0.0.0/8'], 200],
  ['other addresses only', ['10.0.0.1', '::1'], 403],
])(
  'with %s on the allow list (%s), the simulator answers a caller at 127.0.0.1 with %i',
  async (_what, allowList, expected) => {
    shop = await openShop({ allowList });
    expect((await requestToken(shop.url, basic(CLIENT_ID, CLIENT_SECRET))).status).toBe(expected);
    expect((await fetch(`${shop.url}/_sandbox/debits`)).status).toBe(200);
  },
);

it('the simulator does not start with an allow list that contains no address', async () => {
  shop = await openShop();
  const broken = createSandbox({
    clock: new ManualClock(START),
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    allowList: ['localhost'],
    logger: createLogger('silent'),
  });
  await expect(broken.listen(0)).rejects.toThrow('expected an IP address or a CIDR subnet; got localhost');
  await broken.close();
});

describe('a request that the simulator cannot match', () => {
  it.each([
    ['an unknown path', 'GET', '/nothing/here', undefined, 'application/json', 404, 'NOT_FOUND'],
    ['broken JSON', 'POST', '/payments', '{"a":', 'application/json', 400, 'INVALID_REQUEST'],
    ['a list for a body', 'POST', '/payments', '[]', 'application/json', 400, 'INVALID_REQUEST'],
    ['another media type', 'POST', '/payments', '<a/>', 'text/xml', 400, 'INVALID_REQUEST'],
    ['a body of 65 KiB', 'POST', '/payments', `"${'x'.repeat(65 * 1024)}"`, 'application/json', 400, 'INVALID_REQUEST'],
  ])('%s is answered with a Failure', async (_what, method, path, body, type, status, detail) => {
    shop = await openShop();
    const answer = await shop.send(path, { method, body: body ?? null, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status, body: { result: 'FAILED', detail } });
    expect(Object.keys(answer.body).sort()).toEqual(['description', 'detail', 'result']);
  });
});

it("the Date header of every answer, also of a refusal or a simulated fault, is the real time of the simulator's clock", async () => {
  shop = await openShop();
  shop.clock.pass(90_500);
  const list = () => shop.get('/authorizations?paymentId=x');
  const date = 'Sat, 21 Nov 2026 09:01:30 GMT';
  expect((await shop.get('/_sandbox/clock')).headers.get('date')).toBe(date);
  const refused = await list();
  expect([refused.status, refused.headers.get('date')]).toEqual([404, date]);
  await shop.post('/_sandbox/faults', { kind: 'error_before_commit', match: { path: '/authorizations$' } });
  const failed = await list();
  expect([failed.status, failed.headers.get('date')]).toEqual([503, date]);
});
