import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { createOpened, pathOf, payment } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const create = (subscriptionId: string, metadata?: unknown) =>
  admin.call('POST', '/v1/subscriptions', {
    body: order({ subscriptionId, ...(metadata === undefined ? {} : { metadata }) }),
  });
const change = (path: string, metadata: unknown, role: 'viewer' | 'operator' = 'operator') =>
  admin.call('PATCH', path, { role, body: { metadata } });
const metadataOf = async (path: string) =>
  (await admin.call('GET', path, { role: 'viewer' })).json<{ metadata: unknown }>().metadata;

test('the metadata of a subscription is what it was created with, or {}', async () => {
  expect((await create('sub_a', { order: '17', shop: 'Nord ☃' })).json().metadata).toEqual({
    order: '17',
    shop: 'Nord ☃',
  });
  expect((await create('sub_b')).json().metadata).toEqual({});
  expect(await metadataOf('/v1/subscriptions/sub_a')).toEqual({ order: '17', shop: 'Nord ☃' });
});

test('the metadata of a subscription is replaced as a whole by an operator, and the audit log says by whom and what', async () => {
  await create('sub_a', { order: '17', shop: 'north' });
  const answer = await change('/v1/subscriptions/sub_a', { shop: 'north', lot: '' });
  expect([answer.statusCode, answer.json().metadata]).toEqual([200, { shop: 'north', lot: '' }]);
  const auditLog = await admin.call('GET', '/v1/subscriptions/sub_a/events', { role: 'viewer' });
  expect(auditLog.json().items[0]).toMatchObject({
    actor: 'operator of the shop',
    type: 'metadata.changed',
    data: { keys: ['lot', 'order'], was: { order: '17', shop: 'north' }, is: { shop: 'north', lot: '' } },
  });
  expect((await change('/v1/subscriptions/sub_a', {}, 'viewer')).statusCode).toBe(403);
  expect((await change('/v1/subscriptions/sub_x', {})).statusCode).toBe(404);
});

test('replacing the metadata of a subscription by the same metadata writes no audit entry', async () => {
  await create('sub_same', { order: '17' });
  await change('/v1/subscriptions/sub_same', { order: '17' });
  const auditLog = await admin.call('GET', '/v1/subscriptions/sub_same/events', { role: 'viewer' });
  expect(eachItems(auditLog, 'type')).not.toContain('metadata.changed');
});

test.each([
  ['eleven pairs', Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, 'v'])), 'metadata', '10 pairs'],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'v' }, `metadata.${'k'.repeat(41)}`, 'at most 40 characters'],
  ['a value of 201 characters', { k: 'v'.repeat(201) }, 'metadata.k', 'at most 200 characters'],
  ['a number as a value', { k: 17 }, 'metadata.k', 'expected text; got 17'],
  ['null as a value', { k: null }, 'metadata.k', 'expected text; got null'],
  ['a line break in a value', { k: 'a\nb' }, 'metadata.k', 'control characters'],
  ['a list instead of an object', ['k'], 'metadata', 'a list of 1 item'],
  ['null instead of an object', null, 'metadata', 'expected an object; got null'],
  ['a value of 201 emoji', { k: '😀'.repeat(201) }, 'metadata.k', '200 characters; got text of 201 characters'],
])('the metadata of a subscription is refused with %s', async (_name, metadata, path, message) => {
  for (const answer of [await create('sub_a', metadata), await change('/v1/subscriptions/sub_a', metadata)]) {
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)).toEqual([{ path, message: expect.stringContaining(message) }]);
  }
});

test('the metadata of a subscription may have ten pairs of the longest keys and values', async () => {
  const pairs = Array.from({ length: 10 }, (_, n) => [`${n}`.padEnd(40, 'k'), 'v'.repeat(200)]);
  expect((await create('sub_a', Object.fromEntries(pairs))).statusCode).toBe(201);
});

test('the limits of the metadata of a subscription count a character outside the basic plane once', async () => {
  const longest = { ['😀'.repeat(40)]: '😀'.repeat(200) };
  expect((await create('sub_a', longest)).json().metadata).toEqual(longest);
});

test('the metadata of a one-time payment is set at creation and changed later, and is {} if there is none', async () => {
  const { paymentId } = await createOpened(admin, { metadata: { basket: '4' } });
  expect(await metadataOf(pathOf(paymentId))).toEqual({ basket: '4' });
  expect((await change(pathOf(paymentId), { basket: '5' })).json().metadata).toEqual({ basket: '5' });
  expect(await metadataOf(pathOf(paymentId))).toEqual({ basket: '5' });
  expect((await admin.call('POST', '/v1/payments', { body: payment() })).json().metadata).toEqual({});
});
