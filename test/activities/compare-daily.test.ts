import { randomUUID } from 'node:crypto';
import { createActivities, type Dependencies } from '../../activities';
import type { ReconcileInput } from '../../src/contract/housekeeping';
import type { PaymentId } from '../../src/domain/ids';
import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { listDifferences, listEvents, readDailyAges, readReconciliation } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { subscribe } from '../ledger/ledger-fixture';
import { AMOUNT, BOOKING, type Subscribed, useWorld, type World } from './activity-world';

const holder = useWorld();

/** The input of the daily comparison for the day that begins now. */
function dayOf(world: World, changes: Partial<ReconcileInput> = {}): ReconcileInput {
  const day = world.clock.now();
  const period = { from: day - 31 * DAY, to: day };
  return {
    runId: randomUUID(),
    period,
    actor: 'dueday',
    timeout: 2 * HOUR,
    announce: true,
    until: day + DAY,
    ...changes,
  };
}

const drive = (world: World, input: ReconcileInput, deps: Partial<Dependencies> = {}) =>
  world.driver.drive(() => createActivities({ ...world.deps, ...deps }).reconcileLedger(input));

/** Runs the daily comparison once. @returns how many payments it has compared, and the differences that it has found */
async function compareDay(world: World, changes: Partial<ReconcileInput> = {}, deps: Partial<Dependencies> = {}) {
  const input = dayOf(world, changes);
  const { result, stops } = await drive(world, input, deps);
  const found = await listDifferences(world.deps.ledger, input.runId, { limit: 100, cursor: null });
  const run = await readReconciliation(world.deps.ledger, input.runId);
  const payments = run?.payments ?? NaN;
  return { result, stops, payments, kinds: found.items.map(({ kind }) => kind), run };
}

async function debitBehindOurBack(world: World, { paymentId }: Pick<Subscribed, 'paymentId'>): Promise<void> {
  expect((await world.deps.service.initiate(paymentId, AMOUNT)).kind).toBe('accepted');
  world.clock.pass(2 * BOOKING);
}

async function openDifferences(world: World): Promise<number> {
  const { rows } = await world.deps.ledger.query<{ open: number }>(
    `select count(*) as open from attention_items where source = 'difference' and closed_real_at is null`,
  );
  return rows[0]?.open ?? NaN;
}

test('new payments are compared in the next run, later only those that change, and all of them once per period', async () => {
  const { world } = holder;
  const [one] = [await world.due(), await world.due()];
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 2, kinds: [] });
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 0 });
  await world.collect(world.input(one));
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 1, kinds: [] });
  world.clock.pass(4 * DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 1 });
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 0 });
});

test('with a period of one day every payment is compared each day', async () => {
  const { world } = holder;
  await world.due();
  const settings = { ...world.deps.settings, reconcileEveryDays: 1 };
  for (let day = 0; day < 3; day += 1) {
    world.clock.pass(DAY);
    expect(await compareDay(world, {}, { settings })).toMatchObject({ payments: 1 });
  }
});

test('every day’s run reports a difference until it is gone, and its item stays open until then', async () => {
  const { world } = holder;
  const [differing] = [await world.due(), await world.due()];
  await debitBehindOurBack(world, differing);
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 2, kinds: ['debit_unknown'] });
  expect(await openDifferences(world)).toBe(1);
  const { subscriptionId } = differing;
  const auditLog = await listEvents(world.deps.ledger, { subscriptionId, type: 'reconciliation.difference' }, FIRST);
  expect(auditLog.items).toHaveLength(1);
  // Recording the difference changes the payment, so it is compared once more on the next day.
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 1, kinds: ['debit_unknown'] });
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 0, kinds: ['debit_unknown'] });
  const listCaptures: PaymentService['listCaptures'] = async () => ({ kind: 'accepted', value: [] });
  const listAuthorizations: PaymentService['listAuthorizations'] = async () => ({ kind: 'accepted', value: [] });
  const service = world.service({ listCaptures, listAuthorizations });
  world.clock.pass(7 * DAY);
  expect(await compareDay(world, {}, { service })).toMatchObject({ payments: 2, kinds: [] });
  expect(await openDifferences(world)).toBe(0);
});

const FIRST = { limit: 10, cursor: null };

test.each(['active', 'cancelled'])(
  'a difference of a subscription that is %s is reported until it is gone, even for longer than the period of a run; its item then closes',
  async (status) => {
    const { world } = holder;
    const differing = await world.due();
    await world.deps.ledger.query('update subscriptions set status = $2 where subscription_id = $1', [
      differing.subscriptionId,
      status,
    ]);
    await debitBehindOurBack(world, differing);
    for (let weeks = 0; weeks < 6; weeks += 1) {
      world.clock.pass(7 * DAY);
      expect(await compareDay(world)).toMatchObject({ payments: 1, kinds: ['debit_unknown'] });
    }
    expect(await openDifferences(world)).toBe(1);
    const nothing = async () => ({ kind: 'accepted', value: [] }) as const;
    const service = world.service({ listCaptures: nothing, listAuthorizations: nothing });
    world.clock.pass(7 * DAY);
    expect(await compareDay(world, {}, { service })).toMatchObject({ payments: 1, kinds: [] });
    expect(await openDifferences(world)).toBe(0);
  },
);

test('a run reports a difference that was found weeks ago in a payment that is compared only once per quarter', async () => {
  const { world } = holder;
  await debitBehindOurBack(world, await world.due());
  const settings = { ...world.deps.settings, reconcileEveryDays: 90 };
  for (const payments of [1, 1]) {
    world.clock.pass(DAY);
    expect(await compareDay(world, {}, { settings })).toMatchObject({ payments, kinds: ['debit_unknown'] });
  }
  world.clock.pass(60 * DAY);
  expect(await compareDay(world, {}, { settings })).toMatchObject({ payments: 0, kinds: ['debit_unknown'] });
});

test('a run covers the time up to the last comparison of the payment that has waited longest', async () => {
  const { world } = holder;
  const one = await world.due();
  await world.due();
  world.clock.pass(DAY);
  const first = world.clock.now();
  await compareDay(world);
  world.clock.pass(DAY);
  await world.collect(world.input(one));
  const { run } = await compareDay(world);
  expect(run).toMatchObject({ state: 'compared', startedAt: expect.any(Number) });
  expect([run!.period.to >= first, run!.period.to < first + HOUR, run!.startedAt]).toEqual([
    true,
    true,
    run!.period.to,
  ]);
  const ages = await readDailyAges(world.deps.ledger, world.clock.now());
  expect(ages.oldestUncompared).toBeCloseTo((world.clock.now() - run!.period.to) / SECOND, 0);
  expect(ages.checks.payments).toBeLessThan(60);
});

/** Creates this many payments that the service does not know. */
async function many(world: World, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await subscribe(world.deps.ledger);
}

test('an interrupted comparison continues near the payment at which it stopped, and counts each payment once', async () => {
  const { world } = holder;
  await many(world, 130);
  const asked: string[] = [];
  let isDead = false;
  const listAuthorizations: PaymentService['listAuthorizations'] = async (id: PaymentId) => {
    if (asked.length >= 110 && !isDead) {
      isDead = true;
      throw new Error('the worker dies');
    }
    asked.push(id);
    return { kind: 'accepted', value: [] };
  };
  const { payments, stops } = await compareDay(world, {}, { service: world.service({ listAuthorizations }) });
  expect([payments, stops.length]).toEqual([130, 1]);
  expect(new Set(asked).size).toBe(130);
  expect(asked.length).toBeLessThan(160);
});

test('an interrupted comparison continues the next day if its day has ended, and counts as unfinished', async () => {
  const { world } = holder;
  await many(world, 5);
  const day = world.clock.now();
  expect(await compareDay(world, { until: day })).toMatchObject({ payments: 0, result: { kind: 'compared' } });
  expect((await readDailyAges(world.deps.ledger, world.clock.now())).checks).toEqual({});
  expect(await compareDay(world)).toMatchObject({ payments: 5 });
});

test('a comparison waits while the service is unavailable and leaves the payments for the next day', async () => {
  const { world } = holder;
  await many(world, 20);
  const listAuthorizations = async () => ({ kind: 'not_sent', reason: 'connection refused' }) as const;
  const { result, payments } = await compareDay(world, {}, { service: world.service({ listAuthorizations }) });
  expect(result).toMatchObject({ kind: 'service_unavailable', reason: 'connection refused' });
  expect(payments).toBe(0);
  world.clock.pass(DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 20, kinds: [] });
});

test('a comparison in progress ends if an operator stops it', async () => {
  const { world } = holder;
  await many(world, 3);
  const input = dayOf(world);
  const listAuthorizations: PaymentService['listAuthorizations'] = async () => {
    await world.deps.ledger.query(
      `update reconciliation_runs set state = 'stopped', ended_real_at = now() where run_id = $1`,
      [input.runId],
    );
    return { kind: 'accepted', value: [] };
  };
  const { result } = await drive(world, input, { service: world.service({ listAuthorizations }) });
  expect(result).toMatchObject({ kind: 'stopped', payments: 0 });
});

test('a payment that cannot be read does not hold up others, is retried until the run’s time-out, and is then reported', async () => {
  const { world } = holder;
  const [broken] = [await world.due(), await world.due(), await world.due()];
  const listAuthorizations: PaymentService['listAuthorizations'] = async (id) =>
    id === broken.paymentId ? { kind: 'unknown', reason: 'HTTP 500' } : world.deps.service.listAuthorizations(id);
  const startedAt = world.clock.realNow();
  const day = await compareDay(world, {}, { service: world.service({ listAuthorizations }) });
  expect(day).toMatchObject({ payments: 3, kinds: ['not_compared'], result: { kind: 'compared' } });
  expect(day.stops.length).toBeGreaterThan(1);
  expect(world.clock.realNow() - startedAt).toBeGreaterThanOrEqual(2 * HOUR);
});

test('many consecutive payments that cannot be read do not prevent the comparison of the others', async () => {
  const { world } = holder;
  const broken: string[] = [];
  for (let n = 0; n < 6; n += 1) broken.push((await world.due()).paymentId);
  await world.due();
  const listAuthorizations: PaymentService['listAuthorizations'] = async (id) =>
    broken.includes(id) ? { kind: 'unknown', reason: 'HTTP 500' } : world.deps.service.listAuthorizations(id);
  const day = await compareDay(world, {}, { service: world.service({ listAuthorizations }) });
  expect(day).toMatchObject({ payments: 7, result: { kind: 'compared' } });
  expect(day.kinds).toEqual(Array(6).fill('not_compared'));
});

test('a payment that ended more than 31 days ago is not compared until something newer is recorded', async () => {
  const { world } = holder;
  const { subscriptionId } = await world.due();
  await world.deps.ledger.query(`update subscriptions set status = 'cancelled' where subscription_id = $1`, [
    subscriptionId,
  ]);
  world.clock.pass(60 * DAY);
  expect(await compareDay(world)).toMatchObject({ payments: 0 });
  expect((await readDailyAges(world.deps.ledger, world.clock.now())).oldestUncompared).toBeNull();
  await world.deps.ledger.query(
    `insert into events (subscription_id, at, actor, type) values ($1, $2, 'till', 'refund.ordered')`,
    [subscriptionId, new Date(world.clock.now()).toISOString()],
  );
  expect(await compareDay(world)).toMatchObject({ payments: 1 });
});
