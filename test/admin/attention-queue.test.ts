import { randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { differenceOf, type Difference } from '../../src/domain/reconciliation/records';
import { DAY, HOUR } from '../../src/domain/time';
import {
  applyChange,
  beginReconciliation,
  insertEvent,
  markOrphaned,
  openContradiction,
  recordCompared,
  recordOrderOutcome,
} from '../../src/ledger';
import { queueEvents, tryOnce } from '../ledger/delivery-fixture';
import { startSend, type Collected, createCollected, placeRefund, refundOutcomes } from '../ledger/refund-fixture';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';
import { createAuthorized, eur } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(async () => {
  await emptyLedger(admin.db);
  admin.clock.business = NOW;
});
afterAll(() => admin.stop());

interface Item {
  item: string;
  kind: string;
  subscriptionId: string | null;
  since: string;
  assignee: string | null;
  note: string | null;
}

async function items(query = ''): Promise<Item[]> {
  return (await admin.call('GET', `/v1/attention?${query}`, { role: 'viewer' })).json<{ items: Item[] }>().items;
}

const kinds = async (query = '') => (await items(query)).map(({ kind }) => kind);
const act = (item: string, what: string, body: unknown, role: 'viewer' | 'operator' = 'operator') =>
  admin.call('POST', `/v1/attention/${item}/${what}`, { role, body });

async function setAttention(subscriptionId: SubscriptionId, attention: string[], at = NOW): Promise<void> {
  const key = randomUUID();
  await applyChange(admin.db, { subscriptionId, key, at, actor: 'test', events: [], subscription: { attention } });
}

/** Creates a cycle that was collected twice: by its first attempt, and by another one that had been refused before. */
async function collectedTwice() {
  const subscribed = await createCollected(admin.db);
  const { subscriptionId, paymentId } = subscribed;
  await admin.db.query(
    `insert into attempts select (jsonb_populate_record(a, '{
       "attempt": 1, "state": "sending", "adopted": true, "refused_as": "rejected_retryable",
       "authorization_id": null, "capture_id": null, "authorization_created_at": null, "outcome_at": null
     }')).* from attempts a where subscription_id = $1`,
    [subscriptionId],
  );
  await admin.db.query(
    `update attempts set state = 'successful', authorization_id = 'second', capture_id = 'capture of second', outcome_at = at
     where subscription_id = $1 and attempt = 1`,
    [subscriptionId],
  );
  return { subscriptionId, paymentId };
}

async function contradict(about: Pick<Collected, 'subscriptionId' | 'paymentId'> & { authorizationId: string }) {
  const side = { state: 'successful', at: NOW };
  const found = { ...about, cycle: 0, amount: eur(1999), ledger: side, service: side, detail: 'collected after all' };
  await openContradiction(admin.db, found, NOW);
}

async function unresolvedRefund(subscribed: Collected) {
  const refund = await placeRefund(admin.db, subscribed, 500);
  const ref = await startSend(admin.db, refund);
  await recordOrderOutcome(admin.db, ref, refundOutcomes().unresolved, NOW + HOUR);
  return ref;
}

const debit = (cents: number): Difference =>
  differenceOf({
    kind: 'debit_unknown',
    captureId: 'foreign',
    service: { state: 'successful', amount: euros(cents), at: NOW - DAY },
  });

async function compare({ subscriptionId, paymentId }: Collected, found: Difference[]): Promise<void> {
  const runId = randomUUID();
  const period = { from: NOW - 7 * DAY, to: NOW };
  await beginReconciliation(admin.db, {
    runId,
    period,
    actor: 'till',
    at: admin.clock.business,
    realAt: admin.clock.real,
  });
  await recordCompared(admin.db, runId, { subscriptionId, paymentId }, found, null);
}

test('an attention item of a cycle shows the amount, and what ledger and service have recorded about the last attempt', async () => {
  const { subscriptionId, paymentId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['capture_failed:0']);
  expect(await items()).toEqual([
    {
      item: expect.stringMatching(/^att_/),
      kind: 'capture_failed',
      subscriptionId,
      paymentId,
      payer: { email: 'a***@example.org', reference: 'customer-7' },
      status: expect.any(String),
      amount: eur(1999),
      since: '2027-01-31T12:00:00.000Z',
      deadline: null,
      cycle: 0,
      title: 'Authorized, but the debit failed',
      explanation: expect.stringContaining('collect the amount with a payment link'),
      recommended: null,
      evidence: [
        { what: 'state', ledger: 'successful', service: 'successful', differs: false },
        { what: 'amount', ledger: '19.99 EUR', service: '19.99 EUR', differs: false },
        { what: 'at', ledger: expect.any(String), service: expect.any(String), differs: false },
        { what: 'id', ledger: expect.any(String), service: expect.any(String), differs: false },
      ],
      related: [],
      ledger: expect.objectContaining({ state: 'successful', amount: eur(1999), id: expect.any(String) }),
      service: expect.objectContaining({ state: 'successful', amount: eur(1999) }),
      assignee: null,
      note: null,
    },
  ]);
});

test('an attention item of a debit after a cancellation recommends its refund, which the API accepts', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['debit_after_cancel:0']);
  const [{ recommended }] = (await items()) as unknown as [
    { recommended: { method: 'POST'; path: string; body: unknown } },
  ];
  expect(recommended).toEqual({
    method: 'POST',
    path: `/v1/subscriptions/${subscriptionId}/cycles/0/refunds`,
    body: {
      amount: eur(1999),
      captureId: expect.any(String),
      reason: expect.stringMatching(/^attention item att_/),
    },
  });
  const { method, path, body } = recommended;
  expect((await admin.call(method, path, { body, idempotencyKey: 'recommended' })).statusCode).toBe(201);
});

test('an attention item of a second debit of its cycle recommends the refund of that debit', async () => {
  const { subscriptionId, paymentId } = await collectedTwice();
  await contradict({ subscriptionId, paymentId, authorizationId: 'second' });
  expect(await items()).toMatchObject([
    {
      kind: 'contradiction',
      recommended: {
        path: `/v1/subscriptions/${subscriptionId}/cycles/0/refunds`,
        body: { amount: eur(1999), captureId: 'capture of second' },
      },
    },
  ]);
});

test('an attention item of a contradiction about the only debit of its cycle recommends nothing', async () => {
  const { subscriptionId, paymentId } = await createCollected(admin.db);
  await contradict({ subscriptionId, paymentId, authorizationId: 'first' });
  expect(await items()).toMatchObject([{ kind: 'contradiction', recommended: null }]);
});

test('an attention item names the other open items of its subscription', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['unresolved:0', 'notice_undeliverable:0']);
  await setAttention((await createCollected(admin.db)).subscriptionId, ['unresolved:0']);
  const found = (await items()) as (Item & { related: string[] })[];
  const own = found.filter((each) => each.subscriptionId === subscriptionId);
  expect(own.map(({ related }) => related)).toEqual(
    own.map(({ item }) => own.map((each) => each.item).filter((each) => each !== item)),
  );
  expect(own.map(({ related }) => related.length)).toEqual([1, 1]);
});

test('an attention item that is opened again has the same id as before, and no assignee', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['unresolved:0', 'notice_undeliverable:0']);
  const [first] = await items('kind=unresolved');
  await act(first!.item, 'assign', { assignee: 'Mia' });
  await setAttention(subscriptionId, ['notice_undeliverable:0']);
  expect(await kinds()).toEqual(['notice_undeliverable']);
  await setAttention(subscriptionId, ['notice_undeliverable:0', 'unresolved:0'], NOW + DAY);
  expect(await items('kind=unresolved')).toMatchObject([
    { item: first!.item, since: '2027-02-01T12:00:00.000Z', assignee: null },
  ]);
});

test('an attention item of an unresolved refund is open until its outcome is known', async () => {
  const subscribed = await createCollected(admin.db);
  const ref = await unresolvedRefund(subscribed);
  expect(await items()).toMatchObject([
    {
      kind: 'refund_unresolved',
      subscriptionId: subscribed.subscriptionId,
      orderId: ref.orderId,
      amount: eur(500),
      ledger: { state: 'unresolved', detail: 'two refunds fit', id: ref.orderId },
      service: null,
    },
  ]);
  await recordOrderOutcome(admin.db, ref, refundOutcomes().successful, NOW + 2 * HOUR);
  expect(await items()).toEqual([]);
});

test('a difference is an item with the records of ledger and service, closes only with a reason, and opens again once one of them changes', async () => {
  const subscribed = await createCollected(admin.db);
  await compare(subscribed, [debit(700)]);
  const [item] = await items();
  expect(item).toMatchObject({
    kind: 'debit_unknown',
    subscriptionId: subscribed.subscriptionId,
    amount: eur(700),
    ledger: null,
    service: { state: 'successful', amount: eur(700), at: '2027-01-30T12:00:00.000Z', id: 'foreign' },
    recommended: null,
    evidence: [
      { what: 'state', ledger: null, service: 'successful', differs: true },
      { what: 'amount', ledger: null, service: '7.00 EUR', differs: false },
      { what: 'at' },
      { what: 'id' },
    ],
  });
  expect(faultPaths(await act(item!.item, 'close', {}))).toEqual(['reason']);
  expect((await act(item!.item, 'close', { reason: 'the old till' }, 'viewer')).statusCode).toBe(403);
  expect((await act(item!.item, 'close', { reason: 'the old till' })).statusCode).toBe(200);
  expect(await items()).toEqual([]);
  await compare(subscribed, [debit(700)]);
  expect(await items()).toEqual([]);
  await compare(subscribed, [debit(800)]);
  expect(await items()).toMatchObject([{ item: item!.item, amount: eur(800) }]);
  const auditLog = await admin.call('GET', '/v1/audit?type=attention.closed', { role: 'viewer' });
  expect(auditLog.json().items[0]).toMatchObject({
    actor: 'operator of the shop',
    subscriptionId: subscribed.subscriptionId,
    data: { item: item!.item, kind: 'debit_unknown', reason: 'the old till' },
  });
});

test('a difference is closed once a later comparison of its period no longer finds it', async () => {
  const subscribed = await createCollected(admin.db);
  await compare(subscribed, [debit(700)]);
  await compare(subscribed, []);
  expect(await items()).toEqual([]);
  await compare(subscribed, [debit(700)]);
  expect(await kinds()).toEqual(['debit_unknown']);
});

/** Creates an endpoint to which an event of the subscription could not be delivered. @returns the endpoint's id */
async function givenUp({ subscriptionId }: Collected): Promise<string> {
  const body = { url: 'https://shop.example/', types: ['cycle.missed'] };
  const endpoint = await admin.call('POST', '/v1/webhook-endpoints', { body });
  const { endpointId } = endpoint.json<{ endpointId: string }>();
  await insertEvent(admin.db, { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle: 1 } });
  await queueEvents(admin.db);
  const givingUp = { number: 10, state: 'dead', status: null, ms: 15_000, error: 'TIMEOUT' } as const;
  await tryOnce(admin.db, endpointId, givingUp, NOW);
  return endpointId;
}

test('all events that an endpoint did not accept are one item, which says how many they are and what to do', async () => {
  const endpointId = await givenUp(await createCollected(admin.db));
  const [item] = await items('kind=dead_letter');
  expect(item).toEqual({
    item: expect.stringMatching(/^att_/),
    kind: 'dead_letter',
    subscriptionId: null,
    paymentId: null,
    endpointId,
    cycle: null,
    status: null,
    amount: null,
    since: '2027-01-31T12:00:00.000Z',
    deadline: null,
    title: 'Events could not be delivered',
    explanation: expect.stringMatching(/^1 event was not delivered to this endpoint\. Fix the endpoint, then replay /),
    recommended: {
      method: 'POST',
      path: `/v1/webhook-endpoints/${endpointId}/replay`,
      body: { since: '2027-01-27T12:00:00.000Z', onlyFailed: true },
    },
    evidence: [
      { what: 'state', ledger: 'dead', service: null, differs: false },
      { what: 'at', ledger: '2027-01-31T12:00:00.000Z', service: null, differs: false },
      { what: 'id', ledger: expect.stringMatching(/^evt_/), service: null, differs: false },
      { what: 'detail', ledger: 'no response', service: null, differs: false },
    ],
    related: [],
    ledger: {
      state: 'dead',
      at: '2027-01-31T12:00:00.000Z',
      id: expect.stringMatching(/^evt_/),
      detail: 'no response',
    },
    service: null,
    assignee: null,
    note: null,
  });
  const metrics = await admin.call('GET', '/metrics');
  expect(metrics.body).toContain('dueday_attention_items_open{kind="dead_letter"} 1');
  await admin.call('PATCH', `/v1/webhook-endpoints/${endpointId}`, { body: { enabled: false } });
  expect(await items('kind=dead_letter')).toMatchObject([
    {
      explanation: expect.stringContaining('Fix the endpoint and enable it, then replay'),
      recommended: { method: 'PATCH', path: `/v1/webhook-endpoints/${endpointId}`, body: { enabled: true } },
    },
  ]);
  await admin.call('DELETE', `/v1/webhook-endpoints/${endpointId}`);
  expect(await items()).toEqual([]);
});

test('the item of events that an endpoint did not accept can be closed with a reason if they are no longer needed', async () => {
  const endpointId = await givenUp(await createCollected(admin.db));
  const { item } = (await items())[0]!;
  expect((await act(item, 'close', { reason: 'the shop has asked for them' })).statusCode).toBe(200);
  expect(await items()).toEqual([]);
  await admin.call('DELETE', `/v1/webhook-endpoints/${endpointId}`);
});

test('the attention queue is filtered by kind, subscription, payment and assignee, and sorted by age, deadline and amount', async () => {
  const subscribed = await createCollected(admin.db);
  await setAttention(subscribed.subscriptionId, ['amount_change_dropped'], NOW - HOUR);
  const paymentId = await createAuthorized(admin, { timeToCapture: 86_400 });
  await markOrphaned(admin.db, { kind: 'payment', id: paymentId }, NOW);
  await unresolvedRefund(subscribed);
  expect(await kinds()).toEqual(['refund_unresolved', 'orphaned', 'amount_change_dropped']);
  expect(await kinds('sort=since')).toEqual(['amount_change_dropped', 'orphaned', 'refund_unresolved']);
  expect((await kinds('sort=deadline'))[0]).toBe('orphaned');
  expect(await kinds('sort=-amount')).toEqual(['orphaned', 'amount_change_dropped', 'refund_unresolved']);
  expect(await kinds('kind=orphaned')).toEqual(['orphaned']);
  const [first] = await items('kind=orphaned');
  await act(first!.item, 'assign', { assignee: 'Mia' });
  expect(await kinds('assignee=Mia')).toEqual(['orphaned']);
  expect(await kinds('assignee=')).toEqual(['refund_unresolved', 'amount_change_dropped']);
  const mine = `subscriptionId=${subscribed.subscriptionId}`;
  expect(await kinds(mine)).toEqual(['refund_unresolved', 'amount_change_dropped']);
  expect(await kinds(`${mine}&kind=refund_unresolved`)).toEqual(['refund_unresolved']);
  expect(await kinds('subscriptionId=sub_other')).toEqual([]);
  expect(await kinds(`paymentId=${paymentId}&limit=1`)).toEqual(['orphaned']);
  expect(await kinds('paymentId=pay_other')).toEqual([]);
});

test('the items of one subscription are listed in pages, without the item of a halt of all sending', async () => {
  const subscribed = await createCollected(admin.db);
  const other = await createCollected(admin.db);
  await setAttention(subscribed.subscriptionId, ['capture_failed:0', 'amount_change_dropped']);
  await setAttention(other.subscriptionId, ['amount_change_dropped']);
  await admin.call('POST', '/v1/halt', { body: { reason: 'wrong amounts' } });
  const path = `/v1/attention?subscriptionId=${subscribed.subscriptionId}&limit=1`;
  const first = await admin.call('GET', path);
  const { nextCursor } = first.json<{ nextCursor: string }>();
  const second = await admin.call('GET', `${path}&cursor=${nextCursor}`);
  expect([...eachItems(first, 'kind'), ...eachItems(second, 'kind')]).toEqual([
    'amount_change_dropped',
    'capture_failed',
  ]);
  expect(second.json()).toMatchObject({ nextCursor: null });
  await admin.call('DELETE', '/v1/halt', { body: { reason: 'corrected' } });
});

test.each(['-since', 'since', 'deadline', '-amount'])(
  'the attention queue, sorted by %s, comes in pages that contain each item once',
  async (sort) => {
    const subscribed = await createCollected(admin.db);
    await setAttention(subscribed.subscriptionId, ['a', 'b', 'c', 'd:0']);
    await unresolvedRefund(subscribed);
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await admin.call(
        'GET',
        `/v1/attention?limit=2&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...eachItems(page, 'kind'));
      cursor = page.json<{ nextCursor: string | null }>().nextCursor;
    }
    expect(seen).toEqual(await kinds(`sort=${sort}`));
    expect(seen).toHaveLength(5);
  },
);

test('the attention queue stores a note and an assignee, which can be removed, with audit entries', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['unresolved:0']);
  const { item } = (await items())[0]!;
  expect((await act(item, 'assign', { assignee: 'Mia' })).json()).toMatchObject({
    item,
    assignee: 'Mia',
    note: null,
  });
  expect((await act(item, 'note', { note: 'asked the bank' })).json()).toMatchObject({
    assignee: 'Mia',
    note: 'asked the bank',
  });
  expect((await act(item, 'assign', { assignee: null })).json()).toMatchObject({
    assignee: null,
    note: 'asked the bank',
  });
  const auditLog = await admin.call('GET', `/v1/subscriptions/${subscriptionId}/events?limit=3`, { role: 'viewer' });
  expect(eachItems(auditLog, 'type')).toEqual(['attention.assigned', 'attention.noted', 'attention.assigned']);
});

test.each([
  ['assign', { assignee: 'Mia' }],
  ['note', { note: 'x' }],
  ['close', { reason: 'x' }],
])('the attention queue rejects %s for closed and unknown items', async (what, body) => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['unresolved:0']);
  const { item } = (await items())[0]!;
  await setAttention(subscriptionId, []);
  expect((await act(item, what, body)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect((await act(`att_${'0'.repeat(24)}`, what, body)).statusCode).toBe(404);
  expect((await act('att_x', what, body)).statusCode).toBe(404);
});

test('an attention item of a subscription cannot be closed, but must be acknowledged', async () => {
  const { subscriptionId } = await createCollected(admin.db);
  await setAttention(subscriptionId, ['unresolved:0']);
  const { item } = (await items())[0]!;
  expect((await act(item, 'close', { reason: 'x' })).json()).toMatchObject({
    status: 409,
    code: 'state_conflict',
    detail: expect.stringContaining('acknowledge'),
  });
});

test.each([
  ['sort=amount', 'sort'],
  ['cursor=WzEsMl0', 'cursor'],
])('the attention queue rejects %s', async (query, path) => {
  expect(faultPaths(await admin.call('GET', `/v1/attention?${query}`))).toEqual([path]);
});

test('an item of a one-time payment cannot be closed manually', async () => {
  const paymentId: PaymentId = await createAuthorized(admin);
  await markOrphaned(admin.db, { kind: 'payment', id: paymentId }, NOW);
  const { item } = (await items())[0]!;
  expect((await act(item, 'close', { reason: 'x' })).statusCode).toBe(409);
});
