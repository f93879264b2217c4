import { randomUUID } from 'node:crypto';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { explain } from '../../src/domain/audit/events';
import {
  applyChange,
  eraseExpiredPayer,
  findExpiredPayers,
  getSubscription,
  insertDraft,
  erasePayer,
  ERASING_EXPIRED,
  listAttention,
  listEvents,
  listSubscriptions,
  openUnrecordableItem,
  readPayer,
  type SubscriptionDraft,
} from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { draft, NOW, REAL_NOW, subscribe, type Subscribed, useLedger } from './ledger-fixture';
import { authorizedPayment, patchPayment } from './payment-fixture';

/** Payers are erased automatically once everything of theirs has ended and the retention time has passed. */

const ledger = useLedger();
beforeEach(() => emptyLedger(ledger.pool));

const DAYS = 400;
const ENDED = NOW;
const EXPIRED = ENDED + DAYS * DAY;

const payer = (reference: string | null) => ({ payer: { email: 'ada@example.org', reference, language: null } });

async function record(subscriptionId: SubscriptionId, at: Instant, status?: 'cancelled'): Promise<void> {
  const events = [{ type: 'subscription.cancelled' as const, data: { cancelledBy: 'merchant', reason: null } }];
  const subscription = status === undefined ? {} : { status, nextDueAt: null };
  const change = { key: randomUUID(), at, actor: 'dueday', events, subscription };
  await applyChange(ledger.pool, { subscriptionId, ...change });
}

async function createEnded(changes: Partial<SubscriptionDraft> = {}, at: Instant = ENDED): Promise<Subscribed> {
  const subscribed = await subscribe(ledger.pool, changes);
  await record(subscribed.subscriptionId, at, 'cancelled');
  return subscribed;
}

const found = async (now: Instant) => (await findExpiredPayers(ledger.pool, null, now - DAYS * DAY, 100)).payerIds;
const erase = (payerId: string, now: Instant = EXPIRED) =>
  eraseExpiredPayer(ledger.pool, payerId, { days: DAYS, now, realNow: REAL_NOW + HOUR });

/** Expects the payer neither to be found by the search nor to be erased by a caller that found the payer before. */
async function expectKept(payerId: string, now: Instant = EXPIRED): Promise<void> {
  expect(await found(now)).not.toContain(payerId);
  expect(await erase(payerId, now)).toBeNull();
}

test('a payer is erased once the retention time has passed after everything has ended, and not a millisecond earlier', async () => {
  const { subscriptionId, payerId } = await createEnded(payer('customer-7'));
  await expectKept(payerId, EXPIRED - 1);
  expect(await found(EXPIRED)).toEqual([payerId]);
  expect(await erase(payerId)).toMatchObject({ subscriptions: 1, payments: 0 });
  expect(await readPayer(ledger.pool, 'customer-7', REAL_NOW)).toBeNull();
  expect((await getSubscription(ledger.pool, subscriptionId))?.payer).toMatchObject({
    ...{ name: null, email: null, reference: null, language: null },
  });
  const { items } = await listSubscriptions(ledger.pool, { q: 'ada' }, { limit: 5, cursor: null });
  expect(items).toEqual([]);
});

test('the audit log shows that dueday erased the payer, and after how many days', async () => {
  const { subscriptionId, payerId } = await createEnded(payer('customer-7'));
  await erase(payerId);
  const { items } = await listEvents(ledger.pool, { type: 'payer.erased' }, { limit: 2, cursor: null });
  const by = { actor: 'dueday', keyId: null, at: EXPIRED };
  expect(items).toMatchObject([
    { ...by, subscriptionId: null, data: { retentionDays: DAYS, subscriptions: 1, payments: 0 } },
    { ...by, subscriptionId, data: { retentionDays: DAYS } },
  ]);
  expect(explain(items[0]!)).toBe(
    'dueday erased a payer (subscriptions: 1, one-time payments: 0). Everything had ended 400 days before. Records of money are kept.',
  );
  expect(JSON.stringify(items)).not.toMatch(/ada@|customer-7/i);
});

test('an erased payer is not found again', async () => {
  const { payerId } = await createEnded(payer('customer-7'));
  await erase(payerId);
  await expectKept(payerId, EXPIRED + DAYS * DAY);
});

test('everything with one reference is erased together, only once the last of it ended long enough ago', async () => {
  const [first, last] = [await createEnded(payer('customer-7')), await createEnded(payer('customer-7'), ENDED + DAY)];
  expect(await erase(first.payerId)).toBeNull();
  await expectKept(last.payerId);
  expect(await erase(first.payerId, EXPIRED + DAY)).toMatchObject({ subscriptions: 2 });
  expect(await found(EXPIRED + DAY)).toEqual([]);
});

test.each(['dueday', 'an operator'])(
  'the items about payers that the ledger refused to erase end once %s has erased them, for all payers with one reference',
  async (who) => {
    const [first, other] = [await createEnded(payer('customer-7')), await createEnded(payer('customer-7'))];
    for (const { payerId: id } of [first, other])
      await openUnrecordableItem(ledger.pool, { activity: ERASING_EXPIRED, id, about: {} }, 'refused', NOW);
    const openItems = async () =>
      (await listAttention(ledger.pool, { kind: 'unrecordable' }, { limit: 10, cursor: null })).items.length;
    expect(await openItems()).toBe(2);
    const act = { reference: 'customer-7', reason: 'a letter', actor: 'ada', at: EXPIRED, realAt: REAL_NOW + HOUR };
    if (who === 'dueday') expect(await erase(first.payerId)).toMatchObject({ subscriptions: 2 });
    else expect(await erasePayer(ledger.pool, act)).toMatchObject({ kind: 'erased', subscriptions: 2 });
    expect(await openItems()).toBe(0);
  },
);

test('a subscription in force keeps everything with the same reference', async () => {
  const [over, living] = [await createEnded(payer('customer-7')), await subscribe(ledger.pool, payer('customer-7'))];
  expect(await erase(over.payerId)).toBeNull();
  await expectKept(living.payerId);
  expect(await readPayer(ledger.pool, 'customer-7', REAL_NOW)).toMatchObject({ records: [{}, {}] });
});

test('payers without a reference are erased separately', async () => {
  const [over, living] = [await createEnded(payer(null)), await subscribe(ledger.pool, payer(null))];
  expect(await found(EXPIRED)).toEqual([over.payerId]);
  expect(await erase(over.payerId)).toMatchObject({ subscriptions: 1 });
  expect((await getSubscription(ledger.pool, living.subscriptionId))?.payer.email).toBe('ada@example.org');
});

test('any later entry restarts the retention time', async () => {
  const { subscriptionId, payerId } = await createEnded();
  await record(subscriptionId, ENDED + 10 * MINUTE);
  await expectKept(payerId);
  expect(await found(EXPIRED + 10 * MINUTE)).toEqual([payerId]);
});

test('a one-time payment keeps its payer until it has ended, and for the retention time after that', async () => {
  const payment = await authorizedPayment(ledger.pool, payer('customer-8'));
  const { rows } = await ledger.pool.query<{ id: string }>('select payer_id as id from payments');
  const payerId = rows[0]!.id;
  await expectKept(payerId);
  await patchPayment(ledger.pool, payment, { expiredAt: NOW });
  expect(await found(EXPIRED + DAY)).toEqual([payerId]);
  expect(await erase(payerId, EXPIRED + DAY)).toMatchObject({ subscriptions: 0, payments: 1 });
});

test('a payer is not erased automatically while there is a draft or an open attention item of the payer', async () => {
  const drafted = await insertDraft(ledger.pool, draft({ ...payer(null), draftedRealAt: REAL_NOW }), REAL_NOW);
  if (drafted.kind !== 'inserted') throw new Error(drafted.kind);
  await expectKept(drafted.payerId);
  const { subscriptionId, payerId } = await createEnded();
  const subscription = { attention: ['debit_after_cancel:0'] };
  const change = { key: 'attention', at: ENDED, actor: 'dueday', events: [], subscription };
  await applyChange(ledger.pool, { subscriptionId, ...change });
  expect(await erase(payerId)).toBeNull();
});

test('the search for payers to erase finds each one once, over all its pages', async () => {
  const over = [];
  for (let each = 0; each < 5; each += 1) over.push((await createEnded(payer(null))).payerId);
  await subscribe(ledger.pool, payer(null));
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page = await findExpiredPayers(ledger.pool, after, ENDED, 2);
    pages.push([...page.payerIds]);
    after = page.after;
  } while (after !== null);
  expect(pages.flat()).toEqual(over.toSorted());
  expect(pages.every((page) => page.length <= 2)).toBe(true);
  expect(pages.length).toBeGreaterThanOrEqual(3);
});
