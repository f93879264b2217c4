import type { Subscribed, World } from './activity-world';
import type { Stop } from './activity-driver';
import { useWorld } from './activity-world';
import { listing, listsEach, NO_ANSWER } from './listing';
import { euros } from '../../src/domain/money';
import { HOUR, MINUTE } from '../../src/domain/time';
import { listAttention, isRestoreNoticed, readAttempt, readMarkSecret, signMark } from '../../src/ledger';

/** An attempt that is still pending when its window closes is followed beside the cycles that come after. */

const holder = useWorld();

/** Creates an attempt that is pending at the service for days, and whose window has closed. */
async function pendingPastWindow(): Promise<{ world: World; subscribed: Subscribed }> {
  const { world } = holder;
  const subscribed = await world.due('slow-500000');
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('pending');
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'follow' });
  return { world, subscribed };
}

it('collecting and following finish at once if the ledger has no such subscription', async () => {
  const { world } = holder;
  const { next } = await world.collect(world.following({ subscriptionId: 'sub_none' as never }));
  expect(next).toMatchObject({ kind: 'finish' });
  expect(await world.collect(world.input({ subscriptionId: 'sub_none' as never }))).toMatchObject({
    next: { kind: 'finish' },
  });
});

it('following a send that no listed record fits leaves the send to an operator and polls at growing intervals until a record fits', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(
    world.input(subscribed),
    listing(world, { authorizations: noAnswerOncePosted(world, subscribed) }),
  );
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  const follow = (deps = {}) =>
    world.driver.once(() => world.activities(deps).followAttempt(following(world, subscribed)));
  const items = async () =>
    (await listAttention(world.deps.ledger, {}, { limit: 10, cursor: null })).items.map(({ kind }) => kind);
  const first = await follow(ofAnotherAmount);
  expect(first).toMatchObject({ type: 'outcome_unknown' });
  expect(await items()).toContain('unresolved');
  expect(await world.events(subscribed, 'cycle.unresolved')).toHaveLength(1);
  const waits: number[] = [];
  const onStop = ({ wait }: Stop) => {
    waits.push(wait);
    world.clock.pass(HOUR);
  };
  const asking = () => world.activities(ofAnotherAmount).followAttempt(following(world, subscribed));
  await expect(world.driver.drive(asking, { onStop, maxRuns: 3 })).rejects.toThrow('no answer after 3 runs');
  expect(waits.at(-1)).toBeGreaterThan(3 * MINUTE);
  expect(await world.events(subscribed, 'cycle.unresolved')).toHaveLength(1);
  const { result } = await world.collect(world.following(subscribed));
  expect(result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
});

it('following an attempt notices a restored ledger by the audit log position that its workflow passes on', async () => {
  const { world, subscribed } = await pendingPastWindow();
  const { ledger } = world.deps;
  const input = following(world, subscribed);
  const { mark } = await readAttempt(ledger, subscribed.subscriptionId, 0, 0);
  const secret = await readMarkSecret(ledger);
  const ask = (ahead: number) => {
    const seen = signMark(secret, { ...mark, entry: mark.entry + ahead });
    return world.driver.once(() => world.activities().followAttempt({ ...input, mark: seen }));
  };
  await ask(0);
  expect(await isRestoreNoticed(ledger)).toBe(false);
  await ask(1_000);
  expect(await isRestoreNoticed(ledger)).toBe(true);
});

/** Replaces the answer by an unreadable one as soon as a POST was made. */
function noAnswerOncePosted(world: World, subscribed: Subscribed) {
  return <T>(answer: T) => (world.posts(subscribed) > 0 ? NO_ANSWER : answer);
}

function following(world: World, subscribed: Subscribed) {
  return { ...world.reference(subscribed), cycle: 0, attempt: 0 };
}
