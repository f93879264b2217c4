import type { SubscriptionId } from '../../src/domain/ids';
import { DAY } from '../../src/domain/time';
import {
  applyChange,
  numberCursor as cycleCursor,
  creationCursor,
  listCycles,
  listSubscriptions,
  type SubscriptionFilter,
} from '../../src/ledger';
import { euros } from '../../src/domain/money';
import { askConsent, DUE, NOW, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();
const FIRST = { limit: 100, cursor: null };

function id(text: string): SubscriptionId {
  return text as SubscriptionId;
}

async function idsOf(filter: SubscriptionFilter): Promise<string[]> {
  return (await listSubscriptions(ledger.pool, filter, FIRST)).items.map(({ subscriptionId }) => subscriptionId);
}

beforeAll(async () => {
  const pool = ledger.pool;
  await subscribe(pool, { subscriptionId: id('active-old'), createdAt: NOW - 3 * DAY, repetition: 'WEEKLY' });
  await subscribe(pool, { subscriptionId: id('late'), createdAt: NOW - 2 * DAY });
  await askConsent(pool, {
    subscriptionId: id('asked'),
    createdAt: NOW - DAY,
    firstPaymentAt: DUE + DAY,
    payer: { email: 'bo_50%@example.org', reference: 'Kunde\\9' },
    billingAddress: { name: 'Bo Weiß', street: 'Weg 2', postalCode: '1', city: 'Wien', country: 'AT' },
  });
  const behind = { subscriptionId: id('late'), key: 'late', at: NOW, actor: 'dueday', events: [] };
  await applyChange(pool, { ...behind, subscription: { pastDue: true, nextDueAt: DUE + 9 * DAY } });
});

test('subscriptions are listed newest first', async () => {
  expect(await idsOf({})).toEqual(['asked', 'late', 'active-old']);
});

test.each<[SubscriptionFilter, string[]]>([
  [{ status: 'active' }, ['late', 'active-old']],
  [{ status: 'pending_consent' }, ['asked']],
  [{ standing: 'past_due' }, ['late']],
  [{ repetition: 'WEEKLY' }, ['active-old']],
  [{ status: 'active', repetition: 'MONTHLY', standing: 'good' }, []],
  [{ dueBefore: DUE }, []],
  [{ dueBefore: DUE + 1 }, ['active-old']],
  [{ dueBefore: DUE + DAY + 1 }, ['asked', 'active-old']],
  [{ q: 'ACTIVE-' }, ['active-old']],
  [{ q: 'pay-late' }, ['late']],
  [{ q: 'bo weiß' }, ['asked']],
  [{ q: 'BO_50%@' }, ['asked']],
  [{ q: 'kunde\\9' }, ['asked']],
  [{ q: '%' }, []],
  [{ q: 'a_tive' }, []],
  [{ q: `' or true --` }, []],
])('the list of subscriptions can be filtered by %j', async (filter, expected) => {
  expect(await idsOf(filter)).toEqual(expected);
});

test('pages of the list of subscriptions show each once, in order, while others are added and leave', async () => {
  const created = Array.from({ length: 7 }, (_, n) => id(`page-${n}`));
  // All are created at one instant, so that the ids decide their order; after each page one leaves the list.
  for (const subscriptionId of created) await askConsent(ledger.pool, { subscriptionId, createdAt: NOW + DAY });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listSubscriptions(ledger.pool, { q: 'page-' }, { limit: 2, cursor });
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ subscriptionId }) => subscriptionId));
    cursor = page.nextCursor;
    await askConsent(ledger.pool, { subscriptionId: id(`page-new-${seen.length}`), createdAt: NOW + 2 * DAY });
    await ledger.pool.query(`update subscriptions set payment_id = null, status = 'draft' where subscription_id = $1`, [
      seen.at(-1),
    ]);
  } while (cursor !== null);
  expect(seen).toEqual([...created].reverse());
});

test('the last page of the list of subscriptions has no next cursor, even if it is full', async () => {
  const page = await listSubscriptions(ledger.pool, { status: 'active' }, { limit: 2, cursor: null });
  expect(page.items).toHaveLength(2);
  expect(page.nextCursor).toBeNull();
});

test('cycles are listed newest first, page by page', async () => {
  const { subscriptionId } = await subscribe(ledger.pool);
  for (let cycle = 0; cycle < 5; cycle += 1) {
    const dueAt = DUE + cycle * 7 * DAY;
    const record = { cycle, dueAt, collectBy: dueAt + DAY, amount: euros(1), status: 'missed' } as const;
    await applyChange(ledger.pool, {
      subscriptionId,
      key: `c${cycle}`,
      at: NOW,
      actor: 'dueday',
      events: [],
      cycle: record,
    });
  }
  const first = await listCycles(ledger.pool, subscriptionId, { limit: 3, cursor: null });
  expect(first.items.map(({ cycle }) => cycle)).toEqual([4, 3, 2]);
  const last = await listCycles(ledger.pool, subscriptionId, { limit: 3, cursor: first.nextCursor });
  expect(last.items.map(({ cycle }) => cycle)).toEqual([1, 0]);
  expect(last.nextCursor).toBeNull();
});

describe('cursors', () => {
  const subscriptionCursor = Buffer.from(JSON.stringify([NOW, 'a'])).toString('base64url');
  const numberCursor = Buffer.from('[3]').toString('base64url');

  test('a cursor of one list is refused by another list', () => {
    expect([creationCursor.is(subscriptionCursor), cycleCursor.is(subscriptionCursor)]).toEqual([true, false]);
    expect([creationCursor.is(numberCursor), cycleCursor.is(numberCursor)]).toEqual([false, true]);
  });

  test.each([
    '',
    'x',
    '%%%',
    `${numberCursor}=`,
    ...['{}', 'null', '[-1]', '[1.5]', '[1,2]', '["1"]', '[1e300]', '[1,"a\\u0000"]', '[1e15,"a"]', '[ 3]'].map(
      (json) => Buffer.from(json).toString('base64url'),
    ),
  ])('the text %j is not a cursor, and is refused', async (text) => {
    expect([creationCursor.is(text), cycleCursor.is(text)]).toEqual([false, false]);
    await expect(listSubscriptions(ledger.pool, {}, { limit: 1, cursor: text })).rejects.toThrow(RangeError);
  });
});
