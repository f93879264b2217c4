import type { PaymentId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  getSubscription,
  insertDraft,
  listEvents,
  listSubscriptions,
  beginDeletion,
  openConsent,
  purgeDrafts,
  readDraft,
  recordConsentAnswer,
  recordDeletionRefused,
} from '../../src/ledger';
import { askConsent, DUE, draft, NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';
import { written } from './written';

const ledger = useLedger();
const OPENED = {
  draftedRealAt: REAL_NOW,
  paymentId: 'pay-1' as PaymentId,
  redirectURL: 'https://bank.example/1',
  requestedRealAt: REAL_NOW,
  at: NOW,
};

async function countPayers(): Promise<number> {
  return (await ledger.pool.query<{ n: number }>('select count(*) as n from payers')).rows[0]!.n;
}

test('a draft returns everything that the payment request needs', async () => {
  const full = draft({
    endAt: DUE + 365 * DAY,
    shippingAddress: {
      name: 'Bo',
      street: 'Weg 2',
      postalCode: '1010',
      city: 'Wien',
      country: 'AT',
      email: 'b@example.org',
    },
    warnings: ['endAt cuts the last window'],
    replaces: draft().subscriptionId,
  });
  await insertDraft(ledger.pool, full, REAL_NOW);
  expect(await readDraft(ledger.pool, full.subscriptionId)).toEqual(full);
  const plain = draft({ payer: { email: null, reference: null, language: null } });
  await insertDraft(ledger.pool, plain, REAL_NOW);
  expect(await readDraft(ledger.pool, plain.subscriptionId)).toEqual(plain);
});

test('a draft is in no list and cannot be read as a subscription', async () => {
  const hidden = draft({ payer: { email: null, reference: 'hidden-draft' } });
  await insertDraft(ledger.pool, hidden, REAL_NOW);
  expect(await getSubscription(ledger.pool, hidden.subscriptionId)).toBeNull();
  expect((await listSubscriptions(ledger.pool, { q: 'hidden-draft' }, { limit: 5, cursor: null })).items).toEqual([]);
});

test('a draft becomes a subscription once the consent session is open', async () => {
  const wanted = draft();
  const { subscriptionId } = wanted;
  await insertDraft(ledger.pool, wanted, REAL_NOW);
  expect(await openConsent(ledger.pool, { subscriptionId, ...OPENED })).toEqual({ other: null });
  expect(await readDraft(ledger.pool, subscriptionId)).toBeNull();
  expect(await getSubscription(ledger.pool, subscriptionId)).toEqual({
    subscriptionId,
    paymentId: 'pay-1',
    workflowId: wanted.workflowId,
    status: 'pending_consent',
    standing: 'good',
    attention: [],
    dunning: false,
    pastDue: false,
    heldUntil: null,
    stoppedBy: null,
    repetition: 'MONTHLY',
    amount: euros(1999),
    consentAmount: euros(1999),
    startAt: wanted.startAt,
    firstPaymentAt: DUE,
    endAt: null,
    nextDueAt: DUE,
    onExhausted: 'continue',
    cyclesCollected: 0,
    pendingChange: null,
    lastIncreaseAt: null,
    consent: {
      status: 'pending',
      reason: null,
      redirectURL: OPENED.redirectURL,
      checkedAt: null,
      requestedRealAt: REAL_NOW,
      merchantDeleted: false,
    },
    pausedUntil: null,
    cancelledBy: null,
    replaces: null,
    replacedBy: null,
    payer: {
      payerId: expect.any(String),
      name: 'Ada Example',
      email: 'ada@example.org',
      reference: 'customer-7',
      language: null,
    },
    metadata: {},
    warnings: [],
    createdAt: wanted.createdAt,
  });
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items.map(({ type, data }) => [type, data])).toEqual([['consent.requested', { paymentId: 'pay-1' }]]);
});

test('the consent of a draft is opened only once', async () => {
  const { subscriptionId, paymentId } = await askConsent(ledger.pool);
  const before = await written(ledger.pool, { subscriptionId });
  expect(await openConsent(ledger.pool, { subscriptionId, ...OPENED, paymentId: 'pay-other' as PaymentId })).toBeNull();
  expect(await written(ledger.pool, { subscriptionId })).toEqual(before);
  expect((await getSubscription(ledger.pool, subscriptionId))?.paymentId).toBe(paymentId);
});

test('opening the consent of a replacement is recorded with the subscription to be replaced, and raises its revision', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const wanted = draft({ replaces, firstPaymentAt: DUE + DAY });
  await insertDraft(ledger.pool, wanted, REAL_NOW);
  const by = wanted.subscriptionId;
  const opened = await openConsent(ledger.pool, { subscriptionId: by, ...OPENED, paymentId: 'pay-new' as PaymentId });
  expect(opened).toEqual({ other: { subscriptionId: replaces, revision: 1 } });
  const { row, entries } = await written(ledger.pool, { subscriptionId: replaces });
  expect(row).toMatchObject({ replacements: [{ by, from: DUE + DAY }], stopped_by: null, revision: 1 });
  expect(entries.at(-1)).toMatchObject({ type: 'subscription.replacement_requested', data: { by } });
});

test('a draft with the id of a subscription is refused, and leaves no payer behind', async () => {
  const { subscriptionId } = await askConsent(ledger.pool);
  const payers = await countPayers();
  expect(await insertDraft(ledger.pool, draft({ subscriptionId }), REAL_NOW + DAY)).toEqual({
    kind: 'exists',
    status: 'pending_consent',
  });
  expect(await countPayers()).toBe(payers);
});

test('a draft is replaced with its payer once it is stale, and not a millisecond before', async () => {
  const first = draft();
  const second = draft({ subscriptionId: first.subscriptionId, consentAmount: euros(5) });
  await insertDraft(ledger.pool, first, REAL_NOW);
  const payers = await countPayers();
  expect(await insertDraft(ledger.pool, second, REAL_NOW)).toEqual({ kind: 'exists', status: 'draft' });
  expect((await insertDraft(ledger.pool, second, REAL_NOW + 1)).kind).toBe('inserted');
  expect((await readDraft(ledger.pool, first.subscriptionId))?.consentAmount).toEqual(euros(5));
  expect(await countPayers()).toBe(payers);
});

test('of ten concurrent drafts with one id, one is stored', async () => {
  const { subscriptionId } = draft();
  const payers = await countPayers();
  const all = await Promise.all(
    Array.from({ length: 10 }, () => insertDraft(ledger.pool, draft({ subscriptionId }), REAL_NOW)),
  );
  expect(all.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
  expect(await countPayers()).toBe(payers + 1);
});

test('of ten concurrent replacements of one stale draft, one succeeds', async () => {
  const { subscriptionId } = draft();
  await insertDraft(ledger.pool, draft({ subscriptionId }), REAL_NOW);
  const later = { subscriptionId, draftedRealAt: REAL_NOW + 10 };
  const all = await Promise.all(Array.from({ length: 10 }, () => insertDraft(ledger.pool, draft(later), REAL_NOW + 5)));
  expect(all.filter(({ kind }) => kind === 'inserted')).toHaveLength(1);
});

test('a subscription stores the last answer about its consent, and ignores an older one', async () => {
  const { subscriptionId } = await askConsent(ledger.pool);
  await recordConsentAnswer(ledger.pool, { subscriptionId, status: 'successful', at: NOW, reason: null });
  await recordConsentAnswer(ledger.pool, { subscriptionId, status: 'pending', at: NOW - 1, reason: null });
  expect((await getSubscription(ledger.pool, subscriptionId))?.consent).toMatchObject({
    status: 'successful',
    checkedAt: NOW,
  });
  const ended = { subscriptionId, status: 'cancelled', at: NOW + 1, reason: 'cancelled_by_payer' } as const;
  await recordConsentAnswer(ledger.pool, ended);
  expect((await getSubscription(ledger.pool, subscriptionId))?.consent).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled_by_payer',
    checkedAt: NOW + 1,
  });
});

test('a subscription stores since when a DELETE may have ended its consent, until the service has refused the deletion', async () => {
  const { subscriptionId } = await askConsent(ledger.pool);
  const known = async () => (await getSubscription(ledger.pool, subscriptionId))?.consent.merchantDeleted;
  const deletion = { since: REAL_NOW, mayHaveEnded: false };
  expect(await beginDeletion(ledger.pool, subscriptionId, REAL_NOW)).toEqual(deletion);
  expect(await known()).toBe(true);
  expect(await beginDeletion(ledger.pool, subscriptionId, REAL_NOW + 1)).toEqual({ ...deletion, mayHaveEnded: true });
  await recordDeletionRefused(ledger.pool, subscriptionId);
  expect(await known()).toBe(false);
  expect(await beginDeletion(ledger.pool, subscriptionId, REAL_NOW + 2)).toEqual(deletion);
});

test('drafts are removed with their payers once they are old; subscriptions are not', async () => {
  const left = draft({ draftedRealAt: REAL_NOW - DAY - 1 });
  const young = draft({ draftedRealAt: REAL_NOW - DAY });
  await insertDraft(ledger.pool, left, REAL_NOW);
  await insertDraft(ledger.pool, young, REAL_NOW);
  const { subscriptionId } = await askConsent(ledger.pool, { draftedRealAt: REAL_NOW - 9 * DAY });
  const payers = await countPayers();

  expect(await purgeDrafts(ledger.pool, 'subscriptions', REAL_NOW - DAY, 1_000)).toBe(1);

  expect(await readDraft(ledger.pool, left.subscriptionId)).toBeNull();
  expect(await readDraft(ledger.pool, young.subscriptionId)).not.toBeNull();
  expect(await getSubscription(ledger.pool, subscriptionId)).not.toBeNull();
  expect(await countPayers()).toBe(payers - 1);
  expect(await purgeDrafts(ledger.pool, 'subscriptions', REAL_NOW - DAY, 1_000)).toBe(0);
});
