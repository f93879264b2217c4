import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { applyChange, listEvents, type Role } from '../../src/ledger';
import { BEGIN_SENDING } from '../../src/ledger/halt/halt';
import { emptyLedger } from '../support/empty-ledger';
import { waitUntil } from '../support/wait-until';
import { type AdminUnderTest, type CallOptions, eachItems, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.workflows.notified.splice(0);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

const UNTIL = NOW + HOUR;
const NORTH = { metadata: { shop: 'north' } };
const BODY = { filter: NORTH, until: toIso(UNTIL), reason: 'the bank is down' };

const post = (body: unknown = BODY, options: Partial<CallOptions> = {}) =>
  admin.call('POST', '/v1/holds', { role: 'operator', ...options, body });
const list = (query = '', role: Role = 'viewer') => admin.call('GET', `/v1/holds${query}`, { role });

interface Hold {
  readonly holdId: string;
}

async function hold(body: unknown = BODY): Promise<string> {
  const answer = await post(body);
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<Hold>().holdId;
}

/** Creates a subscription that is active and due now. */
async function create(subscriptionId: string, shop = 'north'): Promise<SubscriptionId> {
  await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, metadata: { shop } }) });
  const id = subscriptionId as SubscriptionId;
  const subscription = { status: 'active', nextDueAt: NOW } as const;
  await applyChange(admin.db, { subscriptionId: id, key: 'active', at: NOW, actor: 'test', events: [], subscription });
  return id;
}

test('a hold by filter holds the matching subscriptions and is in force once answered, with actor and reason in the audit log', async () => {
  const given = await create('sub_a');
  await create('sub_b');
  await create('sub_x', 'south');
  const answer = await post();
  expect([answer.statusCode, answer.json()]).toEqual([
    201,
    {
      holdId: expect.stringMatching(/^hold_[0-9a-f]{32}$/),
      ...{ state: 'in_force', filter: NORTH, until: toIso(UNTIL), reason: 'the bank is down', matched: 2 },
      ...{ createdAt: toIso(NOW), createdBy: 'operator of the shop', firstWindowLostAt: null, windowsLost: [] },
    },
  ]);
  const { items } = await listEvents(admin.db, { subscriptionId: given, type: 'subscription.held' }, FIRST_PAGE);
  expect(items).toMatchObject([{ actor: 'operator of the shop', data: { until: toIso(UNTIL) } }]);
  const { items: ofHold } = await listEvents(admin.db, { type: 'hold.created' }, FIRST_PAGE);
  expect(ofHold[0]).toMatchObject({
    actor: 'operator of the shop',
    data: { matched: 2, reason: 'the bank is down' },
  });
});

test('a hold by filter says how many collection windows it loses in each hour, and when the first of them closes', async () => {
  await create('sub_a');
  const answer = await post({ ...BODY, until: toIso(NOW + 10 * DAY) });
  const { firstWindowLostAt, windowsLost } = answer.json<{ firstWindowLostAt: string; windowsLost: unknown[] }>();
  expect(Date.parse(firstWindowLostAt)).toBeGreaterThan(NOW + 4 * DAY);
  expect(windowsLost).toMatchObject([{ count: 1, amount: { value: 1999, currency: 'EUR' } }]);
});

test('the list shows what a hold by filter loses without computing it again, and nothing once the hold is lifted', async () => {
  await create('sub_a');
  const created = (await post({ ...BODY, until: toIso(NOW + 10 * DAY) })).json<Hold>();
  await admin.db.query('delete from held_subscriptions');
  expect((await list()).json()).toMatchObject({ items: [created] });
  const lifted = await admin.call('DELETE', `/v1/holds/${created.holdId}`);
  expect(lifted.json()).toMatchObject({ firstWindowLostAt: null, windowsLost: [] });
  expect((await list()).json()).toMatchObject({ items: [lifted.json<Hold>()] });
});

test('a request for a hold by filter that is repeated with its Idempotency-Key returns the same hold', async () => {
  await create('sub_a');
  const idempotencyKey = 'hold-1';
  const [one, again] = [await post(BODY, { idempotencyKey }), await post(BODY, { idempotencyKey })];
  expect(again.headers['idempotent-replay']).toBe('true');
  expect(again.json()).toEqual(one.json());
  expect(eachItems(await list(), 'holdId')).toHaveLength(1);
});

test('a hold by filter is in force but answered with 503 while an earlier send is uncertain; the repeated request is answered with 201 and the same hold', async () => {
  await create('sub_a');
  const client = await admin.db.connect();
  await client.query(BEGIN_SENDING);
  const unsure = await post(BODY, { idempotencyKey: 'unsure' });
  expect(unsure.json()).toMatchObject({ status: 503, code: 'not_ready', holdId: expect.stringMatching(/^hold_/) });
  await client.query('rollback');
  client.release();
  const { holdId } = unsure.json<Hold>();
  const settled = await post(BODY, { idempotencyKey: 'unsure' });
  expect([settled.statusCode, settled.json()]).toMatchObject([201, { holdId, matched: 1 }]);
  expect(eachItems(await list(), 'holdId')).toEqual([holdId]);
});

test('a hold by filter that was answered with 503 is found by a repeated request even after its end', async () => {
  await create('sub_a');
  const body = { ...BODY, until: toIso(NOW + 1) };
  const client = await admin.db.connect();
  await client.query(BEGIN_SENDING);
  expect((await post(body, { idempotencyKey: 'ended' })).statusCode).toBe(503);
  await client.query('rollback');
  client.release();
  admin.clock.business = NOW + 1;
  expect((await post(body, { idempotencyKey: 'ended' })).statusCode).toBe(201);
  expect((await post(body, { idempotencyKey: 'another' })).statusCode).toBe(400);
});

const OR_HALT = 'expected an object with at least one field; POST /v1/halt stops all sending; got an object';

test.each([
  ['an empty filter', { filter: {} }, 'filter', OR_HALT],
  ['a filter of no metadata', { filter: { metadata: {} } }, 'filter', OR_HALT],
  ['no filter', { filter: undefined }, 'filter', expect.stringMatching(/expected/)],
  ['an unknown field of the filter', { filter: { colour: 'red' } }, 'filter.colour', 'unknown field'],
  ['no reason', { reason: undefined }, 'reason', expect.stringMatching(/expected/)],
  ['a blank reason', { reason: ' ' }, 'reason', expect.stringMatching(/not blank/)],
  ['no end', { until: undefined }, 'until', expect.stringMatching(/expected/)],
  ['an end without an offset', { until: '2027-03-01T00:00:00' }, 'until', expect.stringMatching(/offset/)],
  ['an end that is now', { until: toIso(NOW) }, 'until', `expected a time after now, ${toIso(NOW)}; got ${toIso(NOW)}`],
])('a hold by filter with %s is refused, and holds nothing', async (_, changes, path, message) => {
  const answer = await post({ ...BODY, ...changes });
  expect(answer.statusCode).toBe(400);
  expect(faultsOf(answer)).toContainEqual({ path, message });
  expect(eachItems(await list(), 'holdId')).toEqual([]);
});

test('a hold by filter may end a millisecond from now', async () => {
  expect((await post({ ...BODY, until: toIso(NOW + 1) })).statusCode).toBe(201);
});

test('a hold by filter finds no subscriptions by e-mail address for a key that may not see addresses', async () => {
  await create('sub_a');
  const filter = { q: 'ada@example.org' };
  const { key } = (
    await admin.call('POST', '/v1/keys', { body: { name: 'bulk only', role: 'operator', scopes: ['bulk'] } })
  ).json<{ key: string }>();
  const answer = await post({ ...BODY, filter }, { key });
  expect(answer.json()).toMatchObject({ matched: 0, filter: { q: '***' } });
});

test('the list of holds has the newest first, and filters by whether they are in force', async () => {
  const first = await hold();
  admin.clock.business = NOW + 1;
  const second = await hold();
  await admin.call('DELETE', `/v1/holds/${first}`);
  expect(eachItems(await list(), 'holdId')).toEqual([second, first]);
  expect(eachItems(await list(), 'state')).toEqual(['in_force', 'lifted']);
  expect(eachItems(await list('?state=in_force'), 'holdId')).toEqual([second]);
  expect(eachItems(await list('?state=over'), 'holdId')).toEqual([first]);
  admin.clock.business = UNTIL;
  expect(eachItems(await list(), 'state')).toEqual(['ended', 'lifted']);
  const { nextCursor } = (await list('?limit=1')).json<{ nextCursor: string }>();
  expect(eachItems(await list(`?limit=1&cursor=${nextCursor}`), 'holdId')).toEqual([first]);
});

test('the list of holds filters by a subscription that they hold', async () => {
  await create('sub_a');
  const both = await hold();
  await create('sub_b');
  admin.clock.business = NOW + 1;
  const later = await hold();
  expect(eachItems(await list('?subscriptionId=sub_a'), 'holdId')).toEqual([later, both]);
  expect(eachItems(await list('?subscriptionId=sub_b'), 'holdId')).toEqual([later]);
  expect(eachItems(await list('?subscriptionId=sub_b&state=over'), 'holdId')).toEqual([]);
  expect(eachItems(await list('?subscriptionId=unknown'), 'holdId')).toEqual([]);
});

test('the list of holds refuses a state and a cursor that it does not know', async () => {
  expect(faultsOf(await list('?state=open'))).toMatchObject([{ path: 'state' }]);
  expect(faultsOf(await list('?cursor=x'))).toMatchObject([{ path: 'cursor' }]);
});

const view = async () => (await admin.call('GET', '/v1/subscriptions/sub_a')).json<{ heldUntil?: string }>();

test('a subscription on hold shows until when, on its own and in the list, as long as its last hold is in force', async () => {
  await create('sub_a');
  await create('sub_x', 'south');
  const inList = async () => eachItems(await admin.call('GET', '/v1/subscriptions?sort=createdAt'), 'heldUntil');
  expect(await view()).not.toHaveProperty('heldUntil');
  await hold();
  const longer = await hold({ ...BODY, until: toIso(NOW + DAY) });
  expect([await view(), await inList()]).toMatchObject([
    { heldUntil: toIso(NOW + DAY) },
    [toIso(NOW + DAY), undefined],
  ]);
  await admin.call('DELETE', `/v1/holds/${longer}`);
  expect(await view()).toMatchObject({ heldUntil: toIso(UNTIL) });
  admin.clock.business = UNTIL - 1;
  expect(await view()).toMatchObject({ heldUntil: toIso(UNTIL) });
  admin.clock.business = UNTIL;
  expect([await view(), await inList()]).toEqual([
    expect.not.objectContaining({ heldUntil: expect.anything() }),
    [undefined, undefined],
  ]);
});

test('the schedule of a subscription on hold marks the cycles that the hold stops; a cancelled subscription shows no hold', async () => {
  await create('sub_a');
  await admin.db.query(`update subscriptions set status = 'active' where subscription_id = 'sub_a'`);
  await hold({ ...BODY, until: toIso(NOW + 2 * DAY) });
  const held = async () => eachItems(await admin.call('GET', '/v1/subscriptions/sub_a/schedule?count=3'), 'heldUntil');
  expect(await held()).toEqual([toIso(NOW + 2 * DAY), undefined, undefined]);
  await admin.db.query(`update subscriptions set status = 'cancelled' where subscription_id = 'sub_a'`);
  expect(await view()).not.toHaveProperty('heldUntil');
});

test('lifting a hold notifies the workflows that wait for its end, and is recorded with its reason', async () => {
  const due = await create('sub_a');
  const later = await create('sub_b');
  await admin.db.query('update subscriptions set next_due_at = $2 where subscription_id = $1', [
    later,
    toIso(NOW + DAY),
  ]);
  const holdId = await hold();
  admin.clock.business = NOW + MINUTE;
  const lifted = await admin.call('DELETE', `/v1/holds/${holdId}?reason=fixed`, { role: 'operator' });
  expect([lifted.statusCode, lifted.json()]).toMatchObject([
    200,
    { holdId, state: 'lifted', endedAt: toIso(NOW + MINUTE), liftedBy: 'operator of the shop' },
  ]);
  await waitUntil('it is notified', async () => admin.workflows.notified.length > 0);
  // The API's background work may notify this workflow again.
  expect(new Set(admin.workflows.notified.map(({ id }) => id))).toEqual(new Set([due]));
  const { items } = await listEvents(admin.db, { type: 'hold.lifted' }, FIRST_PAGE);
  expect(items[0]).toMatchObject({ actor: 'operator of the shop', data: { holdId, reason: 'fixed' } });
});

test('lifting a hold twice returns the same response, and the reason may be in the body', async () => {
  const holdId = await hold();
  const lift = () => admin.call('DELETE', `/v1/holds/${holdId}`, { body: { reason: 'fixed' } });
  const first = await lift();
  admin.clock.business = NOW + MINUTE;
  expect((await lift()).json()).toEqual(first.json());
});

test.each(['hold_00000000000000000000000000000000', 'hold_x', 'x'])('unknown hold %s cannot be lifted', async (id) => {
  expect((await admin.call('DELETE', `/v1/holds/${id}`)).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('lifting a hold and creating one need the role operator', async () => {
  const holdId = await hold();
  for (const answer of [
    await post(BODY, { role: 'viewer' }),
    await admin.call('DELETE', `/v1/holds/${holdId}`, { role: 'viewer' }),
  ])
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden' });
});

const FIRST_PAGE = { limit: 10, cursor: null };

test('a hold that is about to lose a window is an attention item, which names it', async () => {
  await create('sub_a');
  const holdId = await hold({ ...BODY, until: toIso(NOW + 10 * DAY) });
  const items = async () =>
    (await admin.call('GET', '/v1/attention?kind=hold_loses_windows')).json<{ items: unknown[] }>().items;
  expect(await items()).toEqual([]);
  admin.clock.business = NOW + 4 * DAY;
  await waitUntil('the hold warns', async () => (await items()).length === 1);
  expect(await items()).toMatchObject([
    { kind: 'hold_loses_windows', ledger: { state: 'on_hold', id: holdId }, recommended: null },
  ]);
  await admin.call('DELETE', `/v1/holds/${holdId}`);
  expect(await items()).toEqual([]);
});
