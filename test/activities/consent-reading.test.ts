import { ConsentReading } from '../../activities/collect/consent-reading';
import type { Consent } from '../../src/payment-service';
import { MINUTE } from '../../src/domain/time';
import { getSubscription, listAttention, recordUnreadableConsent } from '../../src/ledger';
import { type Subscribed, useWorld, type World } from './activity-world';

/** When the answer to a check of the consent is stored. */

const holder = useWorld();

/** A subscription whose consent was never checked, a reading of this consent, and a function for when the last answer was stored. */
async function createReading(status: Consent['status'] = 'successful') {
  const { world } = holder;
  const subscribed = await world.due();
  const { paymentId } = subscribed;
  const service = world.service({ getConsent: async () => ({ kind: 'accepted', value: { paymentId, status } }) });
  expect(await checkedAt(world, subscribed)).toBeNull();
  const reading = new ConsentReading({ ...world.deps, service }, subscribed);
  return { world, subscribed, reading, stored: () => checkedAt(world, subscribed) };
}

async function checkedAt({ deps }: World, { subscriptionId }: Subscribed) {
  return (await getSubscription(deps.ledger, subscriptionId))!.consent.checkedAt;
}

it('a granted consent is stored only at the end of the pass of an attempt', async () => {
  const { world, reading, stored } = await createReading();
  const now = world.clock.now();
  expect(await reading.check(true)).toEqual({ kind: 'granted' });
  expect(reading.answer).toMatchObject({ status: 'successful', at: now });
  expect(await stored()).toBeNull();
  await reading.end();
  expect(await stored()).toBe(now);
  expect(reading.answer).toBeNull();
});

it('a granted consent that the row of a send has stored is not stored again', async () => {
  const { reading, stored } = await createReading();
  await reading.check(true);
  reading.markRecorded();
  await reading.end();
  expect(await stored()).toBeNull();
});

it('a granted consent is stored at once if recent checks have failed, and only once', async () => {
  const { world, subscribed, reading, stored } = await createReading();
  const now = world.clock.now();
  reading.wasUnreadable = true;
  await reading.check(true);
  expect(await stored()).toBe(now);
  const { ledger } = world.deps;
  await ledger.query('update subscriptions set consent_checked_at = null where subscription_id = $1', [
    subscribed.subscriptionId,
  ]);
  await reading.end();
  expect(await stored()).toBeNull();
});

it('each pass of an attempt stores its own answer about the consent', async () => {
  const { world, reading, stored } = await createReading();
  await reading.check(true);
  await reading.end();
  world.clock.passUntil(world.clock.now() + MINUTE);
  await reading.check(true);
  await reading.end();
  expect(await stored()).toBe(world.clock.now());
});

it.each([
  ['before an attempt is sent, and is reported to an operator', true, [{ kind: 'consent_unreadable' }]],
  ['after a refusal, and is not reported', false, []],
])('a pending consent is stored at once if it is read %s', async (_which, isToBeSent, expected) => {
  const { world, subscribed, reading, stored } = await createReading('pending');
  const { deps, clock } = world;
  const failedBefore = { subscriptionId: subscribed.subscriptionId, at: clock.now(), reason: 'HTTP 500' };
  const long = deps.settings.settle;
  await recordUnreadableConsent(deps.ledger, { ...failedBefore, realAt: clock.realNow() - long }, long);
  expect(await reading.check(isToBeSent)).toEqual({ kind: 'pending' });
  expect(await stored()).toBe(clock.now());
  const { items } = await listAttention(deps.ledger, {}, { limit: 10, cursor: null });
  expect(items).toHaveLength(expected.length);
  expect(items).toMatchObject(expected);
});
