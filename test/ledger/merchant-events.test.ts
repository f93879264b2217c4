import { randomUUID } from 'node:crypto';
import type { CaptureId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY, MINUTE } from '../../src/domain/time';
import {
  applyChange,
  createPool,
  envelopeOf,
  type FeedFilter,
  insertEvent,
  type MerchantEvent,
  placeEvents,
  purgeEvents,
  readFeed,
  recordOrderOutcome,
  recordOutcome,
} from '../../src/ledger';
import { authorizationId, COLLECT_BY, NOW, REAL_NOW, sendOf, startDebit, subscribe, useLedger } from './ledger-fixture';
import { authorizedPayment, startedOrder, recordBooking, orderedRefund, SINGLE } from './payment-fixture';
import { startSend, createCollected, placeRefund, refundOutcomes } from './refund-fixture';

const ledger = useLedger();

async function read(filter: FeedFilter = {}, after: string | null = null, limit = 200) {
  const page = await readFeed(ledger.pool, filter, { after, limit });
  if (page.kind === 'expired') throw new Error('expired');
  return page;
}

const captureId = (text: string) => text as CaptureId;

const typesOf = (events: readonly MerchantEvent[]) => events.map(({ type }) => type);

async function placedOf(subscriptionId: SubscriptionId) {
  await placeEvents(ledger.pool);
  return (await read({ subscriptionId })).events;
}

const change = (subscriptionId: SubscriptionId, events: Parameters<typeof applyChange>[1]['events']) =>
  applyChange(ledger.pool, { subscriptionId, key: randomUUID(), at: NOW, actor: 'till', events });

test('the event of a collected cycle has the ids of the service, the metadata and the reference of the payer', async () => {
  const subscribed = await subscribe(ledger.pool, { metadata: { order: 'A-7' } });
  const ref = await startDebit(ledger.pool, sendOf(subscribed));
  await recordOutcome(
    ledger.pool,
    ref,
    { state: 'successful', authorizationId: authorizationId('auth-1'), captureId: captureId('cap-1'), createdAt: NOW },
    NOW + MINUTE,
    { type: 'attempt.successful', data: {} },
  );
  const events = await placedOf(subscribed.subscriptionId);
  expect(typesOf(events)).toEqual(['subscription.created', 'cycle.collected']);
  expect(envelopeOf(events[1]!)).toEqual({
    type: 'cycle.collected',
    id: expect.stringMatching(/^evt_[\da-f]{32}$/),
    timestamp: '2027-01-31T10:01:00.123Z',
    sequence: 2,
    schema: 1,
    test: false,
    data: {
      subscriptionId: subscribed.subscriptionId,
      paymentId: subscribed.paymentId,
      metadata: { order: 'A-7' },
      payer: { reference: 'customer-7' },
      reason: null,
      cycle: 0,
      attempt: 0,
      amount: { value: 1999, currency: 'EUR' },
      dueAt: '2027-01-31T10:00:00.123Z',
      collectedAt: '2027-01-31T10:01:00.123Z',
      late: false,
      adopted: false,
      authorizationId: 'auth-1',
      captureId: 'cap-1',
      rule: 10,
      text: expect.stringContaining('Cycle 0, due on 31 January 2027'),
    },
  });
});

test('the events of a cycle say that it was collected late if its window had closed, and report a new amount as applied', async () => {
  const subscribed = await subscribe(ledger.pool);
  const collect = async (cycle: number, cents: number, at: number) => {
    const dueAt = NOW + cycle * 28 * DAY;
    const send = sendOf(subscribed, { cycle, amount: euros(cents), dueAt, collectBy: dueAt + 5 * DAY, at: dueAt });
    const ref = await startDebit(ledger.pool, send);
    await recordOutcome(
      ledger.pool,
      ref,
      {
        state: 'successful',
        authorizationId: authorizationId(`auth-${cycle}`),
        captureId: captureId(`cap-${cycle}`),
        createdAt: dueAt,
      },
      at,
      { type: 'attempt.successful', data: {} },
    );
  };
  await collect(0, 1999, COLLECT_BY - 1);
  await collect(1, 2500, NOW + 33 * DAY);
  await collect(2, 2500, NOW + 56 * DAY);
  const events = await placedOf(subscribed.subscriptionId);
  expect(events.map(({ type, data }) => [type, data['late'] ?? data['previousAmount']])).toEqual([
    ['subscription.created', undefined],
    ['cycle.collected', false],
    ['cycle.collected', true],
    ['amount_change.applied', { value: 1999, currency: 'EUR' }],
    ['cycle.collected', false],
  ]);
});

test('the event of a failed capture names the authorized attempt, and the event of a refused cycle names its last refusal', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const named = { authorizationId: 'auth-1', captureId: 'cap-1' };
  const failed = { cycle: 0, reason: 'capture_failed', attempt: 1, detail: 'BANK_SAYS_NO', ...named };
  const rejection = { attempt: 3, detail: 'NO_MONEY', at: '2027-01-31T10:01:00.123Z' };
  await change(subscriptionId, [
    { type: 'cycle.failed', data: failed },
    { type: 'cycle.failed', data: { cycle: 1, reason: 'retries_used', rejection } },
  ]);
  const [ofCapture, ofRefusal] = (await placedOf(subscriptionId)).slice(1);
  expect(ofCapture?.data).toMatchObject({ ...failed, rule: 11, text: expect.stringContaining('retry 1 of cycle 0') });
  const none = { authorizationId: null, captureId: null };
  expect(ofRefusal?.data).toMatchObject({ cycle: 1, attempt: 3, detail: 'NO_MONEY', ...none });
});

test.each(['successful', 'failed', 'unresolved'] as const)(
  'the event of a refund that is %s names its capture',
  async (state) => {
    const subscribed = await createCollected(ledger.pool);
    const refund = await placeRefund(ledger.pool, subscribed, 500);
    await recordOrderOutcome(ledger.pool, await startSend(ledger.pool, refund), refundOutcomes()[state], NOW + 3000);
    const event = (await placedOf(subscribed.subscriptionId)).find(({ type }) => type === `refund.${state}`);
    expect(event?.data).toMatchObject({ cycle: 0, refundId: refund.refundId, captureId: subscribed.captureId });
  },
);

test('the event of a refund of a one-time payment names its capture', async () => {
  const payment = await authorizedPayment(ledger.pool, SINGLE);
  const booking = await recordBooking(ledger.pool, payment, 'successful', NOW);
  const refundId = await orderedRefund(ledger.pool, payment, booking, 500);
  const sent = await startedOrder(ledger.pool, refundId);
  await recordOrderOutcome(ledger.pool, sent, refundOutcomes().successful, NOW + 3000);
  await placeEvents(ledger.pool);
  const { events } = await read({ paymentId: payment.paymentId, types: ['refund.successful'] });
  expect(events.map(({ data }) => data)).toMatchObject([{ cycle: null, refundId, captureId: booking }]);
});

test('events report what opens and clears attention, whatever caused it', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const attend = (attention: readonly string[]) =>
    applyChange(ledger.pool, {
      subscriptionId,
      key: randomUUID(),
      at: NOW,
      actor: 'till',
      events: [],
      subscription: { attention },
    });
  await attend(['unresolved:3']);
  await attend(['unresolved:3', 'orphaned']);
  await attend(['orphaned']);
  const events = (await placedOf(subscriptionId)).slice(1);
  expect(events.map(({ type, data }) => [type, data['itemKey'], data['cycle']])).toEqual([
    ['attention.opened', 'unresolved:3', 3],
    ['attention.opened', 'orphaned', null],
    ['attention.cleared', 'unresolved:3', 3],
  ]);
});

test('a change that is written twice leads to one event', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  const entry = { subscriptionId, at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle: 1 } } as const;
  await insertEvent(ledger.pool, { ...entry, changeKey: 'missed/1' });
  await insertEvent(ledger.pool, { ...entry, changeKey: 'missed/1' });
  expect(typesOf(await placedOf(subscriptionId))).toEqual(['subscription.created', 'cycle.missed']);
});

test('an event placed after its payer was erased has no payer reference', async () => {
  const { subscriptionId, payerId } = await subscribe(ledger.pool);
  await ledger.pool.query(
    `update payers set name = null, email = null, reference = null, billing_address = null, erased_at = now()
     where payer_id = $1`,
    [payerId],
  );
  expect((await placedOf(subscriptionId))[0]?.reference).toBeNull();
});

test('the event of a transaction that commits late is not skipped, and follows those that have positions already', async () => {
  const [late, early] = [await subscribe(ledger.pool), await subscribe(ledger.pool)];
  await placeEvents(ledger.pool);
  const { cursor } = await read();
  const client = await ledger.pool.connect();
  await client.query('begin');
  const missed = { at: NOW, actor: 'dueday', type: 'cycle.missed', data: { cycle: 1 } } as const;
  await insertEvent(client, { ...missed, subscriptionId: late.subscriptionId });
  await insertEvent(ledger.pool, { ...missed, subscriptionId: early.subscriptionId });
  await placeEvents(ledger.pool);
  const first = await read({}, cursor);
  expect(first.events.map((each) => each.subscriptionId)).toEqual([early.subscriptionId]);
  await client.query('commit');
  client.release();
  await placeEvents(ledger.pool);
  expect((await read({}, first.cursor)).events.map((each) => each.subscriptionId)).toEqual([late.subscriptionId]);
});

test('concurrent processes assign positions without gaps, and number each subject from one without gaps (rule 35)', async () => {
  const pools = Array.from({ length: 4 }, () => createPool({ databaseUrl: ledger.url, max: 2 }));
  const subscribed = await Promise.all(Array.from({ length: 8 }, () => subscribe(ledger.pool)));
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const { subscriptionId } = subscribed[n % subscribed.length]!;
      await change(subscriptionId, [{ type: 'cycle.missed', data: { cycle: n } }]);
      await placeEvents(pools[n % pools.length]!);
    }),
  );
  while ((await placeEvents(ledger.pool)) > 0);
  const { events } = await read({}, null, 10_000);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  for (const { subscriptionId } of subscribed) {
    const own = events.filter((each) => each.subscriptionId === subscriptionId);
    expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  }
  await Promise.all(pools.map((pool) => pool.end()));
});

test('pages of the event feed continue after the last event, even if the filter finds nothing', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  for (const cycle of [1, 2, 3]) await change(subscriptionId, [{ type: 'cycle.missed', data: { cycle } }]);
  await placeEvents(ledger.pool);
  const first = await read({ subscriptionId, types: ['cycle.missed'] }, null, 2);
  const second = await read({ subscriptionId, types: ['cycle.missed'] }, first.cursor, 2);
  expect([first, second].map(({ events }) => events.map(({ data }) => data['cycle']))).toEqual([[1, 2], [3]]);
  const none = await read({ subscriptionId, types: ['cycle.failed'] }, second.cursor);
  expect(none).toMatchObject({ events: [], cursor: second.cursor });
});

test('a cursor whose events are gone has expired, and so has one beyond the end of the feed', async () => {
  await subscribe(ledger.pool);
  await placeEvents(ledger.pool);
  const { cursor } = await read({}, null, 1);
  await purgeEvents(ledger.pool, Date.now() + DAY, 10_000);
  const { cursor: now } = await read();
  expect(await readFeed(ledger.pool, {}, { after: cursor, limit: 1 })).toEqual({ kind: 'expired' });
  await ledger.pool.query('update event_feed set placed = placed - 1, purged = 0');
  expect(await readFeed(ledger.pool, {}, { after: now, limit: 1 })).toEqual({ kind: 'expired' });
  await ledger.pool.query('update event_feed set placed = placed + 1, purged = placed + 1');
});

test('a cursor is valid for the epoch in which it was issued; one of the first epoch contains no epoch', async () => {
  await placeEvents(ledger.pool);
  const positionIn = (cursor: string): unknown => JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const { cursor: first } = await read();
  expect(positionIn(first)).toEqual(['event', expect.any(Number)]);
  await ledger.pool.query('update event_feed set epoch = 2');
  expect(await readFeed(ledger.pool, {}, { after: first, limit: 1 })).toEqual({ kind: 'expired' });
  const { cursor: second, epoch } = await read();
  expect([epoch, positionIn(second)]).toEqual([2, ['event', expect.any(Number), 2]]);
  expect((await read({}, second)).cursor).toBe(second);
  await ledger.pool.query('update event_feed set epoch = 0');
  expect(await readFeed(ledger.pool, {}, { after: second, limit: 1 })).toEqual({ kind: 'expired' });
});

test('a purge that finds no old event does not wait for the assignment of positions', async () => {
  await subscribe(ledger.pool);
  const placing = await ledger.pool.connect();
  try {
    await placing.query('begin; select from event_feed for update');
    expect(await purgeEvents(ledger.pool, Date.now() - DAY, 500)).toBe(0);
  } finally {
    await placing.query('rollback');
    placing.release();
  }
});

test('events record their real time by the clock of PostgreSQL', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  await placeEvents(ledger.pool);
  const { rows } = await ledger.pool.query<{ recorded_real_at: number; at: number }>(
    'select recorded_real_at, at from merchant_events where subscription_id = $1',
    [subscriptionId],
  );
  expect(Math.abs(rows[0]!.recorded_real_at - Date.now())).toBeLessThan(5 * MINUTE);
  expect(rows[0]!.at).not.toBe(REAL_NOW);
});
