import { randomUUID } from 'node:crypto';
import { type EventRecord, listEvents } from '../../src/ledger';
import { type AdminUnderTest, BOOTSTRAP_KEY, eachItems, faultsOf, startAdmin } from './admin-under-test';
import { order } from './order';
import { payment } from './payment-order';

/** Audit entries have the id of the acting key beside its name, because a rotated key and its replacement share a name. */

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

interface Made {
  readonly keyId: string;
  readonly key: string;
}

async function makeKey(name: string): Promise<Made> {
  return (await admin.call('POST', '/v1/keys', { body: { name, role: 'admin' }, key: BOOTSTRAP_KEY })).json<Made>();
}

async function auditEntriesOf(actor: string): Promise<readonly EventRecord[]> {
  return (await listEvents(admin.db, { actor }, { limit: 200, cursor: null })).items;
}

test('every audit entry that a call writes has the name and the id of its key', async () => {
  const { keyId, key } = await makeKey('Ada');
  const call = (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) =>
    admin.call(method, url, { key, body, idempotencyKey: randomUUID() });
  await call('POST', '/v1/subscriptions', order({ subscriptionId: 'sub_a' }));
  await call('PATCH', '/v1/subscriptions/sub_a', { metadata: { shelf: '7' } });
  await call('PATCH', '/v1/subscriptions/sub_a/payer', { email: 'new@example.org' });
  const { paymentId } = (await call('POST', '/v1/payments', payment())).json<{ paymentId: string }>();
  await call('POST', `/v1/payments/${paymentId}/captures`, { amount: { value: 1, currency: 'EUR' } });
  await call('POST', `/v1/payments/${paymentId}/release`, {});
  await call('POST', '/v1/halt', { reason: 'drill' });
  await call('DELETE', '/v1/halt?reason=over');
  await call('POST', '/v1/reports/reconciliation', { from: '2027-01-01T00:00:00Z', to: '2027-01-31T00:00:00Z' });
  const endpoint = (
    await call('POST', '/v1/webhook-endpoints', { url: 'https://shop.example/events', types: ['*'] })
  ).json<{
    endpointId: string;
  }>();
  await call('POST', `/v1/webhook-endpoints/${endpoint.endpointId}/test`, {});
  await call('POST', `/v1/webhook-endpoints/${endpoint.endpointId}/replay`, { since: '2027-01-01T00:00:00Z' });
  await call('PATCH', `/v1/webhook-endpoints/${endpoint.endpointId}`, { enabled: false });
  await call('DELETE', `/v1/webhook-endpoints/${endpoint.endpointId}`);
  const other = (await call('POST', '/v1/keys', { name: 'till', role: 'viewer' })).json<Made>();
  await call('DELETE', `/v1/keys/${other.keyId}`);
  const auditLog = await auditEntriesOf('Ada');
  expect(auditLog.filter((entry) => entry.keyId !== keyId).map(({ type }) => type)).toEqual([]);
  expect(new Set(auditLog.map(({ type }) => type))).toEqual(
    new Set([
      ...['metadata.changed', 'payer.changed', 'payment.requested', 'capture.refused', 'payment.release_refused'],
      ...['halt.started', 'halt.lifted', 'reconciliation.started', 'key.created', 'key.revoked'],
      ...['endpoint.created', 'endpoint.changed', 'endpoint.tested', 'events.replay_ordered', 'endpoint.deleted'],
    ]),
  );
});

test('keys with the same name are distinguished, and the actions of one can be listed', async () => {
  const old = await makeKey('Grace');
  const rotated = await admin.call('POST', `/v1/keys/${old.keyId}/rotate`, { key: old.key, body: {} });
  const { keyId, key } = rotated.json<Made>();
  await admin.call('POST', '/v1/halt', { key, body: { reason: 'drill' } });
  await admin.call('DELETE', '/v1/halt', { key: old.key });
  const listed = await admin.call('GET', '/v1/audit?actor=Grace', { role: 'viewer' });
  expect(eachItems(listed, 'type')).toEqual(['halt.lifted', 'halt.started', 'key.rotated']);
  expect(eachItems(listed, 'keyId')).toEqual([old.keyId, keyId, old.keyId]);
  const ofOne = await admin.call('GET', `/v1/audit?keyId=${keyId}`, { role: 'viewer' });
  expect(eachItems(ofOne, 'type')).toEqual(['halt.started']);
  const wrong = await admin.call('GET', '/v1/audit?keyId=Grace', { role: 'viewer' });
  expect(faultsOf(wrong)).toEqual([{ path: 'keyId', message: expect.stringContaining('a UUID') as string }]);
});

test('a session acts with the id of its key', async () => {
  const { keyId, key } = await makeKey('Edith');
  const opened = await admin.call('POST', '/v1/session', { key });
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const { csrfToken } = opened.json<{ csrfToken: string }>();
  const headers = {
    authorization: '',
    cookie,
    'x-csrf-token': csrfToken,
    origin: 'http://localhost',
    host: 'localhost',
  };
  const halted = await admin.call('POST', '/v1/halt', { body: { reason: 'drill' }, headers });
  expect(halted.statusCode).toBe(200);
  await admin.call('DELETE', '/v1/halt', { headers });
  await admin.call('DELETE', '/v1/session', { headers });
  const auditLog = await auditEntriesOf('Edith');
  expect(auditLog.map(({ type }) => type)).toEqual(['session.ended', 'halt.lifted', 'halt.started', 'session.opened']);
  expect(auditLog.map((entry) => entry.keyId)).toEqual(Array(4).fill(keyId));
});

test('the bootstrap key also has an id', async () => {
  await makeKey('Joan');
  const [made] = await auditEntriesOf('bootstrap');
  const keys = await admin.call('GET', '/v1/keys');
  const { keyId } = keys.json<{ items: (Made & { name: string })[] }>().items.find(({ name }) => name === 'bootstrap')!;
  expect(made).toMatchObject({ type: 'key.created', keyId, data: { name: 'Joan' } });
});

test('entries that no key caused have no key id', async () => {
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_b' }) });
  const answer = await admin.call('GET', '/v1/subscriptions/sub_b/events', { role: 'viewer' });
  expect(answer.json()).toMatchObject({ items: [{ type: 'consent.requested', actor: 'dueday', keyId: null }] });
});
