import { randomUUID } from 'node:crypto';
import type { NoticeId } from '../../src/domain/ids';
import { HOUR, toIso } from '../../src/domain/time';
import { applyChange, listEvents, recordDelivery } from '../../src/ledger';
import { type AdminUnderTest, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { CANARY, CANARY_ADDRESS, CANARY_ID, CANARY_WORDS, deliverAll, leaveTraces, rowsWith } from './payer-traces';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const { name, email, reference, returned } = CANARY;

const path = (of: string = reference) => `/v1/payers/${encodeURIComponent(of)}`;
const REASON = { reason: 'asked for by letter of 3 March' };
const erase = (options: object = {}) => admin.call('POST', `${path()}/erase`, { body: REASON, ...options });

async function endSubscription(): Promise<void> {
  const subscription = { status: 'cancelled' as const, nextDueAt: null, attention: [], dunning: false };
  const change = { key: `end/${randomUUID()}`, at: NOW, actor: 'dueday', events: [], subscription };
  await applyChange(admin.db, { subscriptionId: CANARY_ID, ...change });
}

describe('the erasure of a payer', () => {
  beforeAll(() => leaveTraces(admin));

  test('a payer is found in many tables before the erasure', async () => {
    const tables = new Set((await rowsWith(admin.db, CANARY_WORDS)).map(({ table }) => table));
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
          subscriptionId: CANARY_ID,
          status: 'paused',
          ...{
            name,
            email,
            language: 'de',
            billingAddress: CANARY_ADDRESS,
            shippingAddress: CANARY_ADDRESS,
            returnURL: returned,
          },
        },
        { kind: 'payment', status: 'consent_failed', name, billingAddress: CANARY_ADDRESS, returnURL: returned },
      ],
      keptAnswers: 5,
      living: [
        { kind: 'subscription', subscriptionId: CANARY_ID, state: 'paused' },
        { kind: 'notice', state: 'subscription.paused' },
        { kind: 'attention' },
      ],
    });
  });

  test('a payer is not erased while anything of theirs is in progress, and the response names it', async () => {
    const answer = await erase();
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'state_conflict',
      detail: `Still in progress: subscription ${CANARY_ID} (paused), notice ${CANARY_ID} (subscription.paused), attention ${CANARY_ID} (notice_undeliverable).`,
      living: [
        { kind: 'subscription', subscriptionId: CANARY_ID, state: 'paused' },
        { kind: 'notice', subscriptionId: CANARY_ID, state: 'subscription.paused' },
        { kind: 'attention', subscriptionId: CANARY_ID },
      ],
    });
    expect((await rowsWith(admin.db, ['vogelsang'])).length).toBeGreaterThan(0);
  });

  test('a payer is not erased without a reason, with a reason that names the payer, or by others than admins', async () => {
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
    expect(await rowsWith(admin.db, CANARY_WORDS)).toEqual([]);
  });

  test('an erased payer is in no response of the API', async () => {
    const urls = ['subscriptions', 'payments', 'transactions', 'notices', 'attention', 'audit', 'events', 'keys'];
    const of = ['', '/cycles', '/schedule', '/events'].map((what) => `subscriptions/${CANARY_ID}${what}`);
    for (const url of [
      ...urls,
      ...of,
      'subscriptions?q=vogelsang',
      `transactions?reference=${encodeURIComponent(reference)}`,
    ]) {
      const answer = await admin.call('GET', `/v1/${url}`);
      expect([url, answer.statusCode]).toEqual([url, 200]);
      expect([url, CANARY_WORDS.filter((word) => answer.body.toLowerCase().includes(word))]).toEqual([url, []]);
    }
    const gone = await admin.call('GET', path());
    expect(gone.statusCode).toBe(404);
    expect(gone.body).not.toMatch(/kanarie/i);
  });

  test('the erasure of a payer leaves amounts and statuses, and is recorded with who made it and why', async () => {
    const { amount, repetition, status } = (await admin.call('GET', `/v1/subscriptions/${CANARY_ID}`)).json();
    expect([amount, repetition, status]).toEqual([{ value: 1999, currency: 'EUR' }, 'MONTHLY', 'cancelled']);
    const { items } = await listEvents(admin.db, { subscriptionId: CANARY_ID }, { limit: 1, cursor: null });
    expect(items).toMatchObject([{ type: 'payer.erased', actor: 'admin of the shop', data: REASON }]);
  });

  test('an erasure repeated with its Idempotency-Key gets the same response, and a new one finds no payer', async () => {
    const again = await erase({ idempotencyKey: 'erase-1' });
    expect([again.statusCode, again.headers['idempotent-replay']]).toEqual([200, 'true']);
    expect((await erase()).statusCode).toBe(404);
    const other = await admin.call('POST', `${path('another')}/erase`, { body: REASON, idempotencyKey: 'erase-1' });
    expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test('an erased payer accepts no new e-mail', async () => {
    const answer = await admin.call('PATCH', `/v1/subscriptions/${CANARY_ID}/payer`, { body: { email } });
    expect(answer.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  });
});

test('a payer is found by the longest permitted reference', async () => {
  const longest = '€'.repeat(140);
  admin.clock.business = NOW;
  await admin.call('POST', '/v1/subscriptions', { body: order({ payer: { reference: longest } }) });
  expect((await admin.call('GET', path(longest))).json()).toMatchObject({ reference: longest });
});
