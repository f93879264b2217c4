import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { steer } from '../../src/ledger';
import { useWorld } from '../activities/activity-world';

const holder = useWorld();

it.each([
  ['an hour', HOUR, HOUR / 2],
  ['a day', DAY, HOUR],
])(
  'fault 14: an authorization that is pending for %s is sent once and collected',
  async (_long, pendingFor, longestWait) => {
    const { world } = holder;
    const subscribed = await world.due(`slow-${pendingFor / SECOND}`);
    const { result, stops } = await world.collect(world.input(subscribed), {}, { maxRuns: 2_000 });
    expect(result.kind).toBe('collected');
    expect(world.clock.now()).toBeGreaterThanOrEqual(subscribed.dueAt + pendingFor);
    const waits = stops.map(({ wait }) => wait);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(Math.max(...waits)).toBeLessThanOrEqual(longestWait);
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it('fault 14: an authorization that stays pending is polled at growing intervals to the end of the window, then reported at once, and still polled', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-500000');
  world.clock.passUntil(subscribed.collectBy - HOUR);
  const { result, stops } = await world.collect(world.input(subscribed));
  const [authorization] = world.sandbox.payment(subscribed.paymentId).authorizations;
  expect(result).toEqual({ kind: 'pending', authorizationId: authorization?.authorizationId });
  expect(world.clock.now()).toBe(subscribed.collectBy);
  expect(stops.length).toBeLessThan(100);
  expect(Math.max(...stops.map(({ wait }) => wait))).toBeLessThanOrEqual(HOUR);

  const stopped = await world.collectOnce(world.following(subscribed));
  expect(stopped).toMatchObject({ type: 'pending' });
  world.sandbox.settle(subscribed.paymentId);
  expect((await world.collect(world.following(subscribed))).result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 14: an authorization that stays pending to the end of the window can still be rejected afterwards', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - 100);
  world.sandbox.setWallet(subscribed.paymentId, 'rejected-late-once');
  const { result } = await world.collect(world.input(subscribed));
  expect(result.kind).toBe('pending');
  const late = await world.collect(world.following(subscribed));
  expect(late.result).toMatchObject({ kind: 'rejected', retryable: true, at: subscribed.collectBy - 100 });
});

it('fault 14: an authorization that stays pending is never deleted: cancelling ends only the consent, and the authorization is followed', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-500000');
  const input = world.input(subscribed);
  const stuck = await world.collectOnce(input);
  expect(stuck).toMatchObject({ type: 'pending' });
  const { clock, ledger } = world.deps;
  const moment = { at: clock.now(), realAt: clock.realNow() };
  await steer(ledger, 'cancel', subscribed.subscriptionId, { actor: 'ada', reason: null }, moment);
  await world.driver.drive(() => world.activities().cancelConsent(world.reference(subscribed)));
  world.sandbox.settle(subscribed.paymentId);
  expect((await world.collect(world.following(subscribed))).result.kind).toBe('collected');
  const deleted = world.requests.filter((each) => each.startsWith(`DELETE /${subscribed.paymentId}/`));
  expect(deleted).toEqual([`DELETE /${subscribed.paymentId}/consents`]);
  await world.expectLedgerEqual(subscribed, 1);
});
