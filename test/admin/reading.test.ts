import { z } from 'zod';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { applyChange, beginSend, type NotifiedAttempt, recordOutcome } from '../../src/ledger';
import type { AttemptState } from '../../src/domain/send';
import { CycleOut, viewCycle } from '../../src/admin/subscriptions/cycle-schema';
import { type AdminUnderTest, eachItems, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

const KEY_ID = '0c9a7e5d-2b4f-4d60-8e3a-5f6a7b8c9d0e';

const create = (subscriptionId: string, changes: Record<string, unknown> = {}) =>
  admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, ...changes }) });
const get = (path: string) => admin.call('GET', `/v1/subscriptions${path}`, { role: 'viewer' });
const patch = (id: string, assignments: string) =>
  admin.db.query(`update subscriptions set ${assignments} where subscription_id = $1`, [id]);

test('the list of subscriptions is newest first, in pages that contain each subscription once, even if new ones are created in between', async () => {
  for (let n = 0; n < 5; n += 1) {
    admin.clock.business = NOW - n;
    await create(`sub_${n}`);
  }
  const seen: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...eachItems(page, 'subscriptionId'));
    cursor = page.json<{ nextCursor: string | null }>().nextCursor;
    admin.clock.business = NOW;
    await create(`sub_new_${seen.length}`);
  }
  expect(seen).toEqual(['sub_0', 'sub_1', 'sub_2', 'sub_3', 'sub_4']);
});

test('a page of the list of subscriptions has 50 rows by default, and 200 at most', async () => {
  for (let n = 0; n < 51; n += 1) await create(`sub_${n}`);
  expect(eachItems(await get(''), 'subscriptionId')).toHaveLength(50);
  expect(eachItems(await get('?limit=200'), 'subscriptionId')).toHaveLength(51);
});

test('the list of subscriptions is filtered by status, standing, repetition, due date and words', async () => {
  await create('sub_a', { firstPaymentAt: '2027-02-01T00:00:00Z' });
  await create('sub_b', { repetition: 'WEEKLY', payer: { reference: 'The 100% Café' } });
  await patch('sub_a', `status = 'active', past_due = true`);
  const ids = async (query: string) => eachItems(await get(`?${query}`), 'subscriptionId');
  expect(await ids('status=active')).toEqual(['sub_a']);
  expect(await ids('status=pending_consent')).toEqual(['sub_b']);
  expect(await ids('standing=past_due')).toEqual(['sub_a']);
  expect(await ids('repetition=WEEKLY')).toEqual(['sub_b']);
  expect(await ids('dueBefore=2027-02-01T00:00:00Z')).toEqual(['sub_b']);
  expect(await ids('dueBefore=2027-02-01T01:00:00.001%2B01:00')).toEqual(['sub_b', 'sub_a']);
  expect(await ids(`q=${encodeURIComponent('100% cAF')}`)).toEqual(['sub_b']);
  expect(await ids('q=100_')).toEqual([]);
  expect(await ids('status=active&repetition=WEEKLY')).toEqual([]);
});

test('a single subscription shows its fields, and omits those without a value', async () => {
  await create('sub_a');
  await patch(
    'sub_a',
    `status = 'paused', paused_until = '2027-03-01T00:00:00Z', replaced_by = 'sub_b', cycles_collected = 2, amount = 2500,
       consent_status = 'successful', consent_checked_at = '2027-02-01T00:00:00Z', next_due_at = null`,
  );
  await applyChange(admin.db, {
    subscriptionId: 'sub_a' as SubscriptionId,
    key: 'k',
    at: NOW,
    actor: 'test',
    events: [],
    subscription: { attention: ['a', 'b:3'] },
  });
  expect((await get('/sub_a')).json()).toMatchObject({
    status: 'paused',
    standing: 'needs_attention',
    pausedUntil: '2027-03-01T00:00:00.000Z',
    replacedBy: 'sub_b',
    cyclesCollected: 2,
    amount: { value: 2500, currency: 'EUR' },
    consentAmount: { value: 1999, currency: 'EUR' },
    nextDueAt: null,
    consent: { status: 'successful', checkedAt: '2027-02-01T00:00:00.000Z' },
  });
  expect((await get('/sub_a')).json().consent).not.toHaveProperty('redirectURL');
  const waiting = await admin.call('GET', '/v1/attention');
  const whose = { subscriptionId: 'sub_a', paymentId: 'pay_sub_a', status: 'paused' };
  const since = '2027-01-31T12:00:00.000Z';
  expect(waiting.json()).toMatchObject({
    items: [
      { ...whose, kind: 'b', title: 'B', cycle: 3, since },
      { ...whose, kind: 'a', title: 'A', cycle: null, since },
    ],
    nextCursor: null,
  });
});

test.each(['', '/cycles', '/schedule', '/events'])('an unknown subscription is not found (%s)', async (path) => {
  expect((await get(`/sub_nobody${path}`)).json()).toMatchObject({ status: 404, code: 'not_found' });
});

test('a subscription that is still a draft is not found', async () => {
  admin.workflows.onCreate = async (draft) => {
    await admin.workflows.open(draft);
    await patch(draft.subscriptionId, `status = 'draft'`);
    return { kind: 'not_ready' };
  };
  await create('sub_draft');
  expect((await get('/sub_draft')).statusCode).toBe(404);
  expect(eachItems(await get(''), 'subscriptionId')).toEqual([]);
});

test('a single subscription never shows a postal address', async () => {
  const made = await create('sub_a');
  for (const answer of [made, await get(''), await get('/sub_a'), await get('/sub_a/events')]) {
    expect(answer.body).not.toMatch(/Hauptstraße|D-10115|Berlin/);
  }
});

const schedule = async (query = '') =>
  (await get(`/sub_a/schedule${query}`)).json<{ items: { cycle: number; dueAt: string; collectBy: string }[] }>().items;

test('the schedule of a subscription shows twelve cycles from the next due date on, each with its window', async () => {
  await create('sub_a');
  const items = await schedule();
  expect(items).toHaveLength(12);
  expect(items.slice(0, 2)).toEqual([
    {
      cycle: 0,
      dueAt: '2027-01-31T12:00:00.000Z',
      collectBy: '2027-02-05T12:00:00.000Z',
      amount: { value: 1999, currency: 'EUR' },
    },
    {
      cycle: 1,
      dueAt: '2027-02-28T12:00:00.000Z',
      collectBy: '2027-03-05T12:00:00.000Z',
      amount: { value: 1999, currency: 'EUR' },
    },
  ]);
});

test('the schedule of a subscription ends before endAt', async () => {
  await create('sub_a', { endAt: '2027-03-31T12:00:00Z' });
  expect((await schedule()).map(({ cycle }) => cycle)).toEqual([0, 1]);
});

test('the schedule of a subscription shows nothing past year 9999', async () => {
  await create('sub_a', { firstPaymentAt: '9998-06-01T00:00:00Z', repetition: 'YEARLY' });
  expect((await schedule('?count=60')).map(({ dueAt }) => dueAt.slice(0, 4))).toEqual(['9998', '9999']);
});

test('the schedule of a subscription in a pause with an end begins at the end of the pause, including a due date at that instant', async () => {
  await create('sub_a');
  await patch('sub_a', `status = 'paused', paused_until = '2027-03-31T12:00:00Z'`);
  expect((await schedule('?count=1')).map(({ cycle }) => cycle)).toEqual([2]);
  await patch('sub_a', `paused_until = '2027-03-31T12:00:00.001Z'`);
  expect((await schedule('?count=1')).map(({ cycle }) => cycle)).toEqual([3]);
});

test('the schedule of a subscription in a pause without an end is empty', async () => {
  await create('sub_a');
  await patch('sub_a', `status = 'paused', paused_until = null`);
  expect(await schedule()).toEqual([]);
});

test('the schedule of a subscription that is being cancelled is empty', async () => {
  await create('sub_a');
  await patch('sub_a', `status = 'active', stopped_by = 'cancel'`);
  expect(await schedule()).toEqual([]);
});

test('the schedule of a subscription omits the cycles that an operator has skipped', async () => {
  await create('sub_a');
  await applyChange(admin.db, {
    subscriptionId: 'sub_a' as SubscriptionId,
    key: 'skip',
    at: NOW,
    actor: 'test',
    events: [],
    cycle: { cycle: 2, dueAt: NOW, collectBy: NOW + 1, amount: euros(1999), status: 'skipped' },
  });
  expect((await schedule('?count=3')).map(({ cycle }) => cycle)).toEqual([0, 1, 3]);
});

test('the schedule of a subscription shows a pending change of amount from the cycle on to which it applies', async () => {
  await create('sub_a');
  const change = { amount: euros(2999), effectiveAt: Date.UTC(2027, 2, 31, 12) };
  await patch('sub_a', `pending_change = '${JSON.stringify(change)}'`);
  expect(eachItems(await get('/sub_a/schedule?count=4'), 'amount')).toEqual([1999, 1999, 2999, 2999].map(euros));
});

test.each(['cancelled', 'completed', 'consent_failed'])('a %s subscription has no schedule', async (status) => {
  await create('sub_a');
  await patch('sub_a', `status = '${status}'`);
  expect(await schedule()).toEqual([]);
});

test.each([
  ['0', 400],
  ['1', 200],
  ['60', 200],
  ['61', 400],
  ['-1', 400],
  ['x', 400],
])('a schedule with the count %s is answered with %i', async (count, status) => {
  await create('sub_a');
  expect((await get(`/sub_a/schedule?count=${count}`)).statusCode).toBe(status);
});

const id = 'sub_a' as SubscriptionId;

test('the cycles of a subscription come newest first, with their attempts', async () => {
  await create('sub_a');
  const at = NOW + HOUR;
  const sent = await beginSend(admin.db, {
    subscriptionId: id,
    paymentId: 'pay_sub_a' as PaymentId,
    cycle: 0,
    attempt: 0,
    amount: euros(1999),
    dueAt: NOW,
    collectBy: NOW + 120 * HOUR,
    at,
    realAt: admin.clock.real,
    knownIds: [],
    owner: 'worker 1',
  });
  if (sent.kind !== 'started') throw new Error(sent.kind);
  const refused = { state: 'rejected_retryable', detail: 'RETRYABLE', description: 'ask the payer' } as const;
  await recordOutcome(admin.db, sent.send, refused, at + 1, { type: 'attempt.rejected', data: {} });
  await applyChange(admin.db, {
    subscriptionId: id,
    key: 'next',
    at,
    actor: 'dueday',
    events: [],
    cycle: {
      cycle: 1,
      dueAt: Date.UTC(2027, 1, 28, 12),
      collectBy: Date.UTC(2027, 2, 5, 12),
      amount: euros(1999),
      status: 'skipped',
      reason: 'paused',
    },
  });
  const whole = await get('/sub_a/cycles');
  expect(whole.json()).toEqual({
    items: [
      {
        cycle: 1,
        dueAt: '2027-02-28T12:00:00.000Z',
        collectBy: '2027-03-05T12:00:00.000Z',
        amount: { value: 1999, currency: 'EUR' },
        status: 'skipped',
        reason: 'paused',
        retriesLeft: 0,
        attempts: [],
        refunds: [],
      },
      {
        cycle: 0,
        dueAt: '2027-01-31T12:00:00.000Z',
        collectBy: '2027-02-05T12:00:00.000Z',
        amount: { value: 1999, currency: 'EUR' },
        status: 'collecting',
        retriesLeft: 0,
        attempts: [
          {
            attempt: 0,
            send: 0,
            at: '2027-01-31T13:00:00.000Z',
            amount: { value: 1999, currency: 'EUR' },
            outcome: 'rejected_retryable',
            detail: 'RETRYABLE',
            description: 'ask the payer',
            adopted: false,
          },
        ],
        refunds: [],
      },
    ],
    nextCursor: null,
  });
  const first = await get('/sub_a/cycles?limit=1');
  const { nextCursor } = first.json<{ nextCursor: string }>();
  expect(eachItems(await get(`/sub_a/cycles?limit=1&cursor=${nextCursor}`), 'cycle')).toEqual([0]);
});

test('the audit entries of a subscription say who did what, newest first', async () => {
  await create('sub_a');
  await applyChange(admin.db, {
    subscriptionId: id,
    key: 'k',
    at: NOW + 1,
    actor: 'till',
    keyId: KEY_ID,
    events: [{ type: 'subscription.paused', data: { reason: 'holiday' } }],
  });
  const { items } = (await get('/sub_a/events')).json<{ items: unknown[] }>();
  expect(items[0]).toEqual({
    at: '2027-01-31T12:00:00.001Z',
    actor: 'till',
    keyId: KEY_ID,
    type: 'subscription.paused',
    text: 'till paused the subscription until it is resumed. Cycles that fall due during the pause are skipped for good. Reason: holiday.',
    rule: {
      decision: 23,
      sentence: 'the merchant omits the authorization call for the planned pause duration',
      source: 'reference',
    },
    data: { reason: 'holiday' },
  });
});

const OUTCOMES: Record<AttemptState, string> = {
  sending: 'pending',
  pending: 'pending',
  unknown: 'unknown',
  unresolved: 'unknown',
  successful: 'successful',
  rejected_retryable: 'rejected_retryable',
  rejected: 'rejected',
  capture_failed: 'rejected',
  not_sent: 'not_sent',
};

test.each(Object.entries(OUTCOMES))('an attempt that is %s in the ledger is %s in the API', (state, outcome) => {
  const attempt = {
    attempt: 1,
    send: 0,
    at: NOW,
    amount: euros(1),
    state,
    payerNotifiedAt: NOW,
    authorizationId: 'aut_1',
    captureId: null,
    detail: null,
    description: null,
    owner: 'worker 1',
    knownIds: ['aut_0'],
    adopted: false,
  } as unknown as NotifiedAttempt;
  const record = viewCycle({
    subscriptionId: 'sub_a' as SubscriptionId,
    cycle: 0,
    dueAt: NOW,
    collectBy: NOW + 1,
    amount: euros(1),
    status: 'collecting',
    reason: null,
    collectedAt: null,
    nextAttemptAt: NOW,
    postponedUntil: null,
    retriesLeft: 2,
    retryUntil: NOW,
    attempts: [attempt],
    refunds: [],
    paymentLink: null,
  });
  const cycle = z.encode(CycleOut, record);
  expect(cycle.attempts).toEqual([
    {
      attempt: 1,
      send: 0,
      at: '2027-01-31T12:00:00.000Z',
      amount: { value: 1, currency: 'EUR' },
      outcome,
      authorizationId: 'aut_1',
      payerNotifiedAt: '2027-01-31T12:00:00.000Z',
      adopted: false,
    },
  ]);
});
