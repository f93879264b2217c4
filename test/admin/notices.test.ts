import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, MINUTE, toIso } from '../../src/domain/time';
import { applyChange, listEvents, type NoticeRecord, recordDelivery } from '../../src/ledger';
import { orderPaymentFailedNotice } from '../ledger/ledger-fixture';
import { type AdminUnderTest, type CallOptions, faultsOf, NOW, startAdmin } from './admin-under-test';
import { order } from './order';
import { payment } from './payment-order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

const ID = 'sub_told' as SubscriptionId;
const GONE = 'the webhook answered 410';

/** Creates a subscription whose first payment was refused at noon. @returns the notice of this refusal */
async function createRefused(fields: Record<string, unknown> = {}): Promise<NoticeRecord> {
  const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId: ID, ...fields }) });
  if (created.statusCode !== 201) throw new Error(created.body);
  await applyChange(admin.db, {
    subscriptionId: ID,
    key: 'dunning',
    at: NOW,
    actor: 'dueday',
    events: [],
    subscription: { status: 'active', dunning: true },
    cycle: {
      cycle: 0,
      dueAt: NOW,
      collectBy: NOW + 5 * DAY,
      amount: { value: 1999, currency: 'EUR' },
      status: 'dunning',
    },
  });
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner)
     select subscription_id, 0, 0, 0, payment_id, 1999, $1, 'sending', $1, $1, 'worker' from subscriptions`,
    [toIso(NOW)],
  );
  await admin.db.query(
    `update attempts set state = 'rejected_retryable', authorization_id = 'aut', authorization_created_at = $1, outcome_at = $1`,
    [toIso(NOW)],
  );
  const retryAt = toIso(NOW + DAY);
  const data = { cycle: 0, attempt: 0, amount: { value: 1999, currency: 'EUR' }, retryAt };
  return orderPaymentFailedNotice(admin.db, { subscriptionId: ID, cycle: 0, attempt: 0, data, createdAt: NOW });
}

async function givenUp({ noticeId }: NoticeRecord): Promise<NoticeRecord> {
  const result = { kind: 'undeliverable', at: NOW + MINUTE, error: GONE } as const;
  return (await recordDelivery(admin.db, noticeId, result)).notice;
}

/** The ids of the notices that are due at once, without a wait for their next try. */
async function dueNotices(): Promise<readonly NoticeId[]> {
  const { rows } = await admin.db.query<{ notice_id: NoticeId }>(
    `select notice_id from notices where next_try_real_at = 'epoch' order by notice_id`,
  );
  return rows.map(({ notice_id }) => notice_id);
}

async function noticeIdOf(type: string): Promise<NoticeId> {
  const { rows } = await admin.db.query<{ notice_id: NoticeId }>('select notice_id from notices where type = $1', [
    type,
  ]);
  return rows[0]!.notice_id;
}

const get = (query = '') => admin.call('GET', `/v1/notices${query}`, { role: 'viewer' });
const post = (noticeId: string, what: string, body: unknown = {}, options: CallOptions = {}) =>
  admin.call('POST', `/v1/notices/${noticeId}/${what}`, { body, role: 'operator', ...options });
const patch = (body: unknown, options: CallOptions = {}) =>
  admin.call('PATCH', `/v1/subscriptions/${ID}/payer`, { body, role: 'operator', ...options });
const auditLog = async () => {
  const { items } = await listEvents(admin.db, { subscriptionId: ID }, { limit: 50, cursor: null });
  return items.map(({ type, actor, data }) => ({ type, actor, data }));
};

test('the list of notices shows the state of each notice, and nothing about the payer', async () => {
  const { noticeId } = await givenUp(await createRefused());
  const answer = await get();
  expect(answer.json()).toEqual({
    items: [
      {
        noticeId,
        type: 'payment.failed',
        to: 'payer',
        state: 'undeliverable',
        subscriptionId: ID,
        cycle: 0,
        attempt: 0,
        data: { cycle: 0, attempt: 0, amount: { value: 1999, currency: 'EUR' }, retryAt: toIso(NOW + DAY) },
        deliveries: 1,
        createdAt: toIso(NOW),
        deliveredAt: null,
        lastError: GONE,
      },
    ],
    nextCursor: null,
  });
  // The digits of a random id may spell the name.
  expect(answer.body.replaceAll(noticeId, '')).not.toMatch(/ada/i);
});

test('the list of notices is filtered, and continues after its cursor', async () => {
  const { noticeId } = await createRefused();
  await applyChange(admin.db, {
    subscriptionId: ID,
    key: 'paused',
    at: NOW + HOUR,
    actor: 'dueday',
    events: [],
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data: {} }],
  });
  const idsOf = async (query: string) =>
    (await get(query)).json<{ items: { type: string }[] }>().items.map(({ type }) => type);
  expect(await idsOf('')).toEqual(['subscription.paused', 'payment.failed']);
  expect(await idsOf('?type=payment.failed')).toEqual(['payment.failed']);
  expect(await idsOf('?state=delivered')).toEqual([]);
  expect(await idsOf(`?subscriptionId=${ID}`)).toHaveLength(2);
  expect(await idsOf('?paymentId=another')).toEqual([]);
  const { nextCursor } = (await get('?limit=1')).json<{ nextCursor: string }>();
  expect((await get(`?limit=1&cursor=${nextCursor}`)).json()).toMatchObject({ items: [{ noticeId }] });
  const place = Buffer.from(JSON.stringify([NOW, 'sub_other'])).toString('base64url');
  expect(faultsOf(await get(`?cursor=${place}`))).toMatchObject([{ path: 'cursor' }]);
});

const refusedTwoHoursAgo = async () => {
  const notice = await createRefused();
  admin.clock.business = NOW + 2 * HOUR;
  return notice;
};
const word = (changes: object = {}) => ({
  channel: 'phone',
  toldAt: toIso(NOW + HOUR),
  evidence: 'spoke to the payer',
  ...changes,
});
test("an operator's report that the payer was notified counts as delivered at that time, is in the audit log, and reaches the workflow", async () => {
  const { noticeId } = await givenUp(await refusedTwoHoursAgo());
  const answer = await post(noticeId, 'told', word());
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    noticeId,
    state: 'delivered',
    deliveredAt: toIso(NOW + HOUR),
    channel: 'phone',
    evidence: { toldBy: 'operator of the shop', evidence: 'spoke to the payer' },
  });
  expect(admin.workflows.notified).toContainEqual({ id: ID, revision: expect.any(Number) as number });
  expect(await auditLog()).toContainEqual({
    type: 'notice.delivered',
    actor: 'operator of the shop',
    data: expect.objectContaining({
      noticeId,
      channel: 'phone',
      toldAt: toIso(NOW + HOUR),
      evidence: 'spoke to the payer',
    }),
  });
});

test("an operator's report that the payer was notified can be repeated, but a different report is answered with 409", async () => {
  const { noticeId } = await refusedTwoHoursAgo();
  await post(noticeId, 'told', word());
  expect((await post(noticeId, 'told', word())).statusCode).toBe(200);
  const other = await post(noticeId, 'told', word({ channel: 'letter' }));
  expect(other.json()).toMatchObject({ status: 409, code: 'state_conflict' });
  expect((await auditLog()).filter(({ type }) => type === 'notice.delivered')).toHaveLength(1);
});

test.each([
  [NOW - 1, 400, 'a time after the event it reports, 2027-01-31T12:00:00.000Z'],
  [NOW, 400, 'a time after the event it reports, 2027-01-31T12:00:00.000Z'],
  [NOW + 1, 200, ''],
  [NOW + 2 * HOUR, 200, ''],
  [NOW + 2 * HOUR + 1, 400, 'a time not after now, 2027-01-31T14:00:00.000Z'],
])("an operator's report that the payer was notified at %i is answered %i", async (toldAt, status, expected) => {
  const { noticeId } = await refusedTwoHoursAgo();
  const answer = await post(noticeId, 'told', word({ toldAt: toIso(toldAt) }));
  expect(answer.statusCode).toBe(status);
  if (status === 400) {
    expect(faultsOf(answer)).toEqual([{ path: 'toldAt', message: expect.stringContaining(expected) }]);
  }
});

test("an operator's report that the payer was notified is accepted while Temporal is unavailable", async () => {
  const { noticeId } = await refusedTwoHoursAgo();
  jest.spyOn(admin.workflows, 'notify').mockRejectedValue(new Error('Temporal is away'));
  expect((await post(noticeId, 'told', word())).statusCode).toBe(200);
  expect(await dueNotices()).toEqual([]);
});

test("an operator's report that the payer was notified is refused for a notice to the merchant and for an unknown notice", async () => {
  await refusedTwoHoursAgo();
  await applyChange(admin.db, {
    subscriptionId: ID,
    key: 'failed',
    at: NOW,
    actor: 'dueday',
    events: [],
    notices: [{ type: 'cycle.failed', cycle: 0, attempt: null, data: {} }],
  });
  expect((await post(await noticeIdOf('cycle.failed'), 'told', word())).statusCode).toBe(409);
  expect((await post(`msg_${'0'.repeat(32)}`, 'told', word())).statusCode).toBe(404);
  expect((await post('sub_told', 'told', word())).statusCode).toBe(404);
});

test("an operator's report that the payer was notified names every fault, and is not for viewers", async () => {
  const { noticeId } = await refusedTwoHoursAgo();
  const answer = await post(noticeId, 'told', { channel: 1, toldAt: 'now', proof: 1 });
  expect(faultsOf(answer).map(({ path }) => path)).toEqual(['channel', 'toldAt', 'evidence', 'proof']);
  expect((await post(noticeId, 'told', word(), { role: 'viewer' })).statusCode).toBe(403);
});

test('resending a notice that was given up reopens it, and its delivery is due at once', async () => {
  const { noticeId } = await givenUp(await createRefused());
  const answer = await post(noticeId, 'resend');
  expect([answer.statusCode, answer.json<{ state: string }>().state]).toEqual([202, 'pending']);
  expect(await dueNotices()).toEqual([noticeId]);
  expect((await auditLog())[0]).toMatchObject({ type: 'notice.resend_requested', actor: 'operator of the shop' });
});

test('resending a notice that waits for its next try makes the try due at once', async () => {
  const { noticeId } = await createRefused();
  const failed = { kind: 'failed', error: '503', gone: [], nextTryRealAt: NOW + HOUR } as const;
  await recordDelivery(admin.db, noticeId, failed);
  expect(await dueNotices()).toEqual([]);
  expect((await post(noticeId, 'resend')).statusCode).toBe(202);
  expect(await dueNotices()).toEqual([noticeId]);
});

test('resending a delivered notice leaves the first delivery as it was', async () => {
  const { noticeId } = await createRefused();
  const delivered = { at: NOW, realAt: 1, channel: 'webhook', evidence: { httpStatus: 204 } };
  await recordDelivery(admin.db, noticeId, { kind: 'delivered', ...delivered });
  expect((await post(noticeId, 'resend')).json()).toMatchObject({ state: 'delivered', deliveredAt: toIso(NOW) });
  expect(await dueNotices()).toEqual([noticeId]);
});

test('a payer who is given a new address gets undelivered notices there at once', async () => {
  const { noticeId: refusal } = await givenUp(await createRefused());
  await applyChange(admin.db, {
    subscriptionId: ID,
    key: 'paused',
    at: NOW,
    actor: 'dueday',
    events: [],
    notices: [
      { type: 'subscription.paused', cycle: null, attempt: null, data: {} },
      { type: 'cycle.failed', cycle: 0, attempt: null, data: {} },
    ],
  });
  const answer = await patch({ email: 'new@example.org', language: 'de' });
  expect(answer.json()).toMatchObject({
    payer: { email: 'new@example.org', language: 'de', reference: 'customer 17' },
  });
  const expected = [refusal, await noticeIdOf('subscription.paused')];
  expect((await dueNotices()).filter((id) => expected.includes(id))).toEqual(expected.toSorted());
  expect((await get('?state=undeliverable')).json()).toMatchObject({ items: [] });
});

test('after a change of address a payer gets no notice that is no longer true', async () => {
  await givenUp(await createRefused());
  await admin.db.query(`update cycles set status = 'failed'`);
  await patch({ email: 'new@example.org' });
  expect(await dueNotices()).toEqual([]);
  expect((await get('?state=undeliverable')).json<{ items: unknown[] }>().items).toHaveLength(1);
});

test('after a change of address a payer is still notified of a final failure', async () => {
  const { noticeId } = await givenUp(await createRefused());
  await admin.db.query(`update cycles set status = 'failed'`);
  await admin.db.query(`update notices set data = data || '{"retryAt": null}'`);
  await patch({ email: 'new@example.org' });
  expect(await dueNotices()).toEqual([noticeId]);
});

test('a change of a payer is recorded in the audit log by field names, without values', async () => {
  await createRefused();
  await patch({ email: 'new@example.org', reference: null });
  const [entry] = await auditLog();
  expect(entry).toMatchObject({ type: 'payer.changed', data: { fields: ['email', 'reference'] } });
  expect(JSON.stringify(await auditLog())).not.toContain('new@example.org');
  expect((await patch({ email: null })).json<{ payer: object }>().payer).toEqual({ name: 'Ada Byron' });
});

test('after a change of address a payer is found by the new address', async () => {
  await createRefused();
  await patch({ email: 'grace@hopper.example' });
  expect((await admin.call('GET', '/v1/subscriptions?q=grace@')).json()).toMatchObject({
    items: [{ subscriptionId: ID }],
  });
});

test.each(['ju\u0308rgen@xn--bcher-kva.example', 'jürgen@Bücher.example'])(
  'an e-mail address that is given as %j is stored and found in its own script',
  async (email) => {
    await createRefused();
    const answer = await patch({ email });
    expect(answer.json()).toMatchObject({ payer: { email: 'jürgen@bücher.example' } });
    for (const q of ['jürgen', 'bücher.ex', 'bu\u0308cher', 'jürgen@xn--bcher-kva.example']) {
      const found = await admin.call('GET', `/v1/subscriptions?q=${encodeURIComponent(q)}`);
      expect([q, found.json()]).toMatchObject([q, { items: [{ subscriptionId: ID }] }]);
    }
  },
);

test('an e-mail address with an invalid domain is refused with what was expected of it', async () => {
  await createRefused();
  const [fault] = faultsOf(await patch({ email: 'jürgen@bücher..example' }));
  expect(fault?.message).toMatch(/^expected an e-mail address .* with a valid domain after the @; got text of/);
});

test.each<[string, unknown, string]>([
  ['nothing', {}, ''],
  ['an invalid e-mail', { email: 'nobody' }, 'email'],
  ['an unknown language', { language: 'it' }, 'language'],
  ['an unknown field', { phone: '1' }, 'phone'],
])('a payer is not changed by %s', async (_what, body, path) => {
  await createRefused();
  const answer = await patch(body);
  expect(answer.statusCode).toBe(400);
  expect(faultsOf(answer).map((fault) => fault.path)).toContain(path);
});

test('a payer whose data was erased cannot be given new data', async () => {
  await createRefused();
  await admin.db.query(
    `update payers set name = null, email = null, reference = null, billing_address = null, erased_at = now()`,
  );
  expect((await patch({ email: 'new@example.org' })).json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a payer has a language from the creation of the subscription or one-time payment on', async () => {
  await createRefused({ payer: { language: 'nl' } });
  expect((await admin.call('GET', `/v1/subscriptions/${ID}`)).json()).toMatchObject({ payer: { language: 'nl' } });
  const body = payment({
    plan: 'SINGLE',
    payer: { reference: 'customer 9', email: 'ada@example.org', language: 'fr' },
  });
  expect((await admin.call('POST', '/v1/payments', { body })).statusCode).toBe(201);
  const { rows } = await admin.db.query('select email, reference, language from payers where language = $1', ['fr']);
  expect(rows).toEqual([{ email: 'ada@example.org', reference: 'customer 9', language: 'fr' }]);
});
