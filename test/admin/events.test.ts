import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { insertEvent, MERCHANT_EVENTS, placeEvents } from '../../src/ledger';
import { subscribe } from '../ledger/ledger-fixture';
import { type AdminUnderTest, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;

beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

async function missed(cycles: number) {
  const subscribed = await subscribe(admin.db);
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const data = { cycle, dueAt: '2027-01-31T10:00:00.000Z', amount: { value: 1999, currency: 'EUR' } };
    const { subscriptionId } = subscribed;
    await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data });
  }
  await placeEvents(admin.db);
  return subscribed;
}

const read = (query: string) => admin.call('GET', `/v1/events?${query}`, { role: 'viewer' });

describe('GET /v1/events', () => {
  it('lists oldest first, and always says where to go on', async () => {
    const { subscriptionId, paymentId } = await missed(2);
    const first = await read(`subscriptionId=${subscriptionId}&limit=2`);
    expect(eachItems(first, 'type')).toEqual(['subscription.created', 'cycle.missed']);
    const { nextCursor } = first.json<{ nextCursor: string }>();
    const second = await read(`paymentId=${paymentId}&after=${nextCursor}`);
    expect(eachItems(second, 'sequence')).toEqual([3]);
    const end = second.json<{ nextCursor: string }>().nextCursor;
    const third = await read(`after=${end}`);
    expect(third.json()).toEqual({ items: [], nextCursor: end });
  });

  it('takes types, and all of a subject', async () => {
    const { subscriptionId } = await missed(1);
    const typesOf = async (types: string) =>
      eachItems(await read(`subscriptionId=${subscriptionId}&types=${types}`), 'type');
    expect(await typesOf('cycle.*')).toEqual(['cycle.missed']);
    expect(await typesOf('refund.failed,subscription.created')).toEqual(['subscription.created']);
    expect(await typesOf('*')).toHaveLength(2);
  });

  it.each([
    'types=cycle',
    'types=cycle.*,nothing',
    'types=',
    'after=WzVd',
    'after=x',
    'limit=0',
    'limit=201',
    'since=1',
  ])('refuses %s', async (query) => {
    const answer = await read(query);
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)[0]?.path).toMatch(/^(types|after|limit|since|$)/);
  });

  it('says that a cursor has expired, not that it is none', async () => {
    await missed(1);
    const { nextCursor } = (await read('limit=1')).json<{ nextCursor: string }>();
    await admin.db.query('update event_feed set purged = placed');
    const answer = await read(`after=${nextCursor}`);
    expect(answer.statusCode).toBe(410);
    expect(answer.json()).toMatchObject({ code: 'cursor_expired' });
    await admin.db.query('update event_feed set purged = 0');
  });
});

it('describes every event as a webhook, and each that is listed keeps to it', async () => {
  const { subscriptionId } = await missed(1);
  const { webhooks } = (await admin.app.inject('/openapi.json')).json<{
    webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>;
  }>();
  expect(Object.keys(webhooks)).toEqual([...MERCHANT_EVENTS]);
  const ajv = addFormats(new Ajv());
  const { items } = (await read(`subscriptionId=${subscriptionId}`)).json<{ items: { type: string }[] }>();
  for (const item of items) {
    const isOf = ajv.compile(webhooks[item.type]!.post.requestBody.content['application/json'].schema);
    expect([item.type, isOf(item), isOf.errors]).toEqual([item.type, true, null]);
  }
});
