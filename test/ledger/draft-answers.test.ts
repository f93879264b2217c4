import { randomUUID } from 'node:crypto';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import {
  answerDraft,
  type DraftOutcome,
  getPaymentOfRequest,
  getSubscription,
  insertDraft,
  insertPaymentDraft,
  openConsent,
  openPayment,
  readDraft,
  readPaymentDraft,
  takeDraftOutcome,
} from '../../src/ledger';
import { hookedPool } from '../activities/crash-points';
import { waitUntil } from '../support/wait-until';
import { draft, NOW, REAL_NOW, useLedger } from './ledger-fixture';
import { paymentDraft } from './payment-fixture';

const ledger = useLedger();

const ASKED = REAL_NOW + 5;

/** The same operations for a subscription and for a one-time payment. */
interface Requests {
  readonly table: 'subscriptions' | 'payments';
  readonly key: string;
  insert(id: string, draftedRealAt?: number): Promise<unknown>;
  open(id: string, paymentId: PaymentId, draftedRealAt?: number): Promise<boolean>;
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
  isDraft: async (id) => (await readPaymentDraft(ledger.pool, id)) !== null,
  recorded: async (id) => (await getPaymentOfRequest(ledger.pool, id))?.paymentId ?? null,
};

const nextId = () => `pay_${randomUUID()}`;
const nextPayment = () => `at-service-${randomUUID()}` as PaymentId;

const LOST = { kind: 'unavailable', reason: "the service's answer was lost" } as const;

/** Gives up the draft, and takes its outcome. */
async function giveUp({ table }: Requests, key: string, draftedRealAt = REAL_NOW): Promise<DraftOutcome> {
  const ref = { table, key, draftedRealAt };
  await answerDraft(ledger.pool, ref, LOST);
  return takeDraftOutcome(ledger.pool, ref);
}

async function countPayers(): Promise<number> {
  return (await ledger.pool.query<{ n: number }>('select count(*) as n from payers')).rows[0]!.n;
}

describe.each([
  ['a subscription', ofSubscriptions],
  ['a one-time payment', ofPayments],
])('giving up the draft of %s', (_what, requests) => {
  test('a draft that is given up is removed with its payer once its outcome is taken, and the outcome is returned once', async () => {
    const id = nextId();
    const payers = await countPayers();
    await requests.insert(id);
    expect(await giveUp(requests, id)).toEqual(LOST);
    expect(await giveUp(requests, id)).toBe('gone');
    expect(await requests.isDraft(id)).toBe(false);
    expect(await countPayers()).toBe(payers);
  });

  test('giving up a draft changes nothing that is already recorded', async () => {
    const [id, paymentId] = [nextId(), nextPayment()];
    await requests.insert(id);
    await requests.open(id, paymentId);
    expect(await giveUp(requests, id)).toBe('opened');
    expect(await requests.recorded(id)).toBe(paymentId);
  });

  test('a draft that was given up may be replaced by another one with the same key before its outcome is taken', async () => {
    const [id, paymentId] = [nextId(), nextPayment()];
    await requests.insert(id, REAL_NOW);
    await answerDraft(ledger.pool, { table: requests.table, key: id, draftedRealAt: REAL_NOW }, LOST);
    await requests.insert(id, REAL_NOW + 1);
    expect(await takeDraftOutcome(ledger.pool, { table: requests.table, key: id, draftedRealAt: REAL_NOW })).toBe(
      'gone',
    );
    expect(await requests.open(id, paymentId, REAL_NOW + 1)).toBe(true);
  });

  test('the answer of another draft with the same key is not removed by a caller that has just read the answer of the first', async () => {
    const id = nextId();
    const refOf = (draftedRealAt: number) => ({ table: requests.table, key: id, draftedRealAt });
    const [first, second] = [refOf(REAL_NOW), refOf(REAL_NOW + 1)];
    await requests.insert(id, first.draftedRealAt);
    await answerDraft(ledger.pool, first, LOST);
    const after = async () => {
      await requests.insert(id, second.draftedRealAt);
      await answerDraft(ledger.pool, second, LOST);
    };
    const pool = hookedPool(ledger.pool, { matches: /draft_answer as answer/, after });
    expect(await takeDraftOutcome(pool, first)).toEqual(LOST);
    expect(await takeDraftOutcome(ledger.pool, second)).toEqual(LOST);
  });

  test('giving up a draft waits for a worker that is writing the answer', async () => {
    const [id, paymentId] = [nextId(), nextPayment()];
    await requests.insert(id);
    const writer = await ledger.pool.connect();
    await writer.query('begin');
    await writer.query(
      `update ${requests.table} set status = 'pending_consent', payment_id = $2, consent_status = 'pending',
         consent_requested_real_at = $3 where ${requests.key} = $1`,
      [id, paymentId, new Date(ASKED).toISOString()],
    );
    const givenUp = giveUp(requests, id);
    await waitUntil('it waits for the row', async () => {
      const { rows } = await ledger.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length > 0;
    });
    await writer.query('commit');
    writer.release();
    expect(await givenUp).toBe('opened');
  });

  test('if a draft is given up while its answer is being stored, one of the two wins, and both callers learn which', async () => {
    for (let round = 0; round < 25; round += 1) {
      const [id, paymentId] = [nextId(), nextPayment()];
      await requests.insert(id);
      const [isOpened, outcome] = await Promise.all([requests.open(id, paymentId), giveUp(requests, id)]);
      expect(outcome).toEqual(isOpened ? 'opened' : LOST);
      expect(await requests.recorded(id)).toBe(isOpened ? paymentId : null);
    }
  });

  test('an answer that arrives after its draft was given up is not stored, even if another draft has replaced the draft', async () => {
    const [id, late, paymentId] = [nextId(), nextPayment(), nextPayment()];
    await requests.insert(id, REAL_NOW);
    await giveUp(requests, id);
    expect(await requests.open(id, late, REAL_NOW)).toBe(false);
    await requests.insert(id, REAL_NOW + 1);
    expect(await requests.open(id, late, REAL_NOW)).toBe(false);
    expect(await requests.isDraft(id)).toBe(true);
    expect(await requests.open(id, paymentId, REAL_NOW + 1)).toBe(true);
    expect(await requests.recorded(id)).toBe(paymentId);
  });
});
