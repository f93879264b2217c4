import { createActivities } from '../../activities';
import { type ConsentLooking, lookAtConsentsDue } from '../../activities/housekeeping/consents-due';
import { LOOKED_AT_ONCE } from '../../activities/housekeeping/lanes';
import type { ConsentPage } from '../../src/contract/housekeeping';
import { DAY, HOUR } from '../../src/domain/time';
import { getSubscription, readDailyAges } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { subscribe } from '../ledger/ledger-fixture';
import { emptyLedger } from '../support/empty-ledger';
import { type Subscribed, useWorld, type World } from './activity-world';

const holder = useWorld();
beforeEach(() => emptyLedger(holder.world.deps.ledger));

/** Their ids in the order in which they are asked. */
async function several(world: World, count: number): Promise<Subscribed[]> {
  const made: Subscribed[] = [];
  for (let n = 0; n < count; n += 1) made.push(await world.due());
  return made.sort((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
}

/** Everything that has been due by now is within it. */
const look = (world: World, after: string | null = null) =>
  world.driver.drive(() => createActivities(world.deps).lookAtConsentsDue({ dueBy: world.clock.now(), after }));

test('answers whose consent has ended, at the bank or at our word, and keeps every answer', async () => {
  const { world } = holder;
  const [first, second, third] = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  world.sandbox.payer(second.paymentId).cancel();
  world.clock.pass(HOUR);

  const { result, stops, steps } = await look(world);

  expect(result).toEqual({ ended: 1, asked: 3, unreadable: 0, after: null });
  expect([stops, steps.at(-1)]).toEqual([[], 'consents']);
  const known = async ({ subscriptionId }: Subscribed) =>
    (await getSubscription(world.deps.ledger, subscriptionId))?.consent;
  expect(await known(second)).toMatchObject({ status: 'cancelled', checkedAt: world.clock.now() });
  expect(await known(third)).toMatchObject({ status: 'successful', checkedAt: world.clock.now() });
  expect(await known(first)).toMatchObject({ status: 'successful' });
});

test('asks once for each due date; one that has ended is asked for until its subscription has', async () => {
  const { world } = holder;
  const [standing, ended] = (await several(world, 2)) as [Subscribed, Subscribed];
  world.sandbox.payer(ended.paymentId).cancel();
  expect((await look(world)).result).toMatchObject({ asked: 2, ended: 1 });
  expect((await look(world)).result).toMatchObject({ asked: 1, ended: [ended.subscriptionId] });
  await world.deps.ledger.query(
    `update subscriptions set next_due_at = next_due_at + interval '1 hour' where subscription_id = $1`,
    [standing.subscriptionId],
  );
  world.clock.pass(HOUR);
  expect((await look(world)).result).toMatchObject({ asked: 2 });
});

test('a place of an older release begins the look anew, and a look that has come to its end is noted', async () => {
  const { world } = holder;
  await several(world, 2);
  expect((await look(world, 'sub_zzz')).result).toMatchObject({ asked: 2, after: null });
  const { looks } = await readDailyAges(world.deps.ledger, world.clock.now() + HOUR);
  expect(looks).toEqual({ consents: 3600 });
});

test('decides nothing itself: the subscription stands as it did', async () => {
  const { world } = holder;
  const [only] = (await several(world, 1)) as [Subscribed];
  world.sandbox.payer(only.paymentId).cancel();
  await look(world);
  expect(await getSubscription(world.deps.ledger, only.subscriptionId)).toMatchObject({ status: 'active', hold: null });
});

test('one that cannot be read is counted, and the others are asked', async () => {
  const { world } = holder;
  const all = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  const path = `^/${all[0].paymentId}/consents$`;
  world.sandbox.faults.add({ kind: 'malformed', variant: 'html', match: { path } });
  world.sandbox.payer(all[2].paymentId).cancel();

  expect((await look(world)).result).toEqual({
    ended: 1,
    asked: 3,
    unreadable: 1,
    after: null,
  });
});

describe('where the service is away', () => {
  const away = { kind: 'not_sent', reason: 'connection refused' } as const;

  test('it is asked again from there, and nobody is left out', async () => {
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
    const { result, stops } = await world.driver.drive(() => activities.lookAtConsentsDue({ dueBy, after: null }));
    expect(stops).toMatchObject([{ type: 'service_unreadable', message: 'consents: connection refused' }]);
    expect(result).toMatchObject({ unreadable: 0, after: null });
    expect(new Set(asked).size).toBe(12);
  });

  test('not by being reached, but by answers that nobody can read, it holds up nobody else after an hour', async () => {
    const { world } = holder;
    const all = await several(world, 12);
    const getConsent: PaymentService['getConsent'] = (id) =>
      id === all.at(-1)?.paymentId
        ? world.deps.service.getConsent(id)
        : Promise.resolve({ kind: 'unknown', reason: 'HTTP 500' });
    const activities = createActivities({ ...world.deps, service: world.service({ getConsent }) });
    const dueBy = world.clock.now();
    const { result } = await world.driver.drive(() => activities.lookAtConsentsDue({ dueBy, after: null }));
    expect(result).toEqual({ ended: 0, asked: expect.any(Number), unreadable: 11, after: null });
    expect((await readDailyAges(world.deps.ledger, dueBy)).looks).toHaveProperty('consents');
  });

  test('for an hour, it is left for the next day', async () => {
    const { world } = holder;
    await several(world, 12);
    const activities = createActivities({ ...world.deps, service: world.service({ getConsent: async () => away }) });
    const dueBy = world.clock.now();
    const begunAt = world.clock.realNow();
    const { result, stops } = await world.driver.drive(() => activities.lookAtConsentsDue({ dueBy, after: null }));
    expect(result).toEqual({ ended: 0, asked: 12, unreadable: 12, after: null });
    expect((await readDailyAges(world.deps.ledger, 0)).looks).toEqual({});
    expect(world.clock.realNow() - begunAt).toBeGreaterThanOrEqual(HOUR);
    expect(new Set(stops.map(({ type }) => type))).toEqual(new Set(['service_unreadable']));
  });
});

function looking(world: World, changes: Partial<ConsentLooking> = {}): ConsentLooking {
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

test('a worker that takes over from one that died asks for those that stand no more', async () => {
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
  await expect(lookAtConsentsDue(looking(world, { deps: { ...world.deps, service: dead } }))).rejects.toThrow(
    'the worker dies',
  );
  const before = world.requests.length;

  const page = await lookAtConsentsDue(looking(world));

  expect(page).toEqual({ ended: 1, asked: 2, unreadable: 0, after: null });
  const asked = [all[0], all[2]].map(({ paymentId }) => `GET /${paymentId}/consents`);
  expect(world.requests.slice(before).toSorted()).toEqual(asked.toSorted());
});

test('stops between two questions where its worker stops', async () => {
  const { world } = holder;
  const all = await several(world, 20);
  const stopping = new AbortController();
  const service = world.service({
    getConsent: (id) => {
      stopping.abort(new Error('stopping'));
      return world.deps.service.getConsent(id);
    },
  });
  const run = lookAtConsentsDue(looking(world, { deps: { ...world.deps, service }, signal: stopping.signal }));
  await expect(run).rejects.toThrow('stopping');
  // What is under way on each lane ends.
  expect(world.requests.filter((each) => each.endsWith('/consents')).length).toBeLessThan(all.length);
});

test('answers the ends of one batch, and goes on behind them', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  for (let n = 0; n <= LOOKED_AT_ONCE; n += 1) await subscribe(ledger);
  const service = world.service({
    getConsent: async (id) => ({ kind: 'accepted', value: { paymentId: id as never, status: 'cancelled' } }),
  });
  const dueBy = world.clock.now() + DAY;
  const ask = (after: string | null): Promise<ConsentPage> =>
    lookAtConsentsDue(looking(world, { deps: { ...world.deps, service }, input: { dueBy, after } }));
  const first = await ask(null);
  expect([first.ended.length, first.asked]).toEqual([LOOKED_AT_ONCE, LOOKED_AT_ONCE]);
  expect(first.after?.endsWith(`/${first.ended.at(-1) ?? ''}`)).toBe(true);
  const rest = await ask(first.after);
  expect(rest).toMatchObject({ asked: 1, after: null });
  expect(new Set([...first.ended, ...rest.ended]).size).toBe(LOOKED_AT_ONCE + 1);
});
