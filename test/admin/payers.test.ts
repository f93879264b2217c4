import { randomUUID } from 'node:crypto';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import {
  applyChange,
  applyPaymentChange,
  claimDeliveries,
  fanOut,
  listEvents,
  type Pool,
  placeEvents,
  recordDelivery,
  recordTries,
} from '../../src/ledger';
import { orderPaymentFailedNotice } from '../ledger/ledger-fixture';
import { type AdminUnderTest, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { opened } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

/** Nothing of ours says any of these. */
const CANARIES = {
  name: 'Kanarie Vogelsang',
  street: 'Zwitscherweg 4711',
  postalCode: 'ZW98431',
  city: 'Singhausen',
  email: 'kanarie@voliere.example',
  billed: 'rechnung@voliere.example',
  reference: 'kanarie/4711 ü',
  returned: 'https://shop.example/zurueck?wer=kanarienfrau',
};
const WORDS = ['kanarie', 'vogelsang', 'zwitscherweg', 'zw98431', 'singhausen', 'voliere', 'kanarienfrau'];

const { name, street, postalCode, city, email, billed, reference, returned } = CANARIES;
const ADDRESS = { name, street, postalCode, city, country: 'DE', email: billed };
const PERSONAL = {
  billingAddress: ADDRESS,
  shippingAddress: ADDRESS,
  returnURL: returned,
  payer: { email, reference, language: 'de' },
};

const path = (of = reference) => `/v1/payers/${encodeURIComponent(of)}`;
const REASON = { reason: 'asked for by letter of 3 March' };
const erase = (options: object = {}) => admin.call('POST', `${path()}/erase`, { body: REASON, ...options });

const ID = 'sub_canary' as SubscriptionId;

async function endSubscription(): Promise<void> {
  const subscription = { status: 'cancelled' as const, nextDueAt: null, attention: [], dunning: false };
  const change = { key: `end/${randomUUID()}`, at: NOW, actor: 'dueday', events: [], subscription };
  await applyChange(admin.db, { subscriptionId: ID, ...change });
}

/** Everything that leaves a trace of a payer, by the API where it does so. */
async function traces(): Promise<void> {
  const call = async (url: string, body?: unknown, idempotencyKey: string = randomUUID()) => {
    const answer = await admin.call('POST', url, { body: body ?? {}, idempotencyKey });
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.body}`);
    return answer;
  };
  await call('/v1/webhook-endpoints', { url: 'https://shop.example/', types: ['*'] });
  const orderKey = `order-of-${encodeURIComponent(reference)}`;
  await call('/v1/subscriptions', order({ ...PERSONAL, subscriptionId: ID }), orderKey);
  await applyChange(admin.db, {
    subscriptionId: ID,
    key: 'active',
    at: NOW,
    actor: 'dueday',
    events: [{ type: 'cycle.missed', data: { cycle: 0, reason: `as ${name} wished` } }],
    subscription: { status: 'active', attention: ['notice_undeliverable:0'] },
  });
  await call(`/v1/subscriptions/${ID}/pause`, { reason: `${name} is on holiday` });
  await admin.call('PATCH', `/v1/subscriptions/${ID}/payer`, { body: { email } });
  const notice = { subscriptionId: ID, cycle: 0, attempt: 0, data: {}, createdAt: NOW };
  const { noticeId } = await orderPaymentFailedNotice(admin.db, notice);
  admin.clock.business += HOUR;
  const told = { channel: 'phone', toldAt: toIso(NOW + 1000), evidence: `spoke to ${name}` };
  await call(`/v1/notices/${noticeId}/told`, told);
  const [item] = (await admin.call('GET', '/v1/attention')).json<{ items: { item: string }[] }>().items;
  await call(`/v1/attention/${item?.item ?? ''}/note`, { note: `write to ${email}` });
  await call('/v1/bulk', { action: 'pause', filter: { q: 'Vogelsang' }, dryRun: true });
  const { paymentId } = await opened(admin, PERSONAL);
  await applyPaymentChange(admin.db, {
    paymentId,
    at: NOW,
    patch: { consent: { status: 'failed', reason: 'declined' } },
  });
  await admin.db.query(`update payments set status = 'consent_failed' where payment_id = $1`, [paymentId]);
  await deliverAll(admin.db, `no customer ${reference}`);
}

/** Every event to every endpoint, each of which answers this. */
async function deliverAll(db: Pool, answer: string): Promise<void> {
  while ((await placeEvents(db)) > 0);
  while (await fanOut(db));
  const { rows } = await db.query<{ endpoint_id: string }>(`select distinct endpoint_id from webhook_queues`);
  for (const { endpoint_id: endpointId } of rows) {
    for (;;) {
      const claimId = randomUUID();
      const claimed = await claimDeliveries(db, { endpointId, claimId, lease: 45_000, limit: 20, probeEvery: 60_000 });
      const tries = claimed.flatMap(({ subject, delivery }) =>
        delivery === null
          ? []
          : [
              {
                ...{ deliveryId: delivery.deliveryId, subject, number: 1, state: 'delivered' as const },
                ...{ status: 200, ms: 1, error: null, answer, wait: 0, isEarly: false, retryAfter: null },
              },
            ],
      );
      if (tries.length === 0) break;
      const subjects = claimed.map(({ subject }) => subject);
      const batch = { endpointId, subjects, claimIds: [claimId], tries, disableAfter: DAY, probeEvery: 60_000 };
      await recordTries(db, batch, { actor: 'dueday', at: NOW });
    }
  }
}

interface Found {
  readonly table: string;
  readonly word: string;
  readonly row: string;
}

/** Rows of any table that have one of the words in any column, as text or as bytes. */
async function rowsWith(words: readonly string[]): Promise<readonly Found[]> {
  const tables = await admin.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: Found[] = [];
  for (const { name: table } of tables.rows) {
    const { rows } = await admin.db.query<Found>(
      `select $1 as table, word, t::text as row from ${table} t, unnest($2::text[]) as word
       where position(word in lower(t::text)) > 0 or position(encode(convert_to(word, 'UTF8'), 'hex') in t::text) > 0`,
      [table, words],
    );
    found.push(...rows);
  }
  return found;
}

describe('a payer whose everything is over', () => {
  beforeAll(async () => {
    await traces();
  });

  test('a payer is found in many tables before the erasure', async () => {
    const tables = new Set((await rowsWith(WORDS)).map(({ table }) => table));
    const traced = ['attention_items', 'events', 'idempotency_keys', 'jobs', 'merchant_events', 'notices', 'payers'];
    expect([...tables]).toEqual(
      expect.arrayContaining([...traced, 'payments', 'subscription_words', 'subscriptions', 'webhook_tries']),
    );
  });

  test('a payer to be erased is shown as stored to admins', async () => {
    expect((await admin.call('GET', path(), { role: 'operator' })).statusCode).toBe(403);
    const answer = await admin.call('GET', path());
    expect(answer.json()).toMatchObject({
      reference,
      records: [
        {
          kind: 'subscription',
          subscriptionId: ID,
          status: 'paused',
          ...{ name, email, language: 'de', billingAddress: ADDRESS, shippingAddress: ADDRESS, returnURL: returned },
        },
        { kind: 'payment', status: 'consent_failed', name, billingAddress: ADDRESS, returnURL: returned },
      ],
      keptAnswers: 5,
      living: [
        { kind: 'subscription', subscriptionId: ID, state: 'paused' },
        { kind: 'notice', state: 'subscription.paused' },
        { kind: 'attention' },
      ],
    });
  });

  test('a payer is not erased while something lives, which the answer names', async () => {
    const answer = await erase();
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'state_conflict',
      detail: `Still in progress: subscription ${ID} (paused), notice ${ID} (subscription.paused), attention ${ID} (notice_undeliverable).`,
      living: [
        { kind: 'subscription', subscriptionId: ID, state: 'paused' },
        { kind: 'notice', subscriptionId: ID, state: 'subscription.paused' },
        { kind: 'attention', subscriptionId: ID },
      ],
    });
    expect((await rowsWith(['vogelsang'])).length).toBeGreaterThan(0);
  });

  test('a payer is not erased without a reason, for one that names the payer, or by others than admins', async () => {
    expect(faultsOf(await erase({ body: {} }))).toMatchObject([{ path: 'reason' }]);
    expect((await erase({ role: 'operator' })).statusCode).toBe(403);
    await endSubscription();
    const { rows } = await admin.db.query<{ id: NoticeId }>(`select notice_id id from notices where state = 'pending'`);
    const delivered = {
      kind: 'delivered',
      at: NOW,
      realAt: 1,
      channel: 'webhook',
      evidence: { httpStatus: 204 },
    } as const;
    for (const { id } of rows) await recordDelivery(admin.db, id, delivered);
    await deliverAll(admin.db, 'ok');
    const named = await erase({ body: { reason: `${name} asked for it` } });
    expect(faultsOf(named)).toEqual([{ path: 'reason', message: expect.stringContaining('does not name the payer') }]);
    expect(named.body).not.toMatch(/vogelsang/i);
  });

  test('an erased payer is in no column of any table', async () => {
    const answer = await erase({ idempotencyKey: 'erase-1' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        erasedAt: toIso(NOW + HOUR),
        ...{ subscriptions: 1, payments: 1, drafts: 0 },
        ...{ keptAnswers: expect.any(Number), events: expect.any(Number) },
      },
    ]);
    expect(await rowsWith(WORDS)).toEqual([]);
  });

  test('an erased payer is in no answer of the API', async () => {
    const urls = ['subscriptions', 'payments', 'transactions', 'notices', 'attention', 'audit', 'events', 'keys'];
    const of = ['', '/cycles', '/schedule', '/events'].map((what) => `subscriptions/${ID}${what}`);
    for (const url of [
      ...urls,
      ...of,
      'subscriptions?q=vogelsang',
      `transactions?reference=${encodeURIComponent(reference)}`,
    ]) {
      const answer = await admin.call('GET', `/v1/${url}`);
      expect([url, answer.statusCode]).toEqual([url, 200]);
      expect([url, WORDS.filter((word) => answer.body.toLowerCase().includes(word))]).toEqual([url, []]);
    }
    const gone = await admin.call('GET', path());
    expect(gone.statusCode).toBe(404);
    expect(gone.body).not.toMatch(/kanarie/i);
  });

  test('an erased payer leaves what concerns money, and who erased it and why', async () => {
    const { amount, repetition, status } = (await admin.call('GET', `/v1/subscriptions/${ID}`)).json();
    expect([amount, repetition, status]).toEqual([{ value: 1999, currency: 'EUR' }, 'MONTHLY', 'cancelled']);
    const { items } = await listEvents(admin.db, { subscriptionId: ID }, { limit: 1, cursor: null });
    expect(items).toMatchObject([{ type: 'payer.erased', actor: 'admin of the shop', data: REASON }]);
  });

  test('the same request to erase a payer again is given the same answer, and another one finds nobody', async () => {
    const again = await erase({ idempotencyKey: 'erase-1' });
    expect([again.statusCode, again.headers['idempotent-replay']]).toEqual([200, 'true']);
    expect((await erase()).statusCode).toBe(404);
    const other = await admin.call('POST', `${path('another')}/erase`, { body: REASON, idempotencyKey: 'erase-1' });
    expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test('an erased payer accepts no new e-mail', async () => {
    const answer = await admin.call('PATCH', `/v1/subscriptions/${ID}/payer`, { body: { email } });
    expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  });
});

test('a payer is found by the longest permitted reference', async () => {
  const longest = '€'.repeat(140);
  admin.clock.business = NOW;
  await admin.call('POST', '/v1/subscriptions', { body: order({ payer: { reference: longest } }) });
  expect((await admin.call('GET', path(longest))).json()).toMatchObject({ reference: longest });
});
