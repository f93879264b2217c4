import { type AdminUnderTest, faultPaths, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const send = (body: string | Buffer, contentType = 'application/json') =>
  admin.call('POST', '/v1/subscriptions', { body, headers: { 'content-type': contentType } });

const withReference = (reference: string) =>
  JSON.stringify(order({ payer: { reference: '@' } })).replace('@', reference);

afterEach(async () => {
  expect(admin.gateway.created).toHaveLength(0);
});

const deep = (levels: number) => `{"amount":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('a body that cannot be right', () => {
  test.each([
    ['10 MB', JSON.stringify({ amount: 'x'.repeat(10_000_000) }), 413, 'payload_too_large'],
    ['one byte past 1 MiB', `"${'x'.repeat(1024 * 1024 - 1)}"`, 413, 'payload_too_large'],
    ['21 levels deep', deep(20), 400, 'invalid_request'],
    ['half a million levels deep', deep(250_000), 400, 'invalid_request'],
    ['cut off', '{"amount":', 400, 'invalid_request'],
    ['no JSON', 'amount=1999', 400, 'invalid_request'],
    ['two values', '{}{}', 400, 'invalid_request'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_request'],
    ['NUL in a value', withReference('a\\u0000b'), 400, 'invalid_request'],
    ['NUL in a field name', '{"a\\u0000b":1}', 400, 'invalid_request'],
    ['half a surrogate pair', withReference('\\ud83d'), 400, 'invalid_request'],
    ['a field named __proto__', '{"__proto__":{"role":"admin"}}', 400, 'invalid_request'],
    ['a field named __proto__ further down', '{"payer":{"__proto__":{}}}', 400, 'invalid_request'],
  ])('%s is refused', async (_what, body, status, code) => {
    const answer = await send(body);
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  test('exactly 1 MiB is read, and judged by what it says', async () => {
    const answer = await send(`"${'x'.repeat(1024 * 1024 - 2)}"`);
    expect(answer.json().errors).toEqual([{ path: '', message: 'expected an object; got text of 1048574 characters' }]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'nonsense'])(
    'of type %s is refused',
    async (contentType) => {
      const answer = await send('{}', contentType);
      expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  test('prototypes stay as they were', () => {
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });
});

describe('a path or a query that cannot be right', () => {
  test.each([
    ['/v1/subscriptions/%00', 404],
    ['/v1/subscriptions/a%2Fb', 404],
    [`/v1/subscriptions/${'a'.repeat(65)}`, 404],
    [`/v1/subscriptions/${'a'.repeat(500)}`, 404],
    ["/v1/subscriptions/x'%20or%20'1'='1", 404],
    ['/v1/subscriptions/%ff', 400],
    ['/v1/nothing', 404],
    ['/v2/subscriptions', 404],
    ['/v1/subscriptions?status=gone', 400],
    ['/v1/subscriptions?limit=0', 400],
    ['/v1/subscriptions?limit=201', 400],
    ['/v1/subscriptions?limit=ten', 400],
    ['/v1/subscriptions?limit=1&limit=2', 400],
    ['/v1/subscriptions?limit=1.5', 400],
    ['/v1/subscriptions?cursor=nonsense', 400],
    ['/v1/subscriptions?cursor=', 400],
    ['/v1/subscriptions?dueBefore=2027-01-31', 400],
    ['/v1/subscriptions?q=%00', 400],
    ['/v1/subscriptions?q=', 400],
    [`/v1/subscriptions?q=${'a'.repeat(201)}`, 400],
    ['/v1/subscriptions?__proto__=1', 400],
    ['/v1/subscriptions?colour=red', 400],
    ['/v1/audit?from=yesterday', 400],
    ['/v1/audit?cursor=WzFd.', 400],
    ['/v1/attention?cursor=WzFd', 400],
    ['/v1/keys?cursor=WzFd', 400],
    ['/v1/keys/1', 404],
  ])('GET %s is %i', async (url, status) => {
    const answer = await admin.call('GET', url);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, code: status === 404 ? 'not_found' : 'invalid_request' });
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  test('every fault of a query is told at once', async () => {
    const answer = await admin.call('GET', '/v1/subscriptions?status=gone&limit=0&colour=red');
    expect(faultPaths(answer).sort()).toEqual(['colour', 'limit', 'status']);
  });

  test('a method that a path has not is not found', async () => {
    expect((await admin.call('DELETE', '/v1/subscriptions')).json()).toMatchObject({ status: 404, code: 'not_found' });
  });
});
