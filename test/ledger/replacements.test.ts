import type { SubscriptionId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import {
  applyChange,
  answerDraft,
  getSubscription,
  insertDraft,
  importAlone,
  listEvents,
  takeDraftOutcome,
  recordConsent,
  type SubscriptionDraft,
} from '../../src/ledger';
import { askConsent, count, draft, NOW, REAL_NOW, type Subscribed, subscribe, useLedger } from './ledger-fixture';
import { mandateOf } from './mandate';

const ledger = useLedger();

const put = (wanted: SubscriptionDraft) => insertDraft(ledger.pool, wanted, 0);

const takeOver = (replaces: SubscriptionId) =>
  importAlone(ledger.pool, mandateOf({ replaces }), { actor: 'ops', at: NOW });

function patch({ subscriptionId }: Subscribed, subscription: Parameters<typeof applyChange>[1]['subscription']) {
  const change = { subscriptionId, key: JSON.stringify(subscription), at: NOW, actor: 'ops', events: [] };
  return applyChange(ledger.pool, { ...change, ...(subscription && { subscription }) });
}

/** Records that the payer has approved. */
function grant({ subscriptionId }: { subscriptionId: SubscriptionId }) {
  return recordConsent(ledger.pool, subscriptionId, { kind: 'granted' }, NOW);
}

/** Creates two pending replacements, as two processes may leave behind if one of them was taken for dead. */
async function createBothPending(replaces: SubscriptionId): Promise<[Subscribed, Subscribed]> {
  const first = await askConsent(ledger.pool, { replaces });
  await ledger.pool.query('update subscriptions set replaces = null where subscription_id = $1', [
    first.subscriptionId,
  ]);
  const second = await askConsent(ledger.pool, { replaces });
  await ledger.pool.query('update subscriptions set replaces = $2 where subscription_id = $1', [
    first.subscriptionId,
    replaces,
  ]);
  return [first, second];
}

const cancellation = { at: NOW, actor: 'ops', reason: null };

it('another replacement of the same subscription is refused with the pending one and its redirect address, and leaves nothing in the ledger', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const pending = await askConsent(ledger.pool, { replaces });
  const { rows: before } = await ledger.pool.query('select from payers');
  const other = { subscriptionId: pending.subscriptionId, status: 'pending_consent' };
  const refused = { kind: 'replaced_by_another', other: { ...other, redirectURL: 'https://bank.example/approve' } };
  const next = draft({ replaces });
  expect(await put(next)).toEqual(refused);
  expect(await takeOver(replaces)).toEqual(refused);
  expect(await count(ledger.pool, 'subscriptions', next.subscriptionId)).toBe(0);
  expect((await ledger.pool.query('select from payers')).rows).toHaveLength(before.length);
});

it('another replacement of the same subscription is refused while the first is active or paused, and possible once the first is being cancelled', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const first = await askConsent(ledger.pool, { replaces });
  for (const status of ['active', 'paused'] as const) {
    await patch(first, { status });
    expect(await put(draft({ replaces }))).toMatchObject({ kind: 'replaced_by_another', other: { status } });
  }
  await patch(first, { stoppedBy: 'cancel', cancellation });
  expect(await put(draft({ replaces }))).toMatchObject({ kind: 'inserted' });
});

it.each([
  ['is being cancelled', { stoppedBy: 'cancel', cancellation }],
  ['was not approved', { status: 'consent_failed' }],
  ['was cancelled', { status: 'cancelled', cancelledBy: 'merchant' }],
] as const)('another replacement of a subscription is accepted as soon as the pending one %s', async (_name, end) => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  await patch(await askConsent(ledger.pool, { replaces }), end);
  expect(await put(draft({ replaces }))).toMatchObject({ kind: 'inserted' });
});

it('another replacement of the same subscription is refused while one is a draft, until that draft is discarded or its process has certainly ended', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const first = draft({ replaces });
  expect(await put(first)).toMatchObject({ kind: 'inserted' });
  expect(await put(first)).toMatchObject({ kind: 'exists' });
  const refused = { kind: 'replaced_by_another', other: { status: 'draft', redirectURL: null } };
  expect(await put(draft({ replaces, draftedRealAt: REAL_NOW + 5 * MINUTE - 1 }))).toMatchObject(refused);
  const drafted = { table: 'subscriptions', key: first.subscriptionId, draftedRealAt: first.draftedRealAt } as const;
  await answerDraft(ledger.pool, drafted, { kind: 'unavailable', reason: 'down' });
  await takeDraftOutcome(ledger.pool, drafted);
  const second = draft({ replaces });
  expect(await put(second)).toMatchObject({ kind: 'inserted' });
  expect(await put(draft({ replaces, draftedRealAt: REAL_NOW + 5 * MINUTE - 1 }))).toMatchObject(refused);
  expect(await put(draft({ replaces, draftedRealAt: REAL_NOW + 5 * MINUTE }))).toMatchObject({ kind: 'inserted' });
});

it('of many simultaneous replacements of the same subscription, created or imported, one is accepted', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const orders = Array.from({ length: 6 }, () => put(draft({ replaces })).then(({ kind }) => kind === 'inserted'));
  const imports = Array.from({ length: 6 }, () => takeOver(replaces).then(({ kind }) => kind === 'imported'));
  expect((await Promise.all([...orders, ...imports])).filter(Boolean)).toHaveLength(1);
});

it('of two replacements that are granted at the same moment, one becomes active and the other is stopped and will be cancelled', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { subscriptionId: replaces } = await subscribe(ledger.pool);
    const both = await createBothPending(replaces);
    await Promise.all(both.map((each) => grant(each)));
    const stopped = await Promise.all(both.map((each) => getSubscription(ledger.pool, each.subscriptionId)));
    const loser = both[stopped.findIndex((record) => record?.stoppedBy === 'cancel')]!;
    const records = await Promise.all(both.map((each) => getSubscription(ledger.pool, each.subscriptionId)));
    expect(records.filter((record) => record?.status === 'active')).toHaveLength(1);
    const lost = await getSubscription(ledger.pool, loser.subscriptionId);
    expect(lost).toMatchObject({ status: 'pending_consent', stoppedBy: 'cancel' });
    const { items } = await listEvents(ledger.pool, loser, { limit: 10, cursor: null });
    expect(items[0]).toMatchObject({
      type: 'subscription.cancel_requested',
      actor: 'dueday',
      data: { reason: 'replaced_by_another' },
    });
    expect(items.map(({ type }) => type)).not.toContain('consent.granted');
    const { rows } = await ledger.pool.query('select type from notices where subscription_id = $1', [
      loser.subscriptionId,
    ]);
    expect(rows).toEqual([]);
  }
});

it('a replacement that was granted second is not activated later, even after the first one has ended', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const [first, second] = await createBothPending(replaces);
  await grant(first);
  await grant(second);
  expect(await grant(second)).toEqual({ changed: null, other: null });
  await patch(first, { status: 'cancelled', cancelledBy: 'payer' });
  expect(await grant(second)).toEqual({ changed: null, other: null });
  expect(await getSubscription(ledger.pool, second.subscriptionId)).toMatchObject({ status: 'pending_consent' });
});

it('a replacement that is granted after its cancellation replaces nothing, and does not prevent another one', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const [first, second] = await createBothPending(replaces);
  await patch(second, { stoppedBy: 'cancel', cancellation });
  await grant(second);
  expect(await getSubscription(ledger.pool, second.subscriptionId)).toMatchObject({ stoppedBy: 'cancel' });
  await grant(first);
  expect(await getSubscription(ledger.pool, first.subscriptionId)).toMatchObject({
    status: 'active',
    stoppedBy: null,
  });
});

it('the import of a replacement is refused after another replacement was granted, and names that one', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const ordered = await askConsent(ledger.pool, { replaces });
  await grant(ordered);
  const { subscriptionId } = ordered;
  expect(await takeOver(replaces)).toMatchObject({ kind: 'replaced_by_another', other: { subscriptionId } });
});

it('the import of a replacement stores nothing while another one that was granted is being cancelled', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const ordered = await askConsent(ledger.pool, { replaces });
  await grant(ordered);
  await patch(ordered, { stoppedBy: 'cancel' });
  const before = (await ledger.pool.query('select from payers')).rowCount;
  const { subscriptionId } = ordered;
  expect(await takeOver(replaces)).toMatchObject({ kind: 'replaced_by_another', other: { subscriptionId } });
  expect((await ledger.pool.query('select from payers')).rowCount).toBe(before);
});

it('the import of a replacement starts the cancellation of the subscription that it replaces', async () => {
  const { subscriptionId: replaces } = await subscribe(ledger.pool);
  const outcome = await takeOver(replaces);
  expect(outcome).toMatchObject({ kind: 'imported', other: { subscriptionId: replaces } });
  expect(await getSubscription(ledger.pool, replaces)).toMatchObject({ stoppedBy: 'cancel' });
});
