import { randomUUID } from 'node:crypto';
import { claimDeliveries, envelopeOf, insertEvent, MERCHANT_EVENTS, placeEvents } from '../../src/ledger';
import { subscribe } from '../ledger/ledger-fixture';
import { createValidator } from '../support/validator';
import { type AdminUnderTest, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;

beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

async function insertMissed(cycles: number) {
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

it('GET /v1/events lists events oldest first, always with a cursor to continue', async () => {
  const { subscriptionId, paymentId } = await insertMissed(2);
  const first = await read(`subscriptionId=${subscriptionId}&limit=2`);
  expect(eachItems(first, 'type')).toEqual(['subscription.created', 'cycle.missed']);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const second = await read(`paymentId=${paymentId}&after=${nextCursor}`);
  expect(eachItems(second, 'sequence')).toEqual([3]);
  const end = second.json<{ nextCursor: string }>().nextCursor;
  const third = await read(`after=${end}`);
  expect(third.json()).toEqual({ items: [], nextCursor: end });
});

it('GET /v1/events filters by type, and by all types of a subject', async () => {
  const { subscriptionId } = await insertMissed(1);
  const typesOf = async (types: string) =>
    eachItems(await read(`subscriptionId=${subscriptionId}&types=${types}`), 'type');
  expect(await typesOf('cycle.*')).toEqual(['cycle.missed']);
  expect(await typesOf('refund.failed,subscription.created')).toEqual(['subscription.created']);
  expect(await typesOf('*')).toHaveLength(2);
});

it.each(['types=cycle', 'types=cycle.*,nothing', 'types=', 'after=WzVd', 'after=x', 'limit=0', 'limit=201', 'since=1'])(
  'GET /v1/events rejects %s',
  async (query) => {
    const answer = await read(query);
    expect(answer.statusCode).toBe(400);
    expect(faultsOf(answer)[0]?.path).toMatch(/^(types|after|limit|since|$)/);
  },
);

it('GET /v1/events reports an expired cursor as expired, not as invalid', async () => {
  await insertMissed(1);
  const { nextCursor } = (await read('limit=1')).json<{ nextCursor: string }>();
  await admin.db.query('update event_feed set purged = placed');
  const answer = await read(`after=${nextCursor}`);
  expect(answer.statusCode).toBe(410);
  expect(answer.json()).toMatchObject({ code: 'cursor_expired' });
  await admin.db.query('update event_feed set purged = 0');
  expect((await read(`after=${nextCursor}`)).statusCode).toBe(200);
  await admin.db.query('update event_feed set epoch = epoch + 1');
  expect((await read(`after=${nextCursor}`)).json()).toMatchObject({ status: 410, code: 'cursor_expired' });
  const { nextCursor: since } = (await read('limit=1')).json<{ nextCursor: string }>();
  expect((await read(`after=${since}`)).statusCode).toBe(200);
});

it('the list of events accepts as cursors the ids of a stream that was opened after a restore', async () => {
  await admin.db.query('update event_feed set epoch = epoch + 1');
  const url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${admin.keys.viewer}` };
  const stream = (await fetch(`${url}/v1/stream?types=cycle.missed`, { headers })).body!.getReader();
  await insertMissed(1);
  let text = '';
  for (let isOver = false; !isOver && !text.includes('event: cycle.missed');) {
    const { done, value } = await stream.read();
    isOver = done;
    text += Buffer.from(value ?? []).toString();
  }
  await stream.cancel();
  const [, id = ''] = /^id: (\S+)\nevent: /m.exec(text) ?? [];
  expect((await read(`after=${id}`)).statusCode).toBe(200);
});

it('the API describes every event as a webhook, and listed events match their description', async () => {
  const { subscriptionId } = await insertMissed(1);
  const described = await describedWebhooks();
  expect([...described.keys()]).toEqual([...MERCHANT_EVENTS]);
  const { items } = (await read(`subscriptionId=${subscriptionId}`)).json<{ items: { type: string }[] }>();
  for (const item of items) expectToBe(described, item);
});

it('test events match their description', async () => {
  const { endpointId } = (
    await admin.call('POST', '/v1/webhook-endpoints', { body: { url: 'https://shop.example/', types: ['*'] } })
  ).json<{ endpointId: string }>();
  for (const type of MERCHANT_EVENTS)
    await admin.call('POST', `/v1/webhook-endpoints/${endpointId}/test`, { body: { type } });
  const claim = { endpointId, claimId: randomUUID(), lease: 45_000, limit: MERCHANT_EVENTS.length, probeEvery: 60_000 };
  const posted = (await claimDeliveries(admin.db, claim)).map(({ delivery }) => envelopeOf(delivery!));
  expect(posted.map(({ type }) => type).toSorted()).toEqual(MERCHANT_EVENTS.toSorted());
  const described = await describedWebhooks();
  for (const each of posted) {
    expect(each).not.toHaveProperty('sequence');
    expectToBe(described, each);
  }
});

/** For each event type, a function that says how a body differs from the description; null if it does not. */
type Described = ReadonlyMap<string, (body: object) => string | null>;

async function describedWebhooks(): Promise<Described> {
  const { webhooks, components } = (await admin.app.inject('/openapi.json')).json<{
    webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>;
    components: { schemas: object };
  }>();
  const wrongBy = createValidator(components.schemas);
  return new Map(
    Object.entries(webhooks).map(([type, { post }]) => {
      const { schema } = post.requestBody.content['application/json'];
      return [type, (body) => wrongBy(schema, body)];
    }),
  );
}

function expectToBe(described: Described, body: { readonly type: string }): void {
  expect([body.type, described.get(body.type)!(body)]).toEqual([body.type, null]);
}
