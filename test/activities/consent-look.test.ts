import { createActivities } from '../../activities';
import { type ConsentChecking, type ConsentPage, checkDueConsents } from '../../activities/housekeeping/consents-due';
import { CHECK_BATCH_SIZE } from '../../activities/housekeeping/concurrent-checks';
import type { DailyOutcome } from '../../src/domain/daily-work';
import { DAY, HOUR } from '../../src/domain/time';
import { getSubscription, readDueConsents, readDailyAges, readRevision } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { subscribe } from '../ledger/ledger-fixture';
import { type Subscribed, useWorld, type World } from './activity-world';
import { pageOf } from './daily-pages';

const holder = useWorld();

/** Creates this many subscriptions. @returns them in the order in which the daily check reads their consents */
async function several(world: World, count: number): Promise<Subscribed[]> {
  const made: Subscribed[] = [];
  for (let n = 0; n < count; n += 1) made.push(await world.due());
  return made.sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
}

/** Runs the daily check for the consents of all subscriptions that are due by now. */
const look = (world: World, after: string | null = null) =>
  drive(world, () => createActivities(world.deps).checkDueConsents({ dueBy: world.clock.now(), after }));

async function drive(world: World, work: () => Promise<DailyOutcome>) {
  const driven = await world.driver.drive(work);
  return { ...driven, result: pageOf(driven.result) };
}

test('the daily check finds a consent that the payer has ended, and stores every answer', async () => {
  const { world } = holder;
  const [first, second, third] = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  world.sandbox.payer(second.paymentId).cancel();
  world.clock.pass(HOUR);

  const { result, stops, steps } = await look(world);

  expect(result).toEqual({ ended: 1, asked: 3, 'not readable': 0, after: null });
  expect([stops, steps.at(-1)]).toEqual([[], 'consents']);
  const known = async ({ subscriptionId }: Subscribed) =>
    (await getSubscription(world.deps.ledger, subscriptionId))?.consent;
  expect(await known(second)).toMatchObject({ status: 'cancelled', checkedAt: world.clock.now() });
  expect(await known(third)).toMatchObject({ status: 'successful', checkedAt: world.clock.now() });
  expect(await known(first)).toMatchObject({ status: 'successful' });
});

test('the daily check reads a consent once per due date, and no longer once it has ended', async () => {
  const { world } = holder;
  const [standing, ended] = (await several(world, 2)) as [Subscribed, Subscribed];
  world.sandbox.payer(ended.paymentId).cancel();
  expect((await look(world)).result).toMatchObject({ asked: 2, ended: 1 });
  expect((await look(world)).result).toMatchObject({ asked: 0, ended: 0 });
  await world.deps.ledger.query(
    `update subscriptions set next_due_at = next_due_at + interval '1 hour' where subscription_id = $1`,
    [standing.subscriptionId],
  );
  world.clock.pass(HOUR);
  expect((await look(world)).result).toMatchObject({ asked: 1, ended: 0 });
});

test('the daily check starts from the beginning if its stored position has an unknown form, and is recorded at its end', async () => {
  const { world } = holder;
  await several(world, 2);
  expect((await look(world, 'sub_zzz')).result).toMatchObject({ asked: 2, after: null });
  const { checks } = await readDailyAges(world.deps.ledger, world.clock.now() + HOUR);
  expect(checks).toEqual({ consents: 3600 });
});

test('the daily check ends a subscription whose consent has ended and notifies its workflow (rule 8)', async () => {
  const { world } = holder;
  const [ended] = (await several(world, 2)) as [Subscribed, Subscribed];
  world.sandbox.payer(ended.paymentId).cancel();
  const notified: unknown[] = [];
  const workflows = { ...world.deps.workflows, notify: async (...call: unknown[]) => void notified.push(call) };
  await checkDueConsents(looking(world, { deps: { ...world.deps, workflows } }));
  const record = await getSubscription(world.deps.ledger, ended.subscriptionId);
  expect(record).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  expect(notified).toEqual([[ended.subscriptionId, await readRevision(world.deps.ledger, ended.subscriptionId)]]);
});

test('the daily check ends a subscription whose workflow cannot be notified, and the other subscriptions after it', async () => {
  const { world } = holder;
  const all = await several(world, 2);
  for (const { paymentId } of all) world.sandbox.payer(paymentId).cancel();
  const notify = () => Promise.reject(new Error('Temporal is away'));
  const workflows = { ...world.deps.workflows, notify };
  const page = await checkDueConsents(looking(world, { deps: { ...world.deps, workflows } }));
  expect(page).toMatchObject({ ended: 2, asked: 2 });
});

test('a consent that cannot be read is counted, and the others are checked', async () => {
  const { world } = holder;
  const all = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  const path = `^/${all[0].paymentId}/consents$`;
  world.sandbox.faults.add({ kind: 'malformed', variant: 'html', match: { path } });
  world.sandbox.payer(all[2].paymentId).cancel();

  expect((await look(world)).result).toEqual({
    ended: 1,
    asked: 3,
    'not readable': 1,
    after: null,
  });
});

const away = { kind: 'not_sent', reason: 'connection refused' } as const;

test('a daily check that finds the service unavailable is retried from the same subscription on, and leaves none out', async () => {
  const { world } = holder;
  const all = await several(world, 12);
  let refused = 0;
  const asked: string[] = [];
  const getConsent: PaymentService['getConsent'] = (id) => {
    if (id !== all[0]?.paymentId && refused < 10) {
      refused += 1;
      return Promise.resolve(away);
    }
    asked.push(id);
    return world.deps.service.getConsent(id);
  };
  const activities = createActivities({ ...world.deps, service: world.service({ getConsent }) });
  const dueBy = world.clock.now();
  const { result, stops } = await drive(world, () => activities.checkDueConsents({ dueBy, after: null }));
  expect(stops).toMatchObject([{ type: 'service_unreadable', message: 'consents: connection refused' }]);
  expect(result).toMatchObject({ 'not readable': 0, after: null });
  expect(new Set(asked).size).toBe(12);
});

test('a daily check of few subscriptions is retried, too, if the service cannot be reached', async () => {
  const { world } = holder;
  await several(world, 3);
  let refused = 0;
  const getConsent: PaymentService['getConsent'] = async (id) =>
    (refused += 1) <= 3 ? away : world.deps.service.getConsent(id);
  const activities = createActivities({ ...world.deps, service: world.service({ getConsent }) });
  const dueBy = world.clock.now();
  const { result, stops } = await drive(world, () => activities.checkDueConsents({ dueBy, after: null }));
  expect(stops).toMatchObject([{ type: 'service_unreadable', message: 'consents: connection refused' }]);
  expect(result).toEqual({ ended: 0, asked: 3, 'not readable': 0, after: null });
});

test('consents that cannot be read do not prevent the daily check from reading the others', async () => {
  const { world } = holder;
  const all = await several(world, 12);
  const getConsent: PaymentService['getConsent'] = (id) =>
    id === all.at(-1)?.paymentId
      ? world.deps.service.getConsent(id)
      : Promise.resolve({ kind: 'unknown', reason: 'HTTP 500' });
  const activities = createActivities({ ...world.deps, service: world.service({ getConsent }) });
  const dueBy = world.clock.now();
  const { result } = await drive(world, () => activities.checkDueConsents({ dueBy, after: null }));
  expect(result).toEqual({ ended: 0, asked: expect.any(Number), 'not readable': 11, after: null });
  expect((await readDailyAges(world.deps.ledger, dueBy)).checks).toHaveProperty('consents');
});

test('the daily check leaves the rest for the next day after the service has been unavailable for an hour', async () => {
  const { world } = holder;
  await several(world, 12);
  const activities = createActivities({ ...world.deps, service: world.service({ getConsent: async () => away }) });
  const dueBy = world.clock.now();
  const startedAt = world.clock.realNow();
  const { result, stops } = await drive(world, () => activities.checkDueConsents({ dueBy, after: null }));
  expect(result).toEqual({ ended: 0, asked: 12, 'not readable': 12, after: null });
  expect((await readDailyAges(world.deps.ledger, 0)).checks).toEqual({});
  expect(world.clock.realNow() - startedAt).toBeGreaterThanOrEqual(HOUR);
  expect(new Set(stops.map(({ type }) => type))).toEqual(new Set(['service_unreadable']));
});

function looking(world: World, changes: Partial<ConsentChecking> = {}): ConsentChecking {
  return {
    deps: world.deps,
    input: { dueBy: world.clock.now(), after: null },
    resumed: undefined,
    progress: () => undefined,
    age: () => 0,
    signal: new AbortController().signal,
    ...changes,
  };
}

test('a worker that takes over from a dead one checks only the consents that have no stored answer yet', async () => {
  const { world } = holder;
  const all = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  world.sandbox.payer(all[0].paymentId).cancel();
  const isAsked = (id: string) => new Promise((resolve) => setTimeout(resolve, id === all[2].paymentId ? 200 : 0));
  const dead = world.service({
    getConsent: async (id) => {
      await isAsked(id);
      if (id === all[2].paymentId) throw new Error('the worker dies');
      return world.deps.service.getConsent(id);
    },
  });
  await expect(checkDueConsents(looking(world, { deps: { ...world.deps, service: dead } }))).rejects.toThrow(
    'the worker dies',
  );
  const before = world.requests.length;

  const page = await checkDueConsents(looking(world));

  expect(page).toEqual({ ended: 0, asked: 1, unreadable: 0, after: null });
  expect(world.requests.slice(before)).toEqual([`GET /${all[2].paymentId}/consents`]);
  const record = await getSubscription(world.deps.ledger, all[0].subscriptionId);
  expect(record).toMatchObject({ status: 'cancelled' });
});

test('the daily check stops between two calls when its worker stops', async () => {
  const { world } = holder;
  const all = await several(world, 20);
  const stopping = new AbortController();
  const service = world.service({
    getConsent: (id) => {
      stopping.abort(new Error('stopping'));
      return world.deps.service.getConsent(id);
    },
  });
  const run = checkDueConsents(looking(world, { deps: { ...world.deps, service }, signal: stopping.signal }));
  await expect(run).rejects.toThrow('stopping');
  // The concurrent calls that have already started still end.
  expect(world.requests.filter((each) => each.endsWith('/consents')).length).toBeLessThan(all.length);
});

test('the daily check continues after a batch of ended subscriptions and from the given position', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  for (let n = 0; n < CHECK_BATCH_SIZE + 2; n += 1) await subscribe(ledger);
  const service = world.service({
    getConsent: async (id) => ({ kind: 'accepted', value: { paymentId: id as never, status: 'cancelled' } }),
  });
  const dueBy = world.clock.now() + DAY;
  const ask = (after: string | null): Promise<ConsentPage> =>
    checkDueConsents(looking(world, { deps: { ...world.deps, service }, input: { dueBy, after } }));
  const [last] = (await readDueConsents(ledger, dueBy, null, CHECK_BATCH_SIZE + 2)).slice(-2);
  expect(await ask(`${last!.dueAt}/${last!.subscriptionId}`)).toMatchObject({ ended: 1, asked: 1, after: null });
  const others = CHECK_BATCH_SIZE + 1;
  expect(await ask(null)).toMatchObject({ ended: others, asked: others, after: null });
});
