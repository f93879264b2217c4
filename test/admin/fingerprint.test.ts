import { type FingerprintedRequest, requestFingerprint } from '../../src/admin/http/fingerprint';

const REQUEST: FingerprintedRequest = {
  apiKeyId: 'key-1',
  idempotencyKey: 'order 7',
  call: 'POST /v1/subscriptions/a/pause',
  body: { until: '2027-01-31T10:00:00.000Z', reason: 'asked by phone', tags: ['a', 'b'] },
};

const fingerprint = (changes: Partial<FingerprintedRequest> = {}) =>
  requestFingerprint({ ...REQUEST, ...changes }).toString('hex');

test.each([
  ['fields in another order', { tags: ['a', 'b'], reason: 'asked by phone', until: '2027-01-31T10:00:00.000Z' }],
  ['an instant without milliseconds', { until: '2027-01-31T10:00:00Z', reason: 'asked by phone', tags: ['a', 'b'] }],
  ['an instant with another offset', { until: '2027-01-31T12:00+02', reason: 'asked by phone', tags: ['a', 'b'] }],
])('a request with %s has the same fingerprint', (_, body) => {
  expect(fingerprint({ body })).toBe(fingerprint());
});

test.each<[string, Partial<FingerprintedRequest>]>([
  ['of another API key', { apiKeyId: 'key-2' }],
  ['with another Idempotency-Key', { idempotencyKey: 'order 8' }],
  ['to another path', { call: 'POST /v1/subscriptions/b/pause' }],
  ['of another day', { within: 1 }],
  [
    'whose instant is a millisecond later',
    { body: { ...(REQUEST.body as object), until: '2027-01-31T10:00:00.001Z' } },
  ],
  ['whose list has another order', { body: { ...(REQUEST.body as object), tags: ['b', 'a'] } }],
  ['without a body', { body: undefined }],
])('a request %s has a different fingerprint', (_, changes) => {
  expect(fingerprint(changes)).not.toBe(fingerprint());
});

test('a text that only resembles an instant is compared unchanged', () => {
  expect(fingerprint({ body: '2027-02-30T10:00:00Z' })).not.toBe(fingerprint({ body: '2027-02-30T10:00:00.000Z' }));
});
