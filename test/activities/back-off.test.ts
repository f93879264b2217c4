import { MockActivityEnvironment } from '@temporalio/testing';
import { ApplicationFailure } from '@temporalio/common';
import { MINUTE, SECOND } from '../../src/domain/time';
import { purgeBackOffs, readStoredBackOff, steer, storeBackOff } from '../../src/ledger';
import type { Stop } from './activity-driver';
import { activitiesOf, type Subscribed, useWorld, type World } from './activity-world';
import { reachRetry } from './deliver-notice';
import { createCollected, placeRefund } from './refund-world';

/** The ledger stores when to check again, so a change that ends one activity and starts another does not reset the wait. */

const holder = useWorld();
const CONSENT = { method: 'GET', path: '/consents$' } as const;

/** Runs a new activity once, as after a change of its row, without moving the clock. @returns the stop that ends the run */
async function stopOf(world: World, work: () => Promise<unknown>, attempt = 1, since?: number): Promise<Stop> {
  const scheduledTimestampMs = since ?? world.clock.realNow();
  const environment = new MockActivityEnvironment({ scheduledTimestampMs, attempt, heartbeatTimeoutMs: 20_000 });
  const failure: unknown = await environment.run(work).catch((error: unknown) => error);
  if (!(failure instanceof ApplicationFailure)) throw new Error('it did not stop', { cause: failure });
  return { type: failure.type ?? '', message: failure.message, wait: Number(failure.nextRetryDelay) };
}

function collecting(world: World, subscribed: Subscribed): () => Promise<unknown> {
  const input = world.input(subscribed);
  return () => world.activities().collectPayment(input);
}

const keyOf = ({ subscriptionId }: Subscribed) => `${subscriptionId}/0/0`;

async function limited(world: World): Promise<Subscribed> {
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 600, match: CONSENT });
  await stopOf(world, collecting(world, subscribed));
  return subscribed;
}

/** A subscription as by `limited`, but with another type of stop in the ledger, and with a service that answers again. */
async function stoppedWith(world: World, type: string): Promise<Subscribed> {
  const subscribed = await limited(world);
  await world.deps.ledger.query('update back_offs set stop = $2 where key = $1', [keyOf(subscribed), type]);
  world.sandbox.faults.clear();
  return subscribed;
}

it('a new activity waits for the rest of Retry-After, gives the reason, and makes no call', async () => {
  const { world } = holder;
  const subscribed = await limited(world);
  world.sandbox.faults.clear();
  const asked = world.requests.length;
  world.clock.pass(10 * SECOND);
  const stop = await stopOf(world, collecting(world, subscribed));
  expect(stop).toMatchObject({ type: 'service_unreadable', message: expect.stringContaining('429') });
  expect(stop.wait).toBe(590 * SECOND);
  expect(world.requests).toHaveLength(asked);
  world.clock.pass(590 * SECOND);
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
});

it('a new activity continues the growing wait of the previous one', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: CONSENT, times: 1_000 });
  const driven = world.collect(world.input(subscribed), {}, { maxRuns: 40 });
  await expect(driven).rejects.toThrow('no answer after 40 runs');
  const { sinceReal = 0, againReal = 0 } = (await readStoredBackOff(world.deps.ledger, keyOf(subscribed))) ?? {};
  const { ledger } = world.deps;
  // A change starts a new activity just before the wait ends, and this activity runs when the wait has ended.
  world.clock.passUntilReal(againReal);
  const stop = await stopOf(world, collecting(world, subscribed), 1, againReal - 1);
  expect(stop).toMatchObject({ message: expect.stringContaining('503'), wait: MINUTE });
  const continued = await readStoredBackOff(ledger, keyOf(subscribed));
  expect(continued?.sinceReal).toBe(sinceReal);
});

it('a back-off that has ended does not make the next one longer', async () => {
  const { world } = holder;
  const subscribed = await limited(world);
  world.clock.pass(600 * SECOND);
  world.sandbox.faults.clear();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: CONSENT });
  expect((await stopOf(world, collecting(world, subscribed))).wait).toBe(500);
});

it('a consent check by an operator ends the back-off', async () => {
  const { world } = holder;
  const subscribed = await limited(world);
  world.sandbox.faults.clear();
  await world.driver.drive(() => world.activities().checkConsent(subscribed));
  expect((await world.collect(world.input(subscribed))).stops.map(({ type }) => type)).not.toContain(
    'service_unreadable',
  );
});

it('an operator’s request for a retry ends the back-off, but a pause does not', async () => {
  const { world } = holder;
  const { ledger, clock } = world.deps;
  const subscribed = await world.due('insufficient-funds-once');
  await world.collect(world.input(subscribed));
  await reachRetry(world, subscribed);
  const { subscriptionId } = subscribed;
  const key = `${subscriptionId}/0/1`;
  const real = world.clock.realNow();
  const waits = {
    sinceReal: real,
    notedReal: real,
    againReal: real + MINUTE,
    stop: 'not_sent',
    reason: 'no connection',
  };
  await storeBackOff(ledger, key, waits);
  const by = { actor: 'operator', reason: null };
  const moment = { at: clock.now(), realAt: real, owner: 'test' };
  await steer(ledger, 'pause', subscriptionId, { ...by, until: null }, moment);
  await steer(ledger, 'resume', subscriptionId, by, moment);
  expect(await readStoredBackOff(ledger, key)).toEqual(waits);
  expect(await steer(ledger, 'retry', subscriptionId, { ...by, cycle: 0, retryAt: null }, moment)).toMatchObject({
    kind: 'steered',
  });
  expect(await readStoredBackOff(ledger, key)).toBeNull();
});

it('a back-off applies to one attempt only, and lapses if the clock is set back', async () => {
  const { world } = holder;
  const [subscribed, other] = [await limited(world), await world.due()];
  world.sandbox.faults.clear();
  expect(await stopOf(world, collecting(world, other))).toMatchObject({ type: 'pending' });
  const { ledger } = world.deps;
  await ledger.query(`update back_offs set noted_real_at = again_real_at where key = $1`, [keyOf(subscribed)]);
  expect(await stopOf(world, collecting(world, subscribed))).toMatchObject({ type: 'pending' });
});

it('a later run of the same activity does not wait again, because Temporal has already waited', async () => {
  const { world } = holder;
  const subscribed = await limited(world);
  world.sandbox.faults.clear();
  const since = world.clock.realNow();
  // The clocks of Temporal and of the worker differ a little.
  world.clock.pass(600 * SECOND - 1);
  expect(await stopOf(world, collecting(world, subscribed), 2, since)).toMatchObject({ type: 'pending' });
});

it.each(['pending', 'outcome_unknown', 'clocks_differ'])(
  'a new activity sits out the wait of the previous one, which stopped with %s, and makes no call',
  async (type) => {
    const { world } = holder;
    const subscribed = await stoppedWith(world, type);
    const asked = world.requests.length;
    const stop = await stopOf(world, collecting(world, subscribed));
    expect(stop).toMatchObject({ type, wait: 600 * SECOND });
    expect(world.requests).toHaveLength(asked);
  },
);

it.each(['blocked', 'of another release'])(
  'a new activity does not wait if the previous one stopped with "%s"',
  async (type) => {
    const { world } = holder;
    const subscribed = await stoppedWith(world, type);
    expect(await stopOf(world, collecting(world, subscribed))).toMatchObject({ type: 'pending' });
  },
);

it('a new activity does not wait if a halt stopped the previous one', async () => {
  const { world } = holder;
  const subscribed = await stoppedWith(world, 'halted');
  expect(await stopOf(world, collecting(world, subscribed))).toMatchObject({ type: 'pending' });
});

it('a new activity of a refund waits for the rest of Retry-After, too', async () => {
  const { world } = holder;
  const order = await placeRefund(world, await createCollected(world));
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 600, match: { method: 'GET', path: '/refunds$' } });
  const refunding = () => activitiesOf(world).refundPayment(order);
  await stopOf(world, refunding);
  world.sandbox.faults.clear();
  world.clock.pass(MINUTE);
  expect(await stopOf(world, refunding)).toMatchObject({ type: 'service_unreadable', wait: 9 * MINUTE });
});

it('a back-off is removed a day after its end', async () => {
  const { world } = holder;
  const subscribed = await limited(world);
  const { ledger } = world.deps;
  const { againReal = 0 } = (await readStoredBackOff(ledger, keyOf(subscribed))) ?? {};
  await purgeBackOffs(ledger, againReal + 24 * 60 * MINUTE);
  expect(await readStoredBackOff(ledger, keyOf(subscribed))).not.toBeNull();
  await purgeBackOffs(ledger, againReal + 24 * 60 * MINUTE + 1);
  expect(await readStoredBackOff(ledger, keyOf(subscribed))).toBeNull();
});
