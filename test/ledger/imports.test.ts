import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  adoptDraft,
  discardDraft,
  findMandates,
  getSubscription,
  type ImportDraft,
  insertDraft,
  insertImportDraft,
  listEvents,
  readImportDraft,
} from '../../src/ledger';
import { DUE, draft, NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();
const KEEP = { same: false, otherDraftedBeforeReal: 0 };
const REPLACE = { same: true, otherDraftedBeforeReal: 0 };

function importDraft(changes: Partial<ImportDraft> = {}): ImportDraft {
  const rest = draft(changes);
  const adoption = { consentAmount: null, collectFrom: NOW - 1, lastIncreaseAt: null, actor: 'ops' };
  const paymentId = `pay-${rest.subscriptionId}` as PaymentId;
  return { ...rest, paymentId, amount: euros(1500), adoption, ...changes };
}

/** What the workflow of this draft has adopted. */
function adoptionOf(wanted: ImportDraft, changes: Partial<Parameters<typeof adoptDraft>[1]> = {}) {
  return {
    paymentId: wanted.paymentId,
    terms: wanted,
    amount: wanted.amount,
    cycle: 3,
    dueAt: DUE,
    collectFrom: NOW - 1,
    actor: 'ops',
    at: NOW,
    adopted: { consentAmount: euros(1999), collectedOnce: true, lastIncreaseAt: NOW - DAY, warnings: ['late'] },
    ...changes,
  };
}

async function countPayers(): Promise<number> {
  return (await ledger.pool.query<{ n: number }>('select count(*) as n from payers')).rows[0]!.n;
}

test('a draft is seen by nobody, and found by its id and by its payment', async () => {
  const wanted = importDraft();
  const { subscriptionId, paymentId } = wanted;
  expect(await insertImportDraft(ledger.pool, wanted, KEEP)).toBe(true);
  expect(await getSubscription(ledger.pool, subscriptionId)).toBeNull();
  const row = { subscriptionId, paymentId, isDraft: true, warnings: [] };
  expect(await findMandates(ledger.pool, { subscriptionId, paymentId: 'x' as PaymentId })).toEqual([row]);
  expect(await findMandates(ledger.pool, { subscriptionId: 'x' as SubscriptionId, paymentId })).toEqual([row]);
  expect(await findMandates(ledger.pool, { subscriptionId, paymentId })).toEqual([row]);
});

test('becomes an active subscription with what the workflow has, in one with its trail', async () => {
  const wanted = importDraft({ warnings: ['early'], consentAmount: euros(1), endAt: DUE + 365 * DAY });
  const { subscriptionId } = wanted;
  await insertImportDraft(ledger.pool, wanted, KEEP);
  const adopted = await adoptDraft(ledger.pool, adoptionOf(wanted));
  expect(adopted).toEqual({
    consentAmount: euros(1999),
    collectedOnce: true,
    lastIncreaseAt: NOW - DAY,
    warnings: ['early', 'late'],
    other: null,
  });
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({
    status: 'active',
    paymentId: wanted.paymentId,
    amount: euros(1500),
    consentAmount: euros(1999),
    nextDueAt: DUE,
    cyclesCollected: 0,
    warnings: ['early', 'late'],
    payer: { name: 'Ada Example' },
    consent: { status: 'successful', checkedAt: NOW, redirectURL: null },
  });
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items).toEqual([expect.objectContaining({ actor: 'ops', type: 'subscription.imported', at: NOW })]);
  expect(items[0]?.data).toMatchObject({ paymentId: wanted.paymentId, cycle: 3, collectedElsewhere: true });
  expect(JSON.stringify(items)).not.toMatch(/Ada|Ring 1|example\.org/);
});

test('a draft is adopted once, and is none then', async () => {
  const wanted = importDraft();
  await insertImportDraft(ledger.pool, wanted, KEEP);
  expect(await readImportDraft(ledger.pool, wanted.subscriptionId)).toMatchObject({
    paymentId: wanted.paymentId,
    amount: euros(1500),
    adoption: { consentAmount: null, collectFrom: NOW - 1, actor: 'ops' },
  });
  expect(await adoptDraft(ledger.pool, adoptionOf(wanted))).toMatchObject({ other: null });
  expect(await adoptDraft(ledger.pool, adoptionOf(wanted, { amount: euros(7) }))).toBeNull();
  expect(await readImportDraft(ledger.pool, wanted.subscriptionId)).toBeNull();
  const { items } = await listEvents(ledger.pool, wanted, { limit: 5, cursor: null });
  expect(items).toHaveLength(1);
});

test('a discarded draft is not adopted', async () => {
  const wanted = importDraft();
  const payers = await countPayers();
  await insertImportDraft(ledger.pool, wanted, KEEP);
  expect(await discardDraft(ledger.pool, 'subscriptions', wanted.subscriptionId)).toEqual({ kind: 'discarded' });
  expect(await adoptDraft(ledger.pool, adoptionOf(wanted))).toBeNull();
  expect(await countPayers()).toBe(payers);
});

describe('what is in the way', () => {
  test('a draft of the same mandate, unless it has expired', async () => {
    const first = importDraft();
    const second = { ...first, amount: euros(1600) };
    await insertImportDraft(ledger.pool, first, KEEP);
    const payers = await countPayers();
    expect(await insertImportDraft(ledger.pool, second, KEEP)).toBe(false);
    expect(await insertImportDraft(ledger.pool, second, REPLACE)).toBe(true);
    expect(await countPayers()).toBe(payers);
  });

  test('a draft of the payment under another id, until it is old', async () => {
    const first = importDraft();
    const second = importDraft({ paymentId: first.paymentId });
    await insertImportDraft(ledger.pool, first, KEEP);
    const before = (otherDraftedBeforeReal: number) => ({ same: true, otherDraftedBeforeReal });
    expect(await insertImportDraft(ledger.pool, second, before(REAL_NOW))).toBe(false);
    expect(await insertImportDraft(ledger.pool, second, before(REAL_NOW + 1))).toBe(true);
    expect(await findMandates(ledger.pool, first)).toMatchObject([{ subscriptionId: second.subscriptionId }]);
  });

  test('a draft of a subscription to be created, always', async () => {
    const created = draft();
    await insertDraft(ledger.pool, created, REAL_NOW);
    const { subscriptionId } = created;
    const late = { same: true, otherDraftedBeforeReal: REAL_NOW + DAY };
    expect(await insertImportDraft(ledger.pool, importDraft({ subscriptionId }), late)).toBe(false);
  });

  test('a subscription, by its id and by its payment', async () => {
    const { subscriptionId, paymentId } = await subscribe(ledger.pool);
    const payers = await countPayers();
    const late = { same: true, otherDraftedBeforeReal: REAL_NOW + DAY };
    expect(await insertImportDraft(ledger.pool, importDraft({ subscriptionId }), late)).toBe(false);
    expect(await insertImportDraft(ledger.pool, importDraft({ paymentId }), late)).toBe(false);
    expect(await countPayers()).toBe(payers);
    expect((await getSubscription(ledger.pool, subscriptionId))?.status).toBe('active');
  });

  test('of ten imports of one mandate at once, one is stored', async () => {
    const wanted = importDraft();
    const payers = await countPayers();
    const all = await Promise.all(Array.from({ length: 10 }, () => insertImportDraft(ledger.pool, wanted, KEEP)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await countPayers()).toBe(payers + 1);
  });
});
