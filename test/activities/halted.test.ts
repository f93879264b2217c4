import { createActivities } from '../../activities';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { applyChange, haltSending, liftHalt, orderRelease, readDraftProgress } from '../../src/ledger';
import { useWorld } from './activity-world';
import { hookedPool } from './crash-points';
import {
  createAuthorized,
  capture,
  capturePosts,
  draftPayment,
  orderedCapture,
  orderSends,
  paymentActivities,
  release,
  stepOf,
  auditEntriesOf,
} from './payment-world';
import { createCollected, placeRefund, refund, refundOnce, refundPosts, refundEntries } from './refund-world';

/** While all sending is halted, no money is moved. What is still inside its window is sent after the halt. */

const holder = useWorld();

const halt = () =>
  haltSending(holder.world.deps.ledger, { actor: 'ada', at: holder.world.clock.now(), reason: 'a secret why' });
const lift = () => liftHalt(holder.world.deps.ledger, { actor: 'ada', at: holder.world.clock.now(), reason: null });

afterEach(() => lift());

const HALTED = { type: 'halted', message: 'all sending is halted until the halt is lifted' };

it('an attempt makes no call to the service during a halt, and the audit log says once that it is halted', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await halt();
  const asked = world.requests.length;
  expect(await world.collectOnce(world.input(subscribed))).toEqual({ ...HALTED, wait: 500 });
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject(HALTED);
  expect(world.requests).toHaveLength(asked);
  expect(await world.sends(subscribed)).toEqual([]);
  expect(await world.events(subscribed, 'attempt.halted')).toMatchObject([
    { actor: 'dueday', data: { cycle: 0, attempt: 0 } },
  ]);
  expect(world.loggedAs('attempt.halted')).toEqual([]);
  expect(JSON.stringify(world.driver.seen)).not.toContain('a secret why');
});

it('an attempt is stopped without a row by a halt after its checks', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const before = async () => {
    await halt();
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /^begin.*advisory/, before });
  expect(await world.collectOnce(world.input(subscribed), { ledger })).toMatchObject(HALTED);
  expect(world.posts(subscribed)).toBe(0);
  expect(await world.sends(subscribed)).toEqual([]);
});

it('an attempt is made within a minute after a long halt is lifted', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await halt();
  let liftedAt = 0;
  const waits: number[] = [];
  const onStop = async ({ type, wait }: { type: string; wait: number }) => {
    if (type !== 'halted') return;
    waits.push(wait);
    if (liftedAt > 0 || world.clock.now() < subscribed.dueAt + HOUR) return;
    await lift();
    liftedAt = world.clock.now();
  };
  const { result } = await world.collect(world.input(subscribed), {}, { onStop });
  expect(result.kind).toBe('collected');
  expect(Math.max(...waits)).toBe(MINUTE);
  const [sending] = await world.events(subscribed, 'attempt.sending');
  expect(sending!.at - liftedAt).toBeLessThanOrEqual(MINUTE);
  await world.expectLedgerEqual(subscribed, 1);
});

it.each([30, 10, 3])('an attempt is still made if a halt ends %i seconds before the send limit', async (seconds) => {
  const { world } = holder;
  const subscribed = await world.due();
  await halt();
  const { collectBy: sendBefore } = subscribed;
  world.clock.passUntil(sendBefore - HOUR);
  let isLifted = false;
  const onStop = async ({ type, wait }: { type: string; wait: number }) => {
    if (type !== 'halted' || isLifted || world.clock.now() + wait <= sendBefore - seconds * SECOND) return;
    // The halt is lifted during the wait that starts now.
    isLifted = true;
    await lift();
  };
  const { result } = await world.collect(world.input(subscribed), {}, { onStop });
  expect(result.kind).toBe('collected');
});

it('an attempt waits and is never sent if the halt lasts to the end of its window', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await halt();
  const { collectBy: sendBefore } = subscribed;
  world.clock.passUntil(sendBefore - 10 * MINUTE);
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(result).toEqual({ kind: 'window_closed' });
  expect(new Set(stops.map(({ type }) => type))).toEqual(new Set(['halted']));
  expect(world.clock.now()).toBe(sendBefore);
  expect(world.posts(subscribed)).toBe(0);
});

it('an attempt that both a halt and a cancellation stop is reported as stopped, so that its workflow continues', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { subscriptionId } = subscribed;
  const change = { subscriptionId, key: 'stop', at: world.clock.now(), actor: 'ada', events: [] };
  await applyChange(world.deps.ledger, { ...change, subscription: { stoppedBy: 'cancel' } });
  await halt();
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ result: { kind: 'stopped' } });
});

it('an attempt that was sent before a halt is followed to its end during the halt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'pending' });
  await halt();
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
});

it('an unknown outcome is settled during a halt, and only a new send of the attempt waits', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'swallowed', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(world.input(subscribed));
  await halt();
  const types: string[] = [];
  const onStop = ({ type }: { type: string }) => {
    types.push(type);
    if (type === 'halted') throw new Error('it waits');
  };
  await expect(world.collect(world.input(subscribed), {}, { onStop })).rejects.toThrow('it waits');
  expect(types.filter((type) => type !== 'outcome_unknown')).toEqual(['halted']);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'not_sent' }]);
});

it('an order waits during a halt and is carried out after it', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const input = await placeRefund(world, subscribed);
  await halt();
  const asked = world.requests.length;
  expect(await refundOnce(world, input)).toEqual({ ...HALTED, wait: 500 });
  expect(await refundOnce(world, input)).toMatchObject(HALTED);
  expect(world.requests).toHaveLength(asked);
  expect(await refundEntries(world, input)).toEqual(['refund.requested', 'refund.halted']);
  await lift();
  expect((await refund(world, input)).result.kind).toBe('successful');
  expect(refundPosts(world, input)).toBe(1);
});

it('an order is stopped by a halt after its pre-send check', async () => {
  const { world } = holder;
  const input = await placeRefund(world, await createCollected(world));
  const before = async () => {
    await halt();
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /^begin.*advisory/, before });
  expect(await refundOnce(world, input, { ledger })).toMatchObject(HALTED);
  expect(refundPosts(world, input)).toBe(0);
});

it('an order for a capture fails without a request if the halt outlasts its deadline', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.clock.passUntil(input.captureBy - 5 * MINUTE);
  await halt();
  const { result, stops } = await capture(world, input);
  expect(result.kind).toBe('failed');
  expect(stops.every(({ type }) => type === 'halted')).toBe(true);
  expect(capturePosts(world)).toBe(0);
  expect(await orderSends(world, input.orderId)).toMatchObject([{ state: 'failed', detail: 'CAPTURE_PERIOD_ENDED' }]);
  expect((await auditEntriesOf(world, reference)).filter((type) => type === 'capture.halted')).toHaveLength(1);
});

it('a request for a consent is given up if sending is halted before it leaves', async () => {
  const { world } = holder;
  const requestId = await draftPayment(world);
  await halt();
  const asked = world.requests.length;
  const run = await world.driver.once(() => paymentActivities(world).requestPayment(stepOf({ requestId })));
  expect(run).toMatchObject({ result: { kind: 'finish' } });
  expect(await readDraftProgress(world.deps.ledger, 'payments', requestId)).toMatchObject({
    answer: { kind: 'unavailable', reason: HALTED.message },
  });
  expect(world.requests).toHaveLength(asked);
});

it('consents are still ended and payments released while sending is halted', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const reference = await createAuthorized(world);
  const order = { paymentId: reference.paymentId, reason: 'out of stock', actor: 'till', at: world.clock.now() };
  expect(await orderRelease(world.deps.ledger, order)).toMatchObject({ kind: 'ordered' });
  await halt();
  const activities = createActivities(world.deps);
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  await world.driver.drive(() => activities.cancelConsent(world.reference(subscribed)));
  const { result } = await release(world, reference);
  expect(result.show?.status).toBe('released');
  expect(world.requests).toContain(`DELETE /${subscribed.paymentId}/consents`);
});
