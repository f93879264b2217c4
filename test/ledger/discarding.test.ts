import { randomUUID } from 'node:crypto';
import type { DiscardResult } from '../../src/contract/activities';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import {
  discardDraft,
  getPaymentOfRequest,
  getSubscription,
  insertDraft,
  insertPaymentDraft,
  openConsent,
  openPayment,
  readDraft,
  readPaymentDraft,
} from '../../src/ledger';
import { waitUntil } from '../support/wait-until';
import { draft, NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { paymentDraft } from './payment-fixture';

const ledger = useLedger();

const ASKED = REAL_NOW + 5;

/** The same of a subscription and of a one-time payment. */
interface Requests {
  readonly table: string;
  readonly key: string;
  insert(id: string, draftedRealAt?: number): Promise<unknown>;
  open(id: string, paymentId: PaymentId, draftedRealAt?: number): Promise<boolean>;
  discard(id: string): Promise<DiscardResult>;
  isDraft(id: string): Promise<boolean>;
  recorded(id: string): Promise<PaymentId | null>;
}

const opened = (paymentId: PaymentId, draftedRealAt: number) => ({
  paymentId,
  draftedRealAt,
  redirectURL: 'https://bank.example/1',
  requestedRealAt: ASKED,
  at: NOW,
});

const ofSubscriptions: Requests = {
  table: 'subscriptions',
  key: 'subscription_id',
  insert: (id, draftedRealAt = REAL_NOW) =>
    insertDraft(ledger.pool, draft({ subscriptionId: id as SubscriptionId, draftedRealAt }), 0),
  open: async (id, paymentId, draftedRealAt = REAL_NOW) =>
    (await openConsent(ledger.pool, { subscriptionId: id as SubscriptionId, ...opened(paymentId, draftedRealAt) })) !==
    null,
  discard: (id) => discardDraft(ledger.pool, 'subscriptions', id),
  isDraft: async (id) => (await readDraft(ledger.pool, id as SubscriptionId)) !== null,
  recorded: async (id) => (await getSubscription(ledger.pool, id as SubscriptionId))?.paymentId ?? null,
};

const ofPayments: Requests = {
  table: 'payments',
  key: 'request_id',
  insert: (id, draftedRealAt = REAL_NOW) =>
    insertPaymentDraft(ledger.pool, paymentDraft({ requestId: id, draftedRealAt }), 0),
  open: (id, paymentId, draftedRealAt = REAL_NOW) =>
    openPayment(ledger.pool, { requestId: id, ...opened(paymentId, draftedRealAt) }),
  discard: (id) => discardDraft(ledger.pool, 'payments', id),
  isDraft: async (id) => (await readPaymentDraft(ledger.pool, id)) !== null,
  recorded: async (id) => (await getPaymentOfRequest(ledger.pool, id))?.paymentId ?? null,
};

const nextId = () => `pay_${randomUUID()}`;
const nextPayment = () => `at-service-${randomUUID()}` as PaymentId;
const onRecord = (paymentId: PaymentId) => ({ kind: 'on_record', paymentId, requestedRealAt: ASKED });

async function countPayers(): Promise<number> {
  return (await ledger.pool.query<{ n: number }>('select count(*) as n from payers')).rows[0]!.n;
}

describe.each([
  ['a subscription', ofSubscriptions],
  ['a one-time payment', ofPayments],
])('discarding the draft of %s', (_what, requests) => {
  test('removes it with its payer, and finds nothing the second time', async () => {
    const id = nextId();
    const payers = await countPayers();
    await requests.insert(id);
    expect(await requests.discard(id)).toEqual({ kind: 'discarded' });
    expect(await requests.discard(id)).toEqual({ kind: 'discarded' });
    expect(await requests.isDraft(id)).toBe(false);
    expect(await countPayers()).toBe(payers);
  });

  test('removes nothing that is on record, and tells it', async () => {
    const [id, paymentId] = [nextId(), nextPayment()];
    await requests.insert(id);
    await requests.open(id, paymentId);
    expect(await requests.discard(id)).toEqual(onRecord(paymentId));
    expect(await requests.recorded(id)).toBe(paymentId);
  });

  test('waits for a worker who is writing the answer at this moment', async () => {
    const [id, paymentId] = [nextId(), nextPayment()];
    await requests.insert(id);
    const writer = await ledger.pool.connect();
    await writer.query('begin');
    await writer.query(
      `update ${requests.table} set status = 'pending_consent', payment_id = $2, consent_status = 'pending',
         consent_requested_real_at = $3 where ${requests.key} = $1`,
      [id, paymentId, new Date(ASKED).toISOString()],
    );
    const discarding = requests.discard(id);
    await waitUntil('it waits for the row', async () => {
      const { rows } = await ledger.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length > 0;
    });
    await writer.query('commit');
    writer.release();
    expect(await discarding).toEqual(onRecord(paymentId));
  });

  test('and storing the answer at once: one comes first, and both know which', async () => {
    for (let round = 0; round < 25; round += 1) {
      const [id, paymentId] = [nextId(), nextPayment()];
      await requests.insert(id);
      const [isOpened, discarded] = await Promise.all([requests.open(id, paymentId), requests.discard(id)]);
      expect(discarded).toEqual(isOpened ? onRecord(paymentId) : { kind: 'discarded' });
      expect(await requests.recorded(id)).toBe(isOpened ? paymentId : null);
    }
  });

  test('leaves nothing for an answer that comes later, even where another draft has taken its place', async () => {
    const [id, late, paymentId] = [nextId(), nextPayment(), nextPayment()];
    await requests.insert(id, REAL_NOW);
    await requests.discard(id);
    expect(await requests.open(id, late, REAL_NOW)).toBe(false);
    await requests.insert(id, REAL_NOW + 1);
    expect(await requests.open(id, late, REAL_NOW)).toBe(false);
    expect(await requests.isDraft(id)).toBe(true);
    expect(await requests.open(id, paymentId, REAL_NOW + 1)).toBe(true);
    expect(await requests.recorded(id)).toBe(paymentId);
  });
});
