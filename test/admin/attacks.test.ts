import type { InjectOptions } from 'fastify';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { callsOf } from './route-needs';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
});
afterAll(() => admin.stop());

const send = (options: InjectOptions, role: 'viewer' | 'admin' = 'viewer') =>
  admin.app.inject({ ...options, headers: { authorization: `Bearer ${admin.keys[role]}`, ...options.headers } });

test('a HEAD request needs the same key as GET, and gets no body', async () => {
  const description = (await admin.app.inject({ url: '/openapi.json' })).json<object>();
  const reads = callsOf(description).filter(({ method, url }) => method === 'GET' && url.startsWith('/v1/'));
  expect(reads.length).toBeGreaterThan(30);
  for (const { url } of reads.filter((each) => !each.url.includes('stream'))) {
    const without = await admin.app.inject({ method: 'HEAD', url });
    expect([url, without.statusCode, without.body]).toEqual([url, 401, '']);
  }
  const keys = await send({ method: 'HEAD', url: '/v1/keys' });
  expect([keys.statusCode, keys.body]).toEqual([403, '']);
});

test.each([
  '//v1/keys',
  '/v1//keys',
  '/V1/keys',
  '/v1/KEYS',
  '/v1/keys/',
  '/v1/./keys',
  '/v1/subscriptions/../keys',
  '/v1/subscriptions/..%2fkeys',
  '/v1/subscriptions/%2e%2e/keys',
  '/v1/%6beys',
  '/v1/keys;x',
  '/v1/keys%00',
  '/v1/keys%3f',
  '/v1\\keys',
])('the path %s shows keys neither to a viewer nor to a caller without a key', async (url) => {
  for (const headers of [{}, { authorization: `Bearer ${admin.keys.viewer}` }]) {
    const answer = await admin.app.inject({ method: 'GET', url, headers });
    expect([401, 403, 404, 400]).toContain(answer.statusCode);
    expect(answer.body).not.toContain('keyId');
  }
});

test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
  'the header %s does not change the method',
  async (header) => {
    const answer = await send({ method: 'GET', url: '/v1/subscriptions/sub_a', headers: { [header]: 'PATCH' } });
    expect(answer.statusCode).toBe(200);
    const posted = await send({ method: 'POST', url: '/v1/keys?_method=GET', headers: { [header]: 'GET' } });
    expect(posted.statusCode).toBe(403);
  },
);

test.each(['x-original-url', 'x-rewrite-url', 'x-forwarded-prefix', 'x-forwarded-uri'])(
  'the header %s does not lead to another path',
  async (header) => {
    const answer = await send({ method: 'GET', url: '/v1/subscriptions?limit=1', headers: { [header]: '/v1/keys' } });
    expect(answer.json().items[0].subscriptionId).toBe('sub_a');
  },
);

test.each([
  '__proto__=polluted',
  '__proto__[polluted]=1',
  'constructor[prototype][polluted]=1',
  'metadata[__proto__]=polluted',
  'metadata[constructor]=polluted',
  'metadata[__proto__][polluted]=1',
  'metadata[][polluted]=1',
])('the query %s does not change a prototype', async (query) => {
  const answer = await send({ method: 'GET', url: `/v1/subscriptions?${query}` });
  expect([200, 400]).toContain(answer.statusCode);
  expect(answer.statusCode === 200 ? answer.json().items : []).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Encodes a cursor as the API does. */
const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const CURSORS = [
  cursorOf(["2027-01-31T12:00:00.000Z' or true --", 'sub_a']),
  cursorOf(["'; drop table payers; --", 1]),
  cursorOf([{ toString: 'x' }, []]),
  cursorOf({ __proto__: null, length: 2 }),
  cursorOf([1e400, -0]),
  cursorOf('x'.repeat(5_000)),
  cursorOf(Array.from({ length: 500 }, () => [])),
  Buffer.from('{"').toString('base64url'),
  '%00',
];

test('a forged cursor is refused by every list, and the error reveals nothing of the database', async () => {
  const description = (await admin.app.inject({ url: '/openapi.json' })).json<{ paths: Record<string, Paths> }>();
  const lists = Object.entries(description.paths).flatMap(([url, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor') === true ? [url.replace(/\{\w+\}/, 'sub_a')] : [],
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const url of lists)
    for (const cursor of CURSORS) {
      const answer = await send({ method: 'GET', url: `${url}?cursor=${cursor}` }, 'admin');
      expect([url, cursor, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([url, cursor, true]);
      expect(answer.body).not.toMatch(/syntax|relation|column|invalid input|node_modules/);
    }
});

interface Paths {
  readonly get?: { readonly parameters?: readonly { readonly name: string }[] };
}

test('no response contains the value of the request’s Host header', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' };
  const endpoint = { url: 'https://shop.example/', types: ['*'] };
  for (const answer of [
    await send({ method: 'GET', url: '/v1/subscriptions', headers }),
    await send({ method: 'GET', url: '/openapi.json', headers }),
    await send({ method: 'GET', url: '/docs', headers }),
    await send({ method: 'POST', url: '/v1/webhook-endpoints', headers, payload: endpoint }, 'admin'),
  ]) {
    expect(answer.statusCode).toBeLessThan(400);
    expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil.example');
  }
});

test.each(['bytes=0-0', 'bytes=0-1,0-1,0-1', `bytes=${'0-,'.repeat(1_000)}0-`, 'lines=1-2'])(
  'the header Range: %.40s is ignored for an export, so that no part is sent twice',
  async (range) => {
    const headers = { range, accept: 'text/csv' };
    const answer = await send({ method: 'GET', url: '/v1/transactions', headers }, 'admin');
    expect(answer.statusCode).toBe(200);
    expect(answer.body.split('\r\n').filter((line) => line.startsWith('transactionId'))).toHaveLength(1);
  },
);

test.each([
  ['1e400', '1e400'],
  ['a fraction of a cent', '1999.5'],
  ['a number that a float rounds', '9007199254740993'],
  ['a negative zero', '-0'],
  ['an amount as text', '"1999"'],
  ['an amount in hexadecimal text', '"0x7cf"'],
])('an amount that is %s creates nothing', async (_what, value) => {
  const body = order({ subscriptionId: 'sub_amount', amount: { value: '@', currency: 'EUR' } });
  const payload = JSON.stringify(body).replace('"@"', value);
  const headers = { 'content-type': 'application/json' };
  const answer = await send({ method: 'POST', url: '/v1/subscriptions', headers, payload }, 'admin');
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].path).toBe('amount.value');
});

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  '//evil.example',
  'https://user:secret@shop.example/',
  'https://shop.example\\@evil.example/',
  'http://shop.example/\r\nX-Injected: 1',
])('the return address %j is refused', async (returnURL) => {
  const answer = await admin.call('POST', '/v1/subscriptions', {
    body: order({ subscriptionId: 'sub_url', returnURL }),
  });
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([400, 'returnURL']);
});
