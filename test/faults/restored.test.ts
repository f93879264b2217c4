import { randomUUID } from 'node:crypto';
import { createActivities } from '../../activities';
import { euros } from '../../src/domain/money';
import type { CollectResult } from '../../src/domain/subscription/state';
import { DAY, SECOND } from '../../src/domain/time';
import { acceptRestored, getSubscription, noticeRestore, readHalt } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { emptyLedger } from '../support/empty-ledger';
import { backUp, setBack } from '../support/set-back';
import { AMOUNT, BOOKING, type Subscribed, useWorld, type World } from '../activities/activity-world';

/** The ledger is set back: nothing is sent before the comparison, nothing is sent twice, and what was lost is recorded again. */

const holder = useWorld({ sandbox: { brokenRules: ['one-debit-per-date'] } });

beforeEach(async () => {
  const { ledger } = holder.world.deps;
  await emptyLedger(ledger);
  await ledger.query(
    `update restore_guard set identity = ledger_identity(), noticed_identity = null, noticed_at = null,
       noticed_real_at = null, reason = null`,
  );
});

const EVER = { from: 0, to: Date.parse('2099-01-01T00:00:00.000Z') };

/** Makes the ledger look as after a recovery to a point in time. */
const moveElsewhere = (world: World) =>
  world.deps.ledger.query(`update restore_guard set identity = 'elsewhere', noticed_identity = null`);

async function reconcile(world: World, service = world.deps.service) {
  const input = { runId: randomUUID(), period: EVER, actor: 'till', timeout: 10 * SECOND, announce: false };
  const activities = createActivities({ ...world.deps, service });
  return (await world.driver.drive(() => activities.reconcileLedger(input))).result;
}

const halted = { type: 'halted', message: 'all sending is halted until the halt is lifted' };

/** A service that lists its records before a POST, and gives no readable list after the POST. */
function askedOnce(world: World, changes: Partial<PaymentService> = {}) {
  let asked = 0;
  const listAuthorizations: PaymentService['listAuthorizations'] = async (paymentId) => {
    asked += 1;
    return asked === 1
      ? world.deps.service.listAuthorizations(paymentId)
      : { kind: 'not_sent', reason: 'connection refused' };
  };
  return { service: world.service({ listAuthorizations, ...changes }) };
}

async function collectedAndLost(world: World) {
  const subscribed = await world.due();
  const backup = await backUp(world.deps.ledger, subscribed.subscriptionId);
  const { result } = await world.collect(world.input(subscribed));
  await setBack(world.deps.ledger, subscribed.subscriptionId, backup);
  return { subscribed, result };
}

async function cycleOf(world: World, { subscriptionId }: Subscribed): Promise<unknown> {
  const { rows } = await world.deps.ledger.query(
    `select c.status, s.next_due_at, s.cycles_collected, c.collected_at from subscriptions s join cycles c using (subscription_id)
     where subscription_id = $1`,
    [subscriptionId],
  );
  return rows[0];
}

it('fault 31: after a restore nothing is sent before everything is compared, and a lost debit is then recorded and not made again', async () => {
  const { world } = holder;
  const { subscribed, result } = await collectedAndLost(world);
  const waits = await world.due();
  await moveElsewhere(world);
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject(halted);
  expect(await world.collectOnce(world.input(waits))).toMatchObject(halted);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', payments: 2, differences: 0 });
  expect(await readHalt(world.deps.ledger)).toBeNull();
  const [debit] = world.debits(subscribed);
  expect(await world.sends(subscribed)).toMatchObject([
    {
      attempt: 0,
      send: 0,
      state: 'successful',
      authorizationId: debit!.authorizationId,
      captureId: debit!.captureId,
    },
  ]);
  expect(await world.events(subscribed, 'attempt.recovered')).toMatchObject([
    { actor: 'dueday', data: { cycle: 0, attempt: 0, amount: AMOUNT, authorizationId: debit!.authorizationId } },
  ]);
  expect(await cycleOf(world, subscribed)).toMatchObject({ status: 'collected', cycles_collected: 1 });
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({
    kind: 'collected',
    authorizationId: (result as CollectResult & { kind: 'collected' }).authorizationId,
  });
  expect(world.posts(subscribed)).toBe(1);
  expect((await world.collect(world.input(waits))).result.kind).toBe('collected');
  expect(world.posts(waits)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 31: after a restore an increase whose debit was lost counts from that debit again once the comparison has recorded it (rules 19, 20)', async () => {
  const { world } = holder;
  const { clock, deps } = world;
  const subscribed = await world.due('approves', { repetition: 'WEEKLY' });
  const dueAt = subscribed.dueAt + 7 * DAY;
  await world.collect(world.input(subscribed));
  const amount = euros(2500);
  const asked = { requestedAt: clock.now(), amount, previousAmount: AMOUNT, fromCycle: 1, effectiveAt: dueAt };
  const counted = { kind: 'increase', countsAsIncrease: true, announceAt: clock.now() } as const;
  const pendingChange = { ...asked, ...counted, announcement: { kind: 'not_needed' } } as const;
  await world.patch(subscribed, { pendingChange, amount });
  clock.passUntil(dueAt);
  const backup = await backUp(world.deps.ledger, subscribed.subscriptionId);
  const { result } = await world.collect(world.input(subscribed, { cycle: 1 }));
  if (result.kind !== 'collected') throw new Error(`it is ${result.kind}`);
  const lastIncrease = async () => (await getSubscription(deps.ledger, subscribed.subscriptionId))?.lastIncreaseAt;
  expect(await lastIncrease()).toBe(result.at);
  await setBack(world.deps.ledger, subscribed.subscriptionId, backup);
  expect(await lastIncrease()).toBeNull();
  await moveElsewhere(world);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 0 });
  expect(await lastIncrease()).toBe(result.at);
});

/** Makes those answers about this payment fail that `isFailing` selects by their number, which starts at 1. */
function failing(world: World, { paymentId }: Subscribed, isFailing: (answer: number) => boolean) {
  const door = { answers: 0, service: world.deps.service };
  const answer = <T>(about: string, ask: () => Promise<T>) => {
    if (about !== paymentId) return ask();
    door.answers += 1;
    return isFailing(door.answers) ? Promise.resolve({ kind: 'unknown', reason: 'HTTP 500' } as const) : ask();
  };
  const { service } = world.deps;
  door.service = world.service({
    listAuthorizations: (about) => answer(about, () => service.listAuthorizations(about)),
    listCaptures: (about, ...which) => answer(about, () => service.listCaptures(about, ...which)),
  });
  return door;
}

it.each([1, 2, 3, 4, 5, 6])(
  'fault 31: after a restore the lost debit is recorded and not handed to an operator, even if answer %d of the service fails',
  async (nth) => {
    const { world } = holder;
    const { subscribed } = await collectedAndLost(world);
    await moveElsewhere(world);
    const door = failing(world, subscribed, (answer) => answer === nth);
    expect(await reconcile(world, door.service)).toMatchObject({ kind: 'compared', differences: 0 });
    expect(door.answers).toBeGreaterThan(nth);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it('fault 31: after a restore an attempt without an outcome in the ledger takes the outcome that its workflow was given', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'pending' });
  const backup = await backUp(world.deps.ledger, subscribed.subscriptionId);
  await world.collect(world.input(subscribed));
  await setBack(world.deps.ledger, subscribed.subscriptionId, backup);
  await moveElsewhere(world);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 0 });
  await world.expectLedgerEqual(subscribed, 1);
  expect(await cycleOf(world, subscribed)).toMatchObject({ status: 'collected' });
});

it('fault 31: after a restore an attempt whose answer was lost is found and recorded', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
  expect(await world.collectOnce(world.input(subscribed), askedOnce(world))).toMatchObject({
    type: 'outcome_unknown',
  });
  world.clock.pass(2 * BOOKING);
  await moveElsewhere(world);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 0 });
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 31: after a restore a lost refusal is recorded if the ledger has the row', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-always');
  const initiate: PaymentService['initiate'] = async (...order) => {
    await world.deps.service.initiate(...order);
    const shown = await world.deps.service.listAuthorizations(subscribed.paymentId);
    const [refused] = shown.kind === 'accepted' ? shown.value : [];
    if (refused?.status !== 'failed') throw new Error('it was not refused');
    return { kind: 'accepted', value: { ...refused, status: 'pending' } };
  };
  expect(await world.collectOnce(world.input(subscribed), askedOnce(world, { initiate }))).toMatchObject({
    type: 'pending',
  });
  await moveElsewhere(world);
  await reconcile(world);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'rejected_retryable' }]);
});

it('fault 31: after a restore an ambiguous record is handed to an operator, and nothing is sent until it is closed', async () => {
  const { world } = holder;
  const { subscribed } = await collectedAndLost(world);
  expect((await world.deps.service.initiate(subscribed.paymentId, AMOUNT)).kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
  await moveElsewhere(world);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 2 });
  expect(await world.sends(subscribed)).toEqual([]);
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject(halted);
  const { ledger } = world.deps;
  await ledger.query(`update attention_items set closed_real_at = now() where source = 'difference'`);
  expect(await acceptRestored(ledger, { actor: 'ada', at: world.clock.now() })).toEqual({ kind: 'accepted' });
  // The check before the POST still stops the attempt, because the ledger still lacks these records.
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ result: { kind: 'unresolved' } });
  expect(world.posts(subscribed)).toBe(2);
});

it('fault 31: a comparison without a restore records nothing', async () => {
  const { world } = holder;
  const { subscribed } = await collectedAndLost(world);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 1 });
  expect(await world.sends(subscribed)).toEqual([]);
});

it('fault 31: a new worker notices a restore by the audit log position that a workflow remembers', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const backup = await backUp(world.deps.ledger, subscribed.subscriptionId);
  const { result: step } = await world.driver.drive(() => world.activities().collectPayment(world.input(subscribed)));
  await setBack(world.deps.ledger, subscribed.subscriptionId, backup);
  const { mark } = step;
  if (mark === undefined) throw new Error('the workflow was given no mark');
  const next = { mark };
  expect(await world.collectOnce(world.input(subscribed, next))).toMatchObject(halted);
  expect((await readHalt(world.deps.ledger))?.reason).toContain(`has been seen at entry ${mark.entry}`);
  expect(world.loggedAs('all sending is halted: the ledger was restored')).toHaveLength(1);
  expect(world.posts(subscribed)).toBe(1);
  expect(await reconcile(world)).toMatchObject({ kind: 'compared', differences: 0 });
  expect(await readHalt(world.deps.ledger)).toBeNull();
  // A position from before the restore no longer proves that entries are missing.
  expect(await world.collectOnce(world.input(subscribed, next))).not.toMatchObject(halted);
  expect(await readHalt(world.deps.ledger)).toBeNull();
});

it('fault 31: a worker that ran during a restore notices it at its next collection of any subscription', async () => {
  const { world } = holder;
  const activities = world.activities();
  const collect = (subscribed: Subscribed) =>
    world.driver.drive(() => activities.collectPayment(world.input(subscribed)));
  const [lost, next] = [await world.due(), await world.due()];
  const backup = await backUp(world.deps.ledger, lost.subscriptionId);
  await collect(lost);
  expect(await world.sends(lost)).toMatchObject([{ state: 'successful' }]);
  await setBack(world.deps.ledger, lost.subscriptionId, backup);
  expect(await world.driver.once(() => activities.collectPayment(world.input(next)))).toMatchObject(halted);
  expect(world.posts(next)).toBe(0);
});

it('fault 31: an audit log that has only grown is not taken for a restore', async () => {
  const { world } = holder;
  const activities = world.activities();
  for (const subscribed of [await world.due(), await world.due()]) {
    await world.driver.drive(() => activities.collectPayment(world.input(subscribed)));
    expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful' }]);
  }
  expect(await noticeRestore(world.deps.ledger, { at: world.clock.now(), realAt: DAY })).toBeNull();
});
