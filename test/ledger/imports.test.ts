import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';
import {
  confirmStarts,
  findMandates,
  getSubscription,
  importMandates,
  insertDraft,
  isRefusedByLedger,
  listEvents,
  MANDATES_PER_TRANSACTION,
  type NewMandate,
  readLive,
  STARTS_PER_SECOND,
  takeStarts,
} from '../../src/ledger';
import { DUE, draft, NOW, REAL_NOW, subscribe, useLedger } from './ledger-fixture';
import { mandateOf } from './mandate';

const ledger = useLedger();
const BY = { actor: 'ops', keyId: null, at: NOW };

const store = (...mandates: NewMandate[]) => importMandates(ledger.pool, mandates, BY);
const many = (count: number, changes: Partial<NewMandate> = {}) =>
  Array.from({ length: count }, () => mandateOf(changes));

async function count(table: string): Promise<number> {
  return (await ledger.pool.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]!.n;
}

test('an imported mandate is an active subscription, with its audit entry and its event', async () => {
  const wanted = mandateOf({
    amount: euros(1500),
    consentAmount: euros(1999),
    endAt: DUE + 365 * DAY,
    consent: { collectedOnce: true, lastIncreaseAt: NOW - DAY, warnings: ['late'] },
  });
  const { subscriptionId } = wanted;
  expect(await store(wanted)).toEqual(new Set([subscriptionId]));
  expect(await getSubscription(ledger.pool, subscriptionId)).toMatchObject({
    status: 'active',
    paymentId: wanted.paymentId,
    amount: euros(1500),
    consentAmount: euros(1999),
    nextDueAt: DUE,
    cyclesCollected: 0,
    warnings: ['late'],
    lastIncreaseAt: NOW - DAY,
    payer: { name: 'Ada Example' },
    consent: { status: 'successful', checkedAt: NOW, redirectURL: null },
  });
  const { items } = await listEvents(ledger.pool, { subscriptionId }, { limit: 5, cursor: null });
  expect(items).toEqual([expect.objectContaining({ actor: 'ops', type: 'subscription.imported', at: NOW })]);
  expect(items[0]?.data).toMatchObject({ paymentId: wanted.paymentId, cycle: 3, collectedElsewhere: true });
  expect(JSON.stringify(items)).not.toMatch(/Ada|Ring 1|example\.org/);
  const { rows } = await ledger.pool.query<{ type: string }>(
    'select type from merchant_events where subscription_id = $1',
    [subscriptionId],
  );
  expect(rows.map(({ type }) => type).toSorted()).toEqual(['subscription.activated', 'subscription.created']);
});

test('a hundred mandates are imported in one transaction', async () => {
  expect(MANDATES_PER_TRANSACTION).toBe(100);
  const stored = [...(await importMandates(ledger.pool, many(100), BY))];
  expect(stored).toHaveLength(100);
  // xmin of each row is the id of the transaction that wrote it.
  const { rows } = await ledger.pool.query<{ count: number }>(
    `select count(distinct xmin::text)::integer as count from (
       select xmin from subscriptions where subscription_id = any ($1)
       union all select xmin from events where subscription_id = any ($1)
       union all select xmin from workflow_starts where subscription_id = any ($1)
     ) as written`,
    [stored],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('events of a batch are in the order of its lines', async () => {
  const wanted = many(20);
  await store(...wanted);
  const ids = wanted.map(({ subscriptionId }) => subscriptionId);
  const { rows } = await ledger.pool.query<{ subscription_id: string }>(
    `select subscription_id from events where subscription_id = any ($1) order by id`,
    [ids],
  );
  expect(rows.map(({ subscription_id }) => subscription_id)).toEqual(ids);
});

test('an existing subscription is left unchanged, without a payer for the mandate, and stops no other import', async () => {
  const { subscriptionId, paymentId } = await subscribe(ledger.pool);
  const created = draft();
  await insertDraft(ledger.pool, created, REAL_NOW);
  const payers = await count('payers');
  const free = mandateOf();
  const stored = await store(
    mandateOf({ subscriptionId }),
    mandateOf({ paymentId }),
    mandateOf({ subscriptionId: created.subscriptionId }),
    free,
    { ...free, paymentId: 'pay-another' as PaymentId },
  );
  expect(stored).toEqual(new Set([free.subscriptionId]));
  expect(await count('payers')).toBe(payers + 1);
  expect((await getSubscription(ledger.pool, free.subscriptionId))?.paymentId).toBe(free.paymentId);
});

test('an existing subscription is found by its id and by its payment', async () => {
  const wanted = mandateOf();
  await store(wanted);
  const { subscriptionId, paymentId } = wanted;
  const row = { subscriptionId, paymentId, warnings: [] };
  const [id, payment] = ['x' as SubscriptionId, 'x' as PaymentId];
  expect(await findMandates(ledger.pool, [{ subscriptionId, paymentId: payment }])).toEqual([row]);
  expect(await findMandates(ledger.pool, [{ subscriptionId: id, paymentId }])).toEqual([row]);
  expect(await findMandates(ledger.pool, [wanted, wanted])).toEqual([row]);
  expect(await findMandates(ledger.pool, [{ subscriptionId: id, paymentId: payment }])).toEqual([]);
});

test('of ten concurrent files with the same hundred lines in different orders, each line is stored once', async () => {
  const wanted = many(100);
  const payers = await count('payers');
  const files = Array.from({ length: 10 }, (_, turn) => [...wanted.slice(turn * 10), ...wanted.slice(0, turn * 10)]);
  const all = await Promise.all(files.map((file) => store(...file)));
  expect(all.reduce((sum, stored) => sum + stored.size, 0)).toBe(100);
  expect(await count('payers')).toBe(payers + 100);
});

test('a mandate that PostgreSQL refuses leaves nothing of its batch', async () => {
  const payers = await count('payers');
  const refused = mandateOf({ endAt: NOW - 1000 * DAY });
  const error = await store(mandateOf(), refused).catch((fault: unknown) => fault);
  expect(isRefusedByLedger(error)).toBe(true);
  expect(await count('payers')).toBe(payers);
});

describe('takeStarts', () => {
  const takeNow = async () => {
    await ledger.pool.query('update installation set starts_after_real = null');
    return takeStarts(ledger.pool);
  };
  const idsOf = (all: readonly { readonly subscriptionId: SubscriptionId }[]) =>
    all.map(({ subscriptionId }) => subscriptionId);
  beforeEach(() => ledger.pool.query('delete from workflow_starts'));

  test('starts of imports are claimed earliest due date first, and by one process only', async () => {
    const [late, early] = [mandateOf({ dueAt: DUE + DAY }), mandateOf()];
    await store(late, early);
    const taken = await takeNow();
    expect(taken).toMatchObject([
      { subscriptionId: early.subscriptionId, dueAt: DUE, status: 'active', standing: 'good' },
      { subscriptionId: late.subscriptionId },
    ]);
    expect(await takeNow()).toEqual([]);
  });

  test('starts of imports are claimed again if not confirmed within half a minute', async () => {
    const [confirmed, lost] = [mandateOf(), mandateOf()];
    await store(confirmed, lost);
    expect(await takeNow()).toHaveLength(2);
    await confirmStarts(ledger.pool, [confirmed.subscriptionId]);
    await ledger.pool.query(
      `update workflow_starts set claimed_until_real = claimed_until_real - interval '29 seconds'`,
    );
    expect(await takeNow()).toEqual([]);
    await ledger.pool.query(
      `update workflow_starts set claimed_until_real = claimed_until_real - interval '2 seconds'`,
    );
    expect(idsOf(await takeNow())).toEqual([lost.subscriptionId]);
  });

  test('starts of imports respect the limit per second across all processes', async () => {
    for (let stored = 0; stored <= STARTS_PER_SECOND; stored += 100) await store(...many(100));
    await ledger.pool.query('update installation set starts_after_real = null');
    const all = await Promise.all([takeStarts(ledger.pool), takeStarts(ledger.pool), takeStarts(ledger.pool)]);
    expect(all.map((taken) => taken.length).toSorted((one, other) => one - other)).toEqual([0, 0, STARTS_PER_SECOND]);
  });

  test('imported subscriptions that are not started yet are not orphans', async () => {
    const wanted = mandateOf();
    await store(wanted);
    const live = async () => (await readLive(ledger.pool, '', REAL_NOW + DAY, 10_000)).map(({ id }) => id);
    expect(await live()).not.toContain(wanted.subscriptionId);
    await confirmStarts(ledger.pool, [wanted.subscriptionId]);
    expect(await live()).toContain(wanted.subscriptionId);
  });

  test('a restored ledger starts no imports', async () => {
    await store(mandateOf());
    await ledger.pool.query('update installation set copy_waits = true');
    expect(await takeNow()).toEqual([]);
    await ledger.pool.query('update installation set copy_waits = false');
    expect(await takeNow()).toHaveLength(1);
  });
});
