import type { NoticeId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import {
  applyChange,
  type DeliveryResult,
  blankPayers,
  getCycle,
  listEvents,
  type NoticeRecord,
  type Pool,
  readNoticeForDelivery,
  recordDelivery as recordNow,
  recordManualNotification,
  reopenNotice,
} from '../../src/ledger';
import {
  count,
  NOW,
  orderPaymentFailedNotice,
  REAL_NOW,
  sendOf,
  settle,
  startDebit,
  subscribe,
  type Subscribed,
  useLedger,
  waitForLock,
  noticesOf,
} from './ledger-fixture';

const ledger = useLedger();

const DELIVERED: DeliveryResult = {
  kind: 'delivered',
  at: NOW + HOUR,
  realAt: REAL_NOW + 5,
  channel: 'webhook',
  evidence: { status: 204 },
};
const GIVEN_UP: DeliveryResult = { kind: 'undeliverable', at: NOW + HOUR, error: '410' };

function failed(error: string, gone: readonly string[] = []): DeliveryResult {
  return { kind: 'failed', error, gone, nextTryRealAt: REAL_NOW };
}

/** @returns the notice after the delivery */
async function recordDelivery(pool: Pool, noticeId: NoticeId, result: DeliveryResult): Promise<NoticeRecord> {
  return (await recordNow(pool, noticeId, result)).notice;
}

function order(given: Subscribed, attempt = 0): Promise<NoticeRecord> {
  const { subscriptionId } = given;
  return orderPaymentFailedNotice(ledger.pool, {
    subscriptionId,
    cycle: 0,
    attempt,
    data: { detail: 'X', retryAt: null },
    createdAt: NOW,
  });
}

async function auditEntriesOf(given: Subscribed): Promise<string[]> {
  const { items } = await listEvents(ledger.pool, given, { limit: 20, cursor: null });
  return items.map(({ type }) => type).filter((type) => type.startsWith('notice.'));
}

test('the notice of one rejected attempt is stored once, even if it is ordered many times at once', async () => {
  const given = await subscribe(ledger.pool);
  const all = await Promise.all(Array.from({ length: 8 }, () => order(given)));
  expect(new Set(all.map(({ noticeId }) => noticeId)).size).toBe(1);
  expect(await count(ledger.pool, 'notices', given.subscriptionId)).toBe(1);
  expect((await order(given, 1)).noticeId).not.toBe(all[0]?.noticeId);
});

test('a notice that is ordered again after its delivery is returned as delivered', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  await recordDelivery(ledger.pool, noticeId, DELIVERED);
  expect(await order(given)).toMatchObject({ noticeId, state: 'delivered', deliveredAt: NOW + HOUR });
});

test('a change that orders a failure notice gets the one ordered before it', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  await applyChange(ledger.pool, {
    subscriptionId: given.subscriptionId,
    key: 'closing',
    at: NOW,
    actor: 'dueday',
    events: [],
    notices: [{ type: 'payment.failed', cycle: 0, attempt: 0, data: {} }],
  });
  expect(await noticesOf(ledger.pool, given.subscriptionId)).toEqual([noticeId]);
});

const PROMISED = { detail: 'X', retryAt: '2027-02-02T10:00:00.000Z' };
const ENDED = { detail: 'X', retryAt: null };

const orderOf = ({ subscriptionId }: Subscribed, data: NoticeRecord['data']) =>
  orderPaymentFailedNotice(ledger.pool, { subscriptionId, cycle: 0, attempt: 0, data, createdAt: NOW });

test('a failure notice ordered again without a retry replaces the one that promised a retry if its delivery was not tried yet', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId, data } = await orderOf(given, PROMISED);
  expect(data).toEqual(PROMISED);
  expect(await orderOf(given, ENDED)).toMatchObject({ noticeId, data: ENDED, state: 'pending', createdAt: NOW });
  expect((await readNoticeForDelivery(ledger.pool, noticeId))?.data).toEqual(ENDED);
});

test.each<DeliveryResult>([DELIVERED, GIVEN_UP, failed('503')])(
  'a failure notice ordered again without a retry is unchanged once its delivery was tried: $kind',
  async (tried) => {
    const given = await subscribe(ledger.pool);
    const { noticeId } = await orderOf(given, PROMISED);
    await recordDelivery(ledger.pool, noticeId, tried);
    expect((await orderOf(given, ENDED)).data).toEqual(PROMISED);
  },
);

test('a failure notice ordered again without a retry is unchanged if the result of a delivery is being written meanwhile', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await orderOf(given, PROMISED);
  const other = await ledger.pool.connect();
  await other.query('begin');
  await other.query('update notices set deliveries = 1 where notice_id = $1', [noticeId]);
  const again = orderOf(given, ENDED);
  await waitForLock(ledger.pool);
  await other.query('commit');
  other.release();
  expect((await again).data).toEqual(PROMISED);
});

test('payment and payer are added on delivery, and not stored with the notice', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  expect(await readNoticeForDelivery(ledger.pool, noticeId)).toMatchObject({
    noticeId,
    type: 'payment.failed',
    cycle: 0,
    attempt: 0,
    data: { detail: 'X', retryAt: null },
    state: 'pending',
    paymentId: given.paymentId,
    payer: { name: 'Ada Example', email: 'ada@example.org', reference: 'customer-7' },
  });
  const stored = await ledger.pool.query('select row_to_json(n)::text as text from notices n');
  expect(JSON.stringify(stored.rows)).not.toMatch(/ada example|@example|customer-7/i);
});

test('a notice goes to the e-mail of the billing address if none was given for notices', async () => {
  const email = 'billing@example.org';
  const billingAddress = { name: 'Bo', street: 'Weg 2', postalCode: '1', city: 'Wien', country: 'AT', email };
  const given = await subscribe(ledger.pool, { billingAddress, payer: { email: null, reference: null } });
  const { noticeId } = await order(given);
  expect((await readNoticeForDelivery(ledger.pool, noticeId))?.payer).toEqual({
    name: 'Bo',
    email,
    reference: null,
    language: null,
  });
});

test("a notice has no payer's data any more once the payer is erased", async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  await blankPayers(ledger.pool, [given.payerId], NOW);
  const nobody = { name: null, email: null, reference: null, language: null };
  expect((await readNoticeForDelivery(ledger.pool, noticeId))?.payer).toEqual(nobody);
});

test('the delivery of a notice is stored with its evidence, in business and in real time, and shown with its attempt', async () => {
  const given = await subscribe(ledger.pool);
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'not_sent');
  await settle(ledger.pool, await startDebit(ledger.pool, sendOf(given)), 'rejected_retryable');
  const { noticeId } = await order(given);
  const told = async () =>
    (await getCycle(ledger.pool, given.subscriptionId, 0))?.attempts.map((each) => each.payerNotifiedAt);
  expect(await told()).toEqual([null, null]);
  expect(await recordDelivery(ledger.pool, noticeId, DELIVERED)).toMatchObject({
    state: 'delivered',
    deliveries: 1,
    deliveredAt: NOW + HOUR,
    deliveredRealAt: REAL_NOW + 5,
    channel: 'webhook',
    evidence: { status: 204 },
  });
  expect(await told()).toEqual([null, NOW + HOUR]);
  expect(await auditEntriesOf(given)).toEqual(['notice.delivered']);
});

test('failed delivery attempts of a notice are counted, with the last error, and leave the notice pending', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  await recordDelivery(ledger.pool, noticeId, failed('503'));
  const second = await recordDelivery(ledger.pool, noticeId, failed('time-out'));
  expect(second).toMatchObject({ state: 'pending', deliveries: 2, lastError: 'time-out', deliveredAt: null });
  expect(await auditEntriesOf(given)).toEqual([]);
});

test('a channel that refuses further notices is remembered with a notice that is tried again, until an operator resends the notice', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  const gone = async () => (await readNoticeForDelivery(ledger.pool, noticeId))?.goneChannels;
  expect(await gone()).toEqual([]);
  await recordDelivery(ledger.pool, noticeId, failed('550', ['webhook']));
  await recordDelivery(ledger.pool, noticeId, failed('550'));
  expect(await gone()).toEqual(['webhook']);
  await reopenNotice(ledger.pool, noticeId, { actor: 'till', at: NOW });
  expect(await gone()).toEqual([]);
});

test.each<DeliveryResult>([failed('x'), GIVEN_UP, { ...DELIVERED, channel: 'email', at: NOW + 2 * HOUR }])(
  'a notice that is delivered stays so with its first evidence, whatever follows: $kind',
  async (later) => {
    const given = await subscribe(ledger.pool);
    const { noticeId } = await order(given);
    const first = await recordDelivery(ledger.pool, noticeId, DELIVERED);
    expect(await recordDelivery(ledger.pool, noticeId, later)).toEqual(first);
    expect(await auditEntriesOf(given)).toEqual(['notice.delivered']);
  },
);

test('a notice that was given up may still become delivered, but not pending', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  await recordDelivery(ledger.pool, noticeId, GIVEN_UP);
  expect((await recordDelivery(ledger.pool, noticeId, failed('x'))).state).toBe('undeliverable');
  await recordDelivery(ledger.pool, noticeId, GIVEN_UP);
  expect((await recordDelivery(ledger.pool, noticeId, DELIVERED)).state).toBe('delivered');
  expect(await auditEntriesOf(given)).toEqual(['notice.delivered', 'notice.undeliverable']);
});

test('two deliveries of one notice that are recorded at once count as one', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  const both = ['webhook', 'email'].map((channel) => recordDelivery(ledger.pool, noticeId, { ...DELIVERED, channel }));
  const [one, two] = await Promise.all(both);
  expect(one).toEqual(two);
  expect(await auditEntriesOf(given)).toEqual(['notice.delivered']);
});

test('the database accepts no delivered notice without evidence', async () => {
  const given = await subscribe(ledger.pool);
  const { noticeId } = await order(given);
  const change = ledger.pool.query(
    `update notices set state = 'delivered', delivered_at = now() where notice_id = $1`,
    [noticeId],
  );
  await expect(change).rejects.toThrow('notices_delivered_with_evidence');
});

test('reading a notice that does not exist returns null, and recording a delivery of it throws', async () => {
  const nowhere = 'msg_nowhere' as NoticeId;
  expect(await readNoticeForDelivery(ledger.pool, nowhere)).toBeNull();
  await expect(recordDelivery(ledger.pool, nowhere, DELIVERED)).rejects.toThrow('no notice msg_nowhere');
});

test.each<[string, (noticeId: NoticeId) => Promise<unknown>]>([
  ['a delivery', (noticeId) => recordDelivery(ledger.pool, noticeId, DELIVERED)],
  [
    "an operator's report",
    (noticeId) =>
      recordManualNotification(ledger.pool, {
        ...{ noticeId, channel: 'phone', toldAt: NOW + HOUR, evidence: 'call 17' },
        ...{ actor: 'ada', at: NOW + HOUR, realAt: REAL_NOW },
      }),
  ],
  ['a new delivery', (noticeId) => reopenNotice(ledger.pool, noticeId, { actor: 'ada', at: NOW })],
])(
  '%s waits for a change of the subscription before it locks the notice, so that the two cannot deadlock',
  async (_of, write) => {
    const given = await subscribe(ledger.pool);
    const { noticeId } = await order(given);
    const change = await ledger.pool.connect();
    try {
      await change.query('begin');
      await change.query('select from subscriptions where subscription_id = $1 for update', [given.subscriptionId]);
      const written = write(noticeId);
      await waitForLock(ledger.pool);
      // Locks the notice as a change does that records it again. If the two locked in different orders, they would
      // deadlock.
      await change.query('select from notices where notice_id = $1 for update nowait', [noticeId]);
      await change.query('commit');
      await written;
    } finally {
      change.release();
    }
  },
);
