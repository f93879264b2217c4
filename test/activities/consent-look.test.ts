import { createActivities } from '../../activities';
import { type ConsentLooking, lookAtConsentsDue } from '../../activities/housekeeping/consents-due';
import type { ConsentPage } from '../../src/contract/housekeeping';
import type { SubscriptionId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { getSubscription } from '../../src/ledger';
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

const ids = (subscribed: readonly Subscribed[]) => subscribed.map(({ subscriptionId }) => subscriptionId);

/** Everything that has been due by now is within it. */
const look = (world: World, after: SubscriptionId | null = null) =>
  world.driver.drive(() => createActivities(world.deps).lookAtConsentsDue({ dueBy: world.clock.now(), after }));

test('answers whose consent has ended, at the bank or at our word, and keeps every answer', async () => {
  const { world } = holder;
  const [first, second, third] = (await several(world, 3)) as [Subscribed, Subscribed, Subscribed];
  world.sandbox.payer(second.paymentId).cancel();
  world.clock.pass(HOUR);

  const { result, stops, steps } = await look(world);

  expect(result).toEqual({ ended: [second.subscriptionId], asked: 3, unreadable: 0, after: null });
  expect([stops, steps.at(-1)]).toEqual([[], 'consents']);
  const known = async ({ subscriptionId }: Subscribed) =>
    (await getSubscription(world.deps.ledger, subscriptionId))?.consent;
  expect(await known(second)).toMatchObject({ status: 'cancelled', checkedAt: world.clock.now() });
  expect(await known(third)).toMatchObject({ status: 'successful', checkedAt: world.clock.now() });
  expect((await look(world, first.subscriptionId)).result).toMatchObject({ asked: 2 });
  expect((await look(world, third.subscriptionId)).result).toMatchObject({ asked: 0, after: null });
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
    ...{ ended: [all[2].subscriptionId], asked: 3, unreadable: 1, after: null },
  });
});

describe('where the service is away', () => {
  const away = { kind: 'not_sent', reason: 'connection refused' } as const;

  test('it is asked again from there, and nobody is left out', async () => {
    const { world } = holder;
    const all = await several(world, 12);
    let refused = 0;
    const getConsent: PaymentService['getConsent'] = (id) => {
      if (id !== all[0]?.paymentId && refused < 10) {
        refused += 1;
        return Promise.resolve(away);
      }
      return world.deps.service.getConsent(id);
    };
    const activities = createActivities({ ...world.deps, service: world.service({ getConsent }) });
    const dueBy = world.clock.now();
    const { result, stops } = await world.driver.drive(() => activities.lookAtConsentsDue({ dueBy, after: null }));
    expect(stops).toMatchObject([{ type: 'service_unreadable', message: 'consents: connection refused' }]);
    expect(result).toMatchObject({ asked: 12, unreadable: 0, after: null });
  });

  test('for an hour, it is left for the next day', async () => {
    const { world } = holder;
    await several(world, 12);
    const activities = createActivities({ ...world.deps, service: world.service({ getConsent: async () => away }) });
    const dueBy = world.clock.now();
    const begunAt = world.clock.realNow();
    const { result, stops } = await world.driver.drive(() => activities.lookAtConsentsDue({ dueBy, after: null }));
    expect(result).toEqual({ ended: [], asked: 10, unreadable: 10, after: null });
    expect(world.clock.realNow() - begunAt).toBeGreaterThanOrEqual(HOUR);
    expect(new Set(stops.map(({ type }) => type))).toEqual(new Set(['service_unreadable']));
  });
});

function looking(world: World, changes: Partial<ConsentLooking> = {}): ConsentLooking {
  return {
    ...{ deps: world.deps, input: { dueBy: world.clock.now(), after: null } },
    ...{ resumed: undefined, progress: () => undefined, age: () => 0, signal: new AbortController().signal },
    ...changes,
  };
}

test('whoever takes over from a worker that died goes on where it was', async () => {
  const { world } = holder;
  const all = await several(world, 4);
  for (const each of all) world.sandbox.payer(each.paymentId).cancel();
  const told: unknown[] = [];
  const dead = world.service({
    getConsent: (id) => {
      if (id === all[2]?.paymentId) throw new Error('the worker dies');
      return world.deps.service.getConsent(id);
    },
  });
  const progress = (step: string, details?: object) => void told.push({ step, ...details });
  await expect(lookAtConsentsDue(looking(world, { deps: { ...world.deps, service: dead }, progress }))).rejects.toThrow(
    'the worker dies',
  );
  const before = world.requests.length;

  const page = await lookAtConsentsDue(looking(world, { resumed: told.at(-1) }));

  expect(page).toEqual({ ended: ids(all), asked: 4, unreadable: 0, after: null });
  expect(world.requests.slice(before)).toEqual(all.slice(2).map(({ paymentId }) => `GET /${paymentId}/consents`));
});

test('stops between two questions where its worker stops', async () => {
  const { world } = holder;
  const all = await several(world, 2);
  const stopping = new AbortController();
  const service = world.service({
    getConsent: (id) => {
      stopping.abort(new Error('stopping'));
      return world.deps.service.getConsent(id);
    },
  });
  const run = lookAtConsentsDue(looking(world, { deps: { ...world.deps, service }, signal: stopping.signal }));
  await expect(run).rejects.toThrow('stopping');
  expect(world.requests.filter((each) => each === `GET /${all[1]?.paymentId ?? ''}/consents`)).toEqual([]);
});

test('answers a hundred ends at a time, and goes on behind them', async () => {
  const { world } = holder;
  const { ledger } = world.deps;
  for (let n = 0; n < 101; n += 1) await subscribe(ledger);
  const service = world.service({
    getConsent: async (id) => ({ kind: 'accepted', value: { paymentId: id as never, status: 'cancelled' } }),
  });
  const dueBy = world.clock.now() + DAY;
  const ask = (after: SubscriptionId | null): Promise<ConsentPage> =>
    lookAtConsentsDue(looking(world, { deps: { ...world.deps, service }, input: { dueBy, after } }));
  const first = await ask(null);
  expect([first.ended.length, first.asked]).toEqual([100, 100]);
  expect(first.after).toBe(first.ended.at(-1));
  const rest = await ask(first.after);
  expect(rest).toMatchObject({ asked: 1, after: null });
  expect(new Set([...first.ended, ...rest.ended]).size).toBe(101);
});
