import { gzipSync } from 'node:zlib';
import { type AdminUnderTest, faultPaths, faultsOf, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

test.each([
  ['/v1/subscriptions/%00', 400],
  ['/v1/payers/a%00b', 400],
  ['/v1/attention?assignee=%00', 400],
  ['/v1/attention?assignee=%01', 400],
  ['/v1/audit?actor=%00', 400],
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
  ['/v1/subscriptions?limit=1000', 400],
  ['/v1/subscriptions?limit=1e1', 400],
  ['/v1/subscriptions?limit=0xa', 400],
  ['/v1/subscriptions?limit=%2B10', 400],
  ['/v1/subscriptions?limit=%2010', 400],
  ['/v1/subscriptions?limit=', 400],
  ['/v1/subscriptions/sub_a/schedule?count=1e1', 400],
  ['/v1/events?limit=1e1', 400],
  ['/v1/webhook-endpoints/env/deliveries?status=2e2', 400],
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
])('GET %s is answered with %i', async (url, status) => {
  const answer = await admin.call('GET', url);
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ status, code: status === 404 ? 'not_found' : 'invalid_request' });
  expect(answer.headers['content-type']).toContain('application/problem+json');
});

test('all faults of a query are reported at once', async () => {
  const answer = await admin.call('GET', '/v1/subscriptions?status=gone&limit=0&colour=red');
  expect(faultPaths(answer).sort()).toEqual(['colour', 'limit', 'status']);
});

const TIME = 'expected a time with date, time of day and offset, such as 2027-01-31T10:00:00Z, from 1970 to 9999';
const TYPE = 'expected `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*';

test.each([
  ['/v1/subscriptions?limit=0', 'limit', 'expected a number of at least 1; got "0"'],
  ['/v1/subscriptions?limit=201', 'limit', 'expected a number of at most 200; got "201"'],
  ['/v1/subscriptions?limit=-1', 'limit', 'expected a whole number from 1 to 200; got "-1"'],
  ['/v1/subscriptions?limit=all', 'limit', 'expected a whole number from 1 to 200; got "all"'],
  [`/v1/subscriptions?limit=${'1'.repeat(41)}`, 'limit', expect.stringContaining('got text of 41 characters')],
  ['/v1/subscriptions?limit=%3Cb%3E', 'limit', expect.stringContaining('got text of 3 characters')],
  ['/v1/subscriptions?dueBefore=2027-01-01', 'dueBefore', `${TIME}; got "2027-01-01"`],
  ['/v1/subscriptions?dueBefore=2027-01-01T00:00:00+01:00', 'dueBefore', `${TIME}; got "2027-01-01T00:00:00 01:00"`],
  ['/v1/reports/collections?to=2027-01-01T00:00:00Z', 'from', `${TIME}; got nothing`],
  [
    '/v1/subscriptions?dueFrom=2027-02-01T00:00:00Z&dueTo=2027-02-01T00:00:00Z',
    'dueTo',
    'expected a time after dueFrom; got "2027-02-01T00:00:00Z"',
  ],
  ['/v1/events?types=cycle.*,cycle.gone', 'types', `${TYPE}; got "cycle.*,cycle.gone"`],
  ['/v1/subscriptions?q=%01', 'q', expect.stringContaining('got text of 1 character')],
])(
  '%s is answered with the field, what was expected, and the value if it is short and not free text',
  async (url, path, message) => {
    expect(faultsOf(await admin.call('GET', url))).toContainEqual({ path, message });
  },
);

test.each<['PUT' | 'DELETE' | 'GET', string, string]>([
  ['DELETE', '/v1/subscriptions?limit=1', 'GET, HEAD, POST'],
  ['DELETE', '/v1/subscriptions/sub_a', 'GET, HEAD, PATCH'],
  ['GET', '/v1/subscriptions/sub_a/pause', 'POST'],
  ['GET', '/v1/keys/1', 'DELETE'],
  ['PUT', '/healthz', 'GET, HEAD'],
])(
  'the method %s, which %s does not support, is answered with 405 and the supported methods',
  async (method, url, allow) => {
    const answer = await admin.app.inject({ method, url });
    expect(answer.json()).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  },
);

test('a path that only starts like a known one has no methods', async () => {
  expect((await admin.app.inject({ method: 'PUT', url: '/v1/subscriptions/a/b/c' })).statusCode).toBe(404);
});

describe('POST /v1/subscriptions/{id}/pause', () => {
  const pause = (body: string | Buffer, headers = {}) =>
    admin.call('POST', '/v1/subscriptions/sub_body/pause', { body, headers });
  beforeAll(() => admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_body' }) }));

  test.each([
    ['at the top', '{"reason": "a", "reason": "b"}', 'reason'],
    ['in an object of an object', '{"a": {"b": 1, "c": {"d": 2, "d": 2}}}', 'a.c.d'],
    ['in an object of a list', '{"a": [1, [2], {"x": 1}, {"x": {}, "y": [], "x": 3}]}', 'a.3.x'],
    ['spelled with an escape', '{"reason": "a", "\\u0072eason": "b"}', 'reason'],
    ['after a text that looks like a field', '{"a": "\\"reason\\":", "reason": "x", "reason": "y"}', 'reason'],
    ['that is empty', '{"": 1, "": 2}', ''],
  ])('a JSON body with a duplicate field %s is rejected, naming the field', async (_where, body, path) => {
    const answer = await pause(body);
    expect([answer.statusCode, answer.json().errors]).toEqual([400, [{ path, message: 'duplicate field' }]]);
  });

  test('a JSON body may have the same field in two objects, and the same text twice in an array', async () => {
    const answer = await admin.call('PATCH', '/v1/subscriptions/sub_body', {
      body: '{"metadata": {"a": "metadata", "b": "a"}}',
    });
    expect(answer.json()).toMatchObject({ metadata: { a: 'metadata', b: 'a' } });
  });

  test.each([
    ['[]', 'a list of 0 items'],
    ['"text"', 'text of 4 characters'],
    ['17', '17'],
    ['true', 'true'],
  ])('a JSON body that is %s is rejected, because an object is expected', async (body, got) => {
    expect((await pause(body)).json().errors).toEqual([{ path: '', message: `expected an object; got ${got}` }]);
  });

  test('a JSON body may start with a byte order mark', async () => {
    const body = JSON.stringify(order({ subscriptionId: 'sub_bom' }));
    const answer = await admin.call('POST', '/v1/subscriptions', { body: Buffer.from(`\ufeff${body}`) });
    expect(answer.statusCode).toBe(201);
  });

  test('a JSON body that is compressed is rejected with 415, and without a key with 401', async () => {
    const body = gzipSync('{}');
    const answer = await pause(body, { 'content-encoding': 'gzip' });
    expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(answer.json().detail).toContain('Content-Encoding');
    expect((await pause(body, { 'content-encoding': 'gzip', authorization: '' })).statusCode).toBe(401);
    expect((await pause('[]', { 'content-encoding': 'identity' })).statusCode).toBe(400);
  });
});
