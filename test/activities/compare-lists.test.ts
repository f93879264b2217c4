import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import type { PaymentId } from '../../src/domain/ids';
import { dueAt as dueAtOf } from '../../src/domain/subscription/schedule';
import { DAY, SECOND } from '../../src/domain/time';
import { type DifferenceRecord, listAttention, listDifferences } from '../../src/ledger';
import type { ContradictionOrder } from '../../src/sandbox';
import { AMOUNT, BOOKING, type Subscribed, useWorld, type World } from './activity-world';
import { createAuthorized, capture, orderedCapture, orderedPaymentRefund } from './payment-world';
import { placeRefund, refund } from './refund-world';

/** The daily comparison if the lists of the service are incomplete (rule 39). */

const holder = useWorld({ sandbox: { eventDependentRefunds: true } });

const LISTS = ['authorizations', 'captures', 'refunds'] as const;

type Lie = { readonly kind: 'list_cut' | 'list_days' } & Readonly<Record<string, unknown>>;

/** Makes these lists of the service incomplete in the given way. @returns a function that makes them complete again */
function contradict(world: World, paymentId: PaymentId, lie: Lie, lists: readonly string[] = LISTS): () => void {
  const { faults } = world.sandbox;
  const added = lists.map((on) =>
    faults.contradict({ ...lie, match: { on, paymentId } } as unknown as ContradictionOrder),
  );
  return () => added.forEach(({ faultId }) => faults.remove(faultId));
}

/** Runs the daily comparison over all payments of the ledger. @returns the differences that it has found */
async function compareDay(world: World, listDays?: number): Promise<readonly DifferenceRecord[]> {
  const { ledger, clock, settings } = world.deps;
  const day = clock.now();
  const runId = randomUUID();
  const changed = { ...settings, reconcileEveryDays: 1, ...(listDays === undefined ? {} : { listDays }) };
  const activities = createActivities({ ...world.deps, settings: changed });
  const period = { from: day - 200 * DAY, to: day };
  const input = { runId, period, actor: 'dueday', timeout: 10 * SECOND, announce: true, until: day + DAY };
  expect((await world.driver.drive(() => activities.reconcileLedger(input))).result.kind).toBe('compared');
  return (await listDifferences(ledger, runId, { limit: 100, cursor: null })).items;
}

async function openKinds(world: World): Promise<string[]> {
  const { items } = await listAttention(world.deps.ledger, {}, { limit: 100, cursor: null });
  return items.map(({ kind }) => kind);
}

/** Collects the months of 31 January to 31 March, refunds 1.00 EUR of the first, and lets a day pass. */
async function threeCycles(world: World): Promise<Subscribed> {
  const subscribed = await world.due();
  const calendar = { firstPaymentAt: subscribed.dueAt, repetition: 'MONTHLY', endAt: null } as const;
  for (let cycle = 0; cycle < 3; cycle += 1) {
    world.clock.passUntil(dueAtOf(calendar, cycle));
    expect((await world.collect(world.input(subscribed, { cycle }))).result.kind).toBe('collected');
    if (cycle > 0) continue;
    expect((await refund(world, await placeRefund(world, subscribed, 100))).result.kind).toBe('successful');
  }
  world.clock.pass(DAY);
  return subscribed;
}

it.each(LISTS)(
  'a partial list of %s is reported as not compared, without missing records; a complete list closes the item',
  async (on) => {
    const { world } = holder;
    const { paymentId } = await threeCycles(world);
    const showAll = contradict(world, paymentId, { kind: 'list_cut', count: 0, says: 'has_more' }, [on]);
    const reason = 'the list is incomplete: hasMore is true';
    expect(await compareDay(world)).toMatchObject([{ kind: 'not_compared', paymentId, reason }]);
    expect(await openKinds(world)).toEqual(['not_compared']);
    showAll();
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([]);
    expect(await openKinds(world)).toEqual([]);
  },
);

it('a one-time payment is reported as not compared, without missing records, if its lists say that there is more', async () => {
  const { world } = holder;
  const { paymentId } = await createAuthorized(world);
  await capture(world, await orderedCapture(world, { paymentId }, 3_000));
  expect((await refund(world, await orderedPaymentRefund(world, { paymentId }, 400))).result.kind).toBe('successful');
  contradict(world, paymentId, { kind: 'list_cut', count: 0, says: 'total' });
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject([{ kind: 'not_compared', paymentId }]);
});

it('a list that says there is more does not prevent other payments from being compared', async () => {
  const { world } = holder;
  const { paymentId } = await threeCycles(world);
  const other = await world.due();
  expect((await world.deps.service.initiate(other.paymentId, AMOUNT)).kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
  contradict(world, paymentId, { kind: 'list_cut', count: 1, says: 'total' });
  world.clock.pass(DAY);
  const found = await compareDay(world);
  expect(found.find((each) => each.paymentId === paymentId)?.kind).toBe('not_compared');
  expect(found.find((each) => each.paymentId === other.paymentId)?.kind).toBe('debit_unknown');
  expect(found).toHaveLength(2);
});

const kindsOf = (found: readonly DifferenceRecord[]) => found.map(({ kind, cycle }) => `${kind}:${cycle}`).toSorted();

it.each([
  ['older records are not missing if PAYMENT_SERVICE_LIST_DAYS is 40', 40, []],
  ['older records are missing if PAYMENT_SERVICE_LIST_DAYS is 61', 61, ['debit_missing:0', 'refund_missing:0']],
])('a service that lists the last 40 days: %s', async (_what, listDays, kinds) => {
  const { world } = holder;
  const { paymentId } = await threeCycles(world);
  contradict(world, paymentId, { kind: 'list_days', days: 40 });
  // The first cycle was collected and refunded 60 days ago, and the second was collected 32 days ago.
  expect(kindsOf(await compareDay(world, listDays))).toEqual(kinds);
  expect(await openKinds(world)).toHaveLength(kinds.length);
});

it('records newer than PAYMENT_SERVICE_LIST_DAYS are reported missing if the service does not list them', async () => {
  const { world } = holder;
  const { paymentId } = await threeCycles(world);
  contradict(world, paymentId, { kind: 'list_days', days: 20 });
  expect(kindsOf(await compareDay(world, 40))).toEqual(['debit_missing:1']);
});
