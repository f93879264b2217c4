import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { listAttention, listDifferences, listEvents } from '../../src/ledger';
import type { ContradictionOrder } from '../../src/sandbox';
import { type Subscribed, useWorld, type World } from './activity-world';
import { reachRetry } from './deliver-notice';
import { follow, createRequested, SINGLE, auditEntriesOf } from './payment-world';
import { createCollected, placeRefund, refundOnce, refundEntries } from './refund-world';

/**
 * A status word of the service that dueday does not know. On a record that is final in the ledger it does not change what is sent,
 * and is reported once; any other record counts as pending, with an alert (rule 41).
 */

const holder = useWorld();

function says(world: World, paymentId: PaymentId, on: 'authorizations' | 'captures' | 'refunds', minutes = 0): void {
  const lie = { kind: 'new_status', word: 'on_hold', afterMinutes: minutes, match: { on, paymentId } } as const;
  world.sandbox.faults.contradict(lie satisfies ContradictionOrder);
}

/** Runs the daily comparison once. @returns the differences that are known at its end */
async function compareDay(world: World): Promise<readonly (readonly [string, string | undefined])[]> {
  const { ledger, clock, settings } = world.deps;
  const day = clock.now();
  const runId = randomUUID();
  const activities = createActivities({ ...world.deps, settings: { ...settings, reconcileEveryDays: 1 } });
  const period = { from: day - 31 * DAY, to: day };
  const input = { runId, period, actor: 'dueday', timeout: 2 * HOUR, announce: true, until: day + DAY };
  expect((await world.driver.drive(() => activities.reconcileLedger(input))).result.kind).toBe('compared');
  const { items } = await listDifferences(ledger, runId, { limit: 100, cursor: null });
  return items.map(({ kind, service }) => [kind, service?.state] as const);
}

async function reported({ deps }: World, subscriptionId: SubscriptionId): Promise<unknown[]> {
  const filter = { subscriptionId, type: 'reconciliation.difference' };
  const { items } = await listEvents(deps.ledger, filter, { limit: 10, cursor: null });
  return items.map(({ data }) => data['service']);
}

function nextMonth(world: World, subscribed: Subscribed): Subscribed {
  world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  return { ...subscribed, dueAt: world.clock.now(), collectBy: world.clock.now() + 5 * DAY };
}

it.each(['authorizations', 'captures'] as const)(
  'an unknown status of a record that is final in the ledger is one difference in three days for %s, and the next cycle collects',
  async (on) => {
    const { world } = holder;
    const subscribed = await world.due();
    says(world, subscribed.paymentId, on, 60);
    expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
    const kind = on === 'captures' ? 'debit_state' : 'authorization_state';
    for (let day = 0; day < 3; day += 1) {
      world.clock.pass(DAY);
      expect(await compareDay(world)).toEqual([[kind, 'on_hold']]);
    }
    expect(await reported(world, subscribed.subscriptionId)).toMatchObject([{ state: 'on_hold' }]);
    const { items } = await listAttention(world.deps.ledger, {}, { limit: 10, cursor: null });
    expect(items.map((each) => each.kind)).toEqual([kind]);
    const next = nextMonth(world, subscribed);
    expect((await world.collect(world.input(next, { cycle: 1 }))).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(2);
  },
);

it('an unknown status of a record that is final in the ledger is one difference in three days for a refund, and the next refund is made', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  says(world, subscribed.paymentId, 'refunds', 60);
  const first = await placeRefund(world, subscribed, 300);
  expect(await refundOnce(world, first)).toMatchObject({ type: 'pending' });
  world.clock.pass(10_000);
  expect(await refundOnce(world, first)).toMatchObject({ result: { kind: 'successful' } });
  for (let day = 0; day < 3; day += 1) {
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([['refund_state', 'on_hold']]);
  }
  expect(await reported(world, subscribed.subscriptionId)).toMatchObject([{ state: 'on_hold' }]);
  const activities = createActivities(world.deps);
  const second = await placeRefund(world, subscribed, 200);
  expect((await world.driver.drive(() => activities.refundPayment(second))).result.kind).toBe('successful');
});

it('an unknown status of a record that is final in the ledger is one difference in three days for a refused one, and the retry is sent', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-with-id-once');
  says(world, subscribed.paymentId, 'authorizations', 60);
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('rejected');
  await reachRetry(world, subscribed);
  world.clock.pass(DAY);
  expect(await compareDay(world)).toEqual([['authorization_state', 'on_hold']]);
  const retry = world.input(subscribed, { attempt: 1 });
  expect((await world.collect(retry)).result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(2);
  for (let day = 0; day < 2; day += 1) {
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([['authorization_state', 'on_hold']]);
  }
  expect(await reported(world, subscribed.subscriptionId)).toMatchObject([{ state: 'on_hold' }]);
  expect((await world.auditLog(subscribed)).filter((type) => type.startsWith('attempt.reopen'))).toEqual([]);
});

it.each(['authorizations', 'captures'] as const)(
  'an unknown status of any other record counts as pending for %s of a cycle and alerts once',
  async (on) => {
    const { world } = holder;
    const subscribed = await world.due();
    says(world, subscribed.paymentId, on);
    for (let run = 0; run < 3; run += 1) {
      expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'pending' });
      world.clock.pass(HOUR);
    }
    expect(await world.events(subscribed, 'attempt.unknown_status')).toMatchObject([{ data: { status: 'on_hold' } }]);
    expect(world.loggedAs('attempt.unknown_status').length).toBeGreaterThan(0);
    expect(world.posts(subscribed)).toBe(1);
  },
);

it('an unknown status of any other record counts as pending for a refund and alerts once', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  says(world, subscribed.paymentId, 'refunds');
  const input = await placeRefund(world, subscribed);
  for (let run = 0; run < 3; run += 1) {
    expect(await refundOnce(world, input)).toMatchObject({
      type: 'pending',
      message: expect.stringContaining('on_hold'),
    });
    world.clock.pass(HOUR);
  }
  expect((await refundEntries(world, input)).filter((type) => type === 'refund.unknown_status')).toHaveLength(1);
});

it.each(['authorizations', 'captures'] as const)(
  'an unknown status of any other record counts as pending for %s of a Single Immediate payment and alerts once',
  async (on) => {
    const { world } = holder;
    const reference = await createRequested(world, SINGLE);
    says(world, reference.paymentId, on);
    world.sandbox.payer(reference.paymentId).approve();
    await expect(follow(world, reference, { maxRuns: 5 })).rejects.toThrow('no answer after 5 runs');
    expect((await auditEntriesOf(world, reference)).filter((type) => type === 'payment.unknown_status')).toHaveLength(
      1,
    );
    expect(world.debits(reference)).toHaveLength(1);
  },
);
