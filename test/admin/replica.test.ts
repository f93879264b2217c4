import type { FastifyInstance } from 'fastify';
import { createPool, type Pool } from '../../src/ledger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { type AdminUnderTest, eachItems, startAdmin } from './admin-under-test';
import { order } from './order';

/** The "replica" is an empty ledger, so that a response shows whether it was read from the replica or from the ledger. */

let admin: AdminUnderTest;
let empty: TestDatabase;
let replica: Pool;
let app: FastifyInstance;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: 'sub_a' }) });
  empty = await createTestDatabase();
  replica = createPool({ databaseUrl: empty.url, max: 1 });
  app = await admin.another({ replica });
});
afterAll(async () => {
  await app.close();
  await replica.end();
  await empty.drop();
  await admin.stop();
});

const get = (url: string, on = app) => admin.call('GET', url, { on });
const MONTH = 'from=2027-01-01T00:00:00Z&to=2027-02-28T00:00:00Z';

test('lists, searches and the audit log are read from the replica', async () => {
  for (const url of ['/v1/subscriptions', '/v1/subscriptions?q=sub', '/v1/audit', '/v1/notices', '/v1/payments']) {
    expect([url, eachItems(await get(url), 'at')]).toEqual([url, []]);
  }
  expect(eachItems(await get('/v1/subscriptions', admin.app), 'subscriptionId')).toEqual(['sub_a']);
  expect(eachItems(await get('/v1/audit', admin.app), 'type')).not.toEqual([]);
});

test('single subscriptions, with their cycles and events, are read from the ledger itself', async () => {
  expect((await get('/v1/subscriptions/sub_a')).statusCode).toBe(200);
  expect((await get('/v1/subscriptions/sub_a/cycles')).statusCode).toBe(200);
  expect(eachItems(await get('/v1/subscriptions/sub_a/events'), 'type')).not.toEqual([]);
});

test('while the replica is unavailable only lists and reports are refused', async () => {
  const gone = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const without = await admin.another({ replica: gone });
  const reports = ['collections', 'deadlines', 'forecast', 'recovery', 'reconciliation'].map(
    (report) => `/v1/reports/${report}?${report === 'deadlines' ? '' : MONTH}`,
  );
  for (const url of ['/v1/subscriptions', '/v1/transactions', '/v1/audit', ...reports]) {
    expect([url, (await get(url, without)).statusCode]).toEqual([url, 503]);
  }
  expect((await get('/v1/subscriptions/sub_a', without)).statusCode).toBe(200);
  expect((await get('/v1/attention', without)).statusCode).toBe(200);
  await without.close();
  await gone.end();
});
