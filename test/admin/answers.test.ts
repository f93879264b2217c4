import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
  for (const subscriptionId of ['sub_a', 'sub_b']) {
    await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId }) });
  }
});
afterAll(() => admin.stop());

const get = (url: string, headers: Record<string, string> = {}) => admin.call('GET', url, { headers });

describe.each(['/v1/subscriptions/sub_a', '/v1/subscriptions', '/v1/subscriptions?sort=dueAt&limit=2'])(
  'the response to GET %s',
  (url) => {
    test('a response has an ETag, with which a repeated request is answered with 304 until the response changes', async () => {
      const first = await get(url);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
      const same = await get(url, { 'if-none-match': etag });
      expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);
      expect(same.headers).not.toHaveProperty('content-type');
      expect(same.headers['cache-control']).toBe('no-store');
      await admin.call('PATCH', '/v1/subscriptions/sub_a', { body: { metadata: { at: url } } });
      const changed = await get(url, { 'if-none-match': etag });
      expect(changed.statusCode).toBe(200);
      expect(changed.headers.etag).not.toBe(etag);
    });
  },
);

test.each([
  ['one of several tags', (tag: string) => `"a", ${tag} ,W/"b"`, 304],
  ['the tag as a strong one', (tag: string) => tag.slice(2), 304],
  ['any tag', () => '*', 304],
  ['another tag', () => 'W/"other"', 200],
  ['nothing', () => '', 200],
])('a GET with If-None-Match of %s gets 304 if its ETag matches', async (_what, header, status) => {
  const { etag } = (await get('/v1/subscriptions/sub_b')).headers;
  const answer = await get('/v1/subscriptions/sub_b', { 'if-none-match': header(String(etag)) });
  expect(answer.statusCode).toBe(status);
});

test('responses to writes and refusals have no ETag', async () => {
  const written = await admin.call('PATCH', '/v1/subscriptions/sub_b', { body: { metadata: { a: 'b' } } });
  expect([written.statusCode, written.headers.etag]).toEqual([200, undefined]);
  const missing = await get('/v1/subscriptions/sub_none', { 'if-none-match': '*' });
  expect([missing.statusCode, missing.headers.etag]).toEqual([404, undefined]);
});

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('a response above 1 kB is compressed for callers that accept %s', async (encoding, decompress) => {
  const plain = await get('/v1/subscriptions');
  expect(plain.rawPayload.length).toBeGreaterThan(1_024);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const compressed = await get('/v1/subscriptions', { 'accept-encoding': encoding });
  expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
  expect(compressed.headers.vary).toContain('accept-encoding');
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
  expect(decompress(compressed.rawPayload).toString('utf8')).toBe(plain.body);
});

test('a response above 1 kB is stored for its Idempotency-Key before it is compressed', async () => {
  const create = () =>
    admin.call('POST', '/v1/webhook-endpoints', {
      idempotencyKey: 'compressed',
      body: { url: 'https://shop.example/long', types: Array.from({ length: 100 }, () => 'cycle.collected') },
      headers: { 'accept-encoding': 'gzip' },
    });
  const [first, again] = [await create(), await create()];
  expect([again.headers['content-encoding'], again.headers['idempotent-replay']]).toEqual(['gzip', 'true']);
  expect(gunzipSync(again.rawPayload)).toEqual(gunzipSync(first.rawPayload));
});

test('a response is not compressed below 1 kB', async () => {
  const small = await get('/v1/approvals', { 'accept-encoding': 'gzip' });
  expect(small.headers).not.toHaveProperty('content-encoding');
  expect(small.json()).toEqual({ items: [], nextCursor: null });
});

test.each([
  ['a read', '/v1/subscriptions', 200],
  ['a call without a key', '/healthz', 200],
  ['an unknown path', '/nothing', 404],
  ['a path that cannot be decoded', '/v1/subscriptions/%ff', 400],
  ['a refused request', '/v1/subscriptions?limit=0', 400],
])('the response to %s has the request id', async (_what, url, status) => {
  const answer = await get(url);
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  if (status >= 400) expect(answer.json().requestId).toBe(answer.headers['x-request-id']);
});

test('creating an endpoint or a key returns its Location', async () => {
  const endpoint = await admin.call('POST', '/v1/webhook-endpoints', {
    body: { url: 'https://shop.example/events', types: ['*'] },
  });
  expect(endpoint.headers.location).toBe(`/v1/webhook-endpoints/${endpoint.json().endpointId}`);
  const key = await admin.call('POST', '/v1/keys', { body: { name: 'somewhere', role: 'viewer' } });
  expect(key.headers.location).toBe(`/v1/keys/${key.json().keyId}`);
  const rotated = await admin.call('POST', `/v1/keys/${key.json().keyId}/rotate`, { body: {} });
  expect(rotated.headers.location).toBe(`/v1/keys/${rotated.json().keyId}`);
});

test('a deleted endpoint is returned as disabled', async () => {
  const made = await admin.call('POST', '/v1/webhook-endpoints', {
    body: { url: 'https://shop.example/deleted', types: ['*'] },
  });
  expect(made.json().enabled).toBe(true);
  const deleted = await admin.call('DELETE', `/v1/webhook-endpoints/${made.json().endpointId}`);
  expect(deleted.json()).toMatchObject({ endpointId: made.json().endpointId, enabled: false });
});
