import { createActivities } from '../../activities';
import { type ConsentLooking, lookAtConsentsDue } from '../../activities/housekeeping/consents-due';
import { LOOKED_AT_ONCE } from '../../activities/housekeeping/lanes';
import type { ConsentPage } from '../../src/contract/housekeeping';
import { DAY, HOUR } from '../../src/domain/time';
import { getSubscription, readConsentsDue, readDailyAges, readRevision } from '../../src/ledger';
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

test('asks once for each due date, and no more once the consent has ended', async () => {
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

test('a place of an older release begins the look anew, and a look that has come to its end is noted', async () => {
  const { world } = holder;
  await several(world, 2);
  expect((await look(world, 'sub_zzz')).result).toMatchObject({ asked: 2, after: null });
  const { looks } = await readDailyAges(world.deps.ledger, world.clock.now() + HOUR);
  expect(looks).toEqual({ consents: 3600 });
});

test('ends the subscription whose consent has ended, and notifies its workflow', async () => {
  const { world } = holder;
  const [ended] = (await several(world, 2)) as [Subscribed, Subscribed];
  world.sandbox.payer(ended.paymentId).cancel();
  const notified: unknown[] = [];
  const workflows = { ...world.deps.workflows, notify: async (...call: unknown[]) => void notified.push(call) };
  await lookAtConsentsDue(looking(world, { deps: { ...world.deps, workflows } }));
  const record = await getSubscription(world.deps.ledger, ended.subscriptionId);
  expect(record).toMatchObject({ status: 'cancelled', cancelledBy: 'payer' });
  expect(notified).toEqual([[ended.subscriptionId, await readRevision(world.deps.ledger, ended.subscriptionId)]]);
});

test('one whose workflow cannot be notified ends all the same, and so do the others', async () => {
  const { world } = holder;
  const all = await several(world, 2);
  for (const { paymentId } of all) world.sandbox.payer(paymentId).cancel();
  const notify = () => Promise.reject(new Error('Temporal is away'));
  const workflows = { ...world.deps.workflows, notify };
  const page = await lookAtConsentsDue(looking(world, { deps: { ...world.deps, workflows } }));
  expect(page).toMatchObject({ ended: 2, asked: 2 });
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

test('a worker that takes over from one that died asks for those that have no answer yet', async () => {
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

  expect(page).toEqual({ ended: 0, asked: 1, unreadable: 0, after: null });
  expect(world.requests.slice(before)).toEqual([`GET /${all[2].paymentId}/consents`]);
  const record = await getSubscription(world.deps.ledger, all[0].subscriptionId);
  expect(record).toMatchObject({ status: 'cancelled' });
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

test('goes on behind a batch whose subscriptions have all ended, and behind the place that it is given', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  for (let n = 0; n < LOOKED_AT_ONCE + 2; n += 1) await subscribe(ledger);
  const service = world.service({
    getConsent: async (id) => ({ kind: 'accepted', value: { paymentId: id as never, status: 'cancelled' } }),
  });
  const dueBy = world.clock.now() + DAY;
  const ask = (after: string | null): Promise<ConsentPage> =>
    lookAtConsentsDue(looking(world, { deps: { ...world.deps, service }, input: { dueBy, after } }));
  const [last] = (await readConsentsDue(ledger, dueBy, null, LOOKED_AT_ONCE + 2)).slice(-2);
  expect(await ask(`${last!.dueAt}/${last!.subscriptionId}`)).toMatchObject({ ended: 1, asked: 1, after: null });
  const others = LOOKED_AT_ONCE + 1;
  expect(await ask(null)).toMatchObject({ ended: others, asked: others, after: null });
});
