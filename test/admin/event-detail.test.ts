import { HOUR, toIso } from '../../src/domain/time';
import { fanOut, insertEvent, placeEvents } from '../../src/ledger';
import { tryOnce } from '../ledger/delivery-fixture';
import { subscribe } from '../ledger/ledger-fixture';
import { type AdminUnderTest, eachItems, NOW, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;

beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.stop());

const get = (path: string) => admin.call('GET', path, { role: 'viewer' });

async function openEndpoint(): Promise<string> {
  const body = { url: 'https://shop.example/events', types: ['*'] };
  return (await admin.call('POST', '/v1/webhook-endpoints', { body })).json<{ endpointId: string }>().endpointId;
}

async function insertMissed(cycles: number): Promise<void> {
  const { subscriptionId } = await subscribe(admin.db);
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const data = { cycle, dueAt: toIso(NOW), amount: { value: 1999, currency: 'EUR' } };
    await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data });
  }
  await placeEvents(admin.db);
}

/** Tries each delivery that is due at the endpoint once; the endpoint answers with this HTTP status. */
const post = (endpointId: string, status: number) =>
  tryOnce(
    admin.db,
    endpointId,
    { status, state: status === 204 ? 'delivered' : 'pending', ms: 7, answer: 'busy', wait: HOUR },
    NOW,
  );

test('events are listed newest first on request, page by page, without events that are recorded meanwhile', async () => {
  await insertMissed(3);
  const first = await get('/v1/events?order=newest&limit=2&types=cycle.missed');
  expect(eachItems(first, 'sequence')).toEqual([4, 3]);
  await insertMissed(1);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const second = await get(`/v1/events?order=newest&limit=2&types=cycle.missed&after=${nextCursor}`);
  expect(eachItems(second, 'sequence')).toEqual([2]);
  const end = second.json<{ nextCursor: string }>().nextCursor;
  expect((await get(`/v1/events?order=newest&after=${end}`)).json()).toMatchObject({ items: [] });
  await admin.db.query('update event_feed set epoch = epoch + 1');
  expect((await get(`/v1/events?order=newest&after=${nextCursor}`)).statusCode).toBe(410);
});

test('an event shows its payload as posted and every delivery, but the responses of endpoints only to admins', async () => {
  const endpointId = await openEndpoint();
  await insertMissed(1);
  await fanOut(admin.db);
  await post(endpointId, 503);
  const [listed] = (await get('/v1/events?types=subscription.created')).json<{ items: { id: string }[] }>().items;
  const event = await get(`/v1/events/${listed?.id}`);
  expect(event.json()).toEqual({
    ...listed,
    deliveries: [
      expect.objectContaining({
        ...{ endpointId, eventId: listed?.id, state: 'pending', test: false, again: false },
        tries: [{ at: expect.any(String), status: 503, ms: 7, error: null }],
      }),
    ],
  });
  const admins = await admin.call('GET', `/v1/events/${listed?.id}`, { role: 'admin' });
  expect(admins.json()).toMatchObject({ deliveries: [{ tries: [{ answer: 'busy' }] }] });
});

test('a test event can be looked up by its id, but not sent again', async () => {
  const endpointId = await openEndpoint();
  const sent = await admin.call('POST', `/v1/webhook-endpoints/${endpointId}/test`, { body: { type: 'cycle.failed' } });
  const { eventId } = sent.json<{ eventId: string }>();
  expect((await get(`/v1/events/${eventId}`)).json()).toMatchObject({
    ...{ id: eventId, type: 'cycle.failed', test: true },
    deliveries: [{ endpointId, test: true }],
  });
  const again = await admin.call('POST', `/v1/events/${eventId}/resend`, { body: { endpointId } });
  expect(again.statusCode).toBe(404);
});

test('an unknown event is not found', async () => {
  const answer = await get(`/v1/events/evt_${'0'.repeat(32)}`);
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('the report of deliveries has the last 24 hours of each endpoint, with delivered and failed tries separately', async () => {
  const endpointId = await openEndpoint();
  expect((await get('/v1/reports/deliveries')).json()).toEqual({ items: [], nextCursor: null });
  await insertMissed(2);
  await fanOut(admin.db);
  await post(endpointId, 503);
  await admin.db.query(`update webhook_queues set next_try_real_at = 'epoch'`);
  await post(endpointId, 204);
  // PostgreSQL sets the time of the tries, but the report ends at the real time of the API, which is set to the last try.
  const { rows } = await admin.db.query<{ at: Date }>('select max(real_at) as at from webhook_tries');
  admin.clock.real = Number(rows[0]?.at);
  const { items } = (await get('/v1/reports/deliveries')).json<{
    items: { endpointId: string; hours: { from: string; delivered: number; failed: number }[] }[];
  }>();
  expect(items.map((each) => each.endpointId)).toEqual([endpointId]);
  const { hours = [] } = items[0] ?? {};
  const present = Math.floor(admin.clock.real / HOUR) * HOUR;
  expect(hours.map(({ from }) => from)).toEqual(
    Array.from({ length: 24 }, (_, index) => toIso(present - (23 - index) * HOUR)),
  );
  const sum = (of: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[of], 0);
  expect([sum('delivered'), sum('failed')]).toEqual([1, 1]);
  admin.clock.real += 25 * HOUR;
  expect((await get('/v1/reports/deliveries')).json()).toEqual({ items: [], nextCursor: null });
});
