import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import { getSubscription, steer } from '../../src/ledger';
import { AMOUNT, SETTLE, useWorld } from './activity-world';
import { listing, listsEach } from './listing';

const POST = { method: 'POST', path: '/authorizations$' } as const;
const LIST = { method: 'GET', path: '/authorizations$' } as const;

const holder = useWorld();

it.each([
  ['found later', true],
  ['settled as absent', false],
])(
  'an unknown outcome when the window closes is reported as unknown, is still polled, and is %s',
  async (_name, committed) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.clock.passUntil(subscribed.collectBy - MINUTE);
    world.sandbox.faults.add({ kind: committed ? 'lost_answer' : 'swallowed', match: POST });
    if (committed) world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
    const settled = await world.collect(world.input(subscribed));
    const unknown = await world.events(subscribed, 'attempt.unknown_past_window');
    expect(unknown).toMatchObject([{ at: subscribed.collectBy, data: { cycle: 0, attempt: 0, amount: AMOUNT } }]);
    expect(settled.result.kind).toBe(committed ? 'collected' : 'absent');
    expect(settled.stops.every(({ type }) => type === 'outcome_unknown' || type === 'pending')).toBe(true);
    expect((await world.collect(world.input(subscribed))).result.kind).toBe(committed ? 'collected' : 'absent');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, committed ? 1 : 0);
  },
);

it('an unknown outcome is reported once if the window ends during the run that has sent the attempt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
  const service = world.service({
    listAuthorizations: async (paymentId) => {
      if (world.posts(subscribed) > 0) world.clock.passUntil(subscribed.collectBy);
      return world.deps.service.listAuthorizations(paymentId);
    },
  });
  expect((await world.collect(world.input(subscribed), { service })).result.kind).toBe('unknown');
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toHaveLength(1);
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toHaveLength(1);
});

it.each([
  ['a millisecond before the window closes is not reported yet', -1, 0],
  ['at the end of the window is reported', 0, 1],
])('an unknown outcome %s', async (_when, ms, reports) => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
  await world.collectOnce(world.input(subscribed));
  world.clock.passUntil(subscribed.collectBy + ms);
  await world.collectOnce(world.input(subscribed));
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toHaveLength(reports);
});

it('a pending attempt is not reported as unknown when its window closes', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow');
  await world.collectOnce(world.input(subscribed));
  world.clock.passUntil(subscribed.collectBy);
  await world.collectOnce(world.input(subscribed));
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toEqual([]);
});

it('an unknown outcome when the window closes is reported as pending once found, so that it does not block later cycles', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-500000');
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  world.sandbox.faults.add({ kind: 'late_listing', delayMs: 10 * MINUTE, match: POST });
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('pending');
  expect(await world.events(subscribed, 'attempt.unknown_past_window')).toHaveLength(1);
  const { attention } = (await getSubscription(world.deps.ledger, subscribed.subscriptionId))!;
  expect(attention).toEqual(['pending_past_window:0']);
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'follow', attempt: { cycle: 0, attempt: 0 } });

  world.sandbox.settle(subscribed.paymentId);
  expect(await world.collect(world.following(subscribed))).toMatchObject({
    result: { kind: 'collected' },
    next: { kind: 'follow', attempt: { cycle: 0, attempt: 0 } },
  });
  const { next } = await world.collect(world.following(subscribed));
  expect(next).toMatchObject({ kind: 'finish', summary: 'its outcome is in the ledger' });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('an attempt that is pending when the window closes leaves the next due date unchanged if it succeeds after a skipped date', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-500000');
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  expect((await world.collect(world.input(subscribed))).result.kind).toBe('pending');
  const { subscriptionId, dueAt } = subscribed;
  const { clock, ledger } = world.deps;
  const request = { cycle: 1, actor: 'till', reason: null };
  const moment = { at: clock.now(), realAt: clock.realNow() };
  expect(await steer(ledger, 'skip', subscriptionId, request, moment)).toMatchObject({ kind: 'steered' });
  // The skipped cycle is due on 28 February, and the next one on 31 March.
  const next = dueAt + 59 * DAY;
  expect((await getSubscription(ledger, subscriptionId))?.nextDueAt).toBe(next);

  world.sandbox.settle(subscribed.paymentId);
  expect((await world.collect(world.following(subscribed))).result.kind).toBe('collected');

  expect((await getSubscription(ledger, subscriptionId))?.nextDueAt).toBe(next);
});

it('an unknown outcome when the window closes becomes unresolved if the service stays unavailable, and is still polled', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const cannot = { kind: 'unknown', reason: 'no complete answer' } as const;
  let down = false;
  const service = world.service({
    initiate: async (...call) => {
      const answer = await world.deps.service.initiate(...call);
      down = true;
      return answer;
    },
    listAuthorizations: async (paymentId) => (down ? cannot : world.deps.service.listAuthorizations(paymentId)),
  });
  await world.collectOnce(world.input(subscribed), { service });
  world.clock.passUntil(subscribed.collectBy);

  const first = await world.collectOnce(world.input(subscribed), { service });
  expect(first).toMatchObject({ type: 'outcome_unknown', message: expect.stringContaining('cannot be asked') });
  const from = world.clock.realNow();
  const { result } = await world.collect(world.input(subscribed), { service });
  expect(result).toEqual({ kind: 'unresolved', reason: 'the service cannot be asked: no complete answer' });
  expect(world.clock.realNow() - from).toBeGreaterThanOrEqual(SETTLE);

  const known = world.input(subscribed);
  const stopped = await world.collectOnce(known, { service });
  // An operator has been notified: it would not help to poll every minute.
  expect(stopped).toMatchObject({ type: 'outcome_unknown' });
  expect((stopped as { readonly wait: number }).wait).toBeGreaterThan(3 * MINUTE);
  down = false;
  expect((await world.collect(known, { service })).result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('an unknown outcome when the window closes does not become unresolved because of one failed list after the window', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.clock.passUntil(subscribed.collectBy - MINUTE);
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  await world.collectOnce(world.input(subscribed));
  world.clock.passUntil(subscribed.collectBy);
  world.sandbox.faults.add({ kind: 'error_before_commit', match: LIST });
  expect((await world.collect(world.input(subscribed))).result).toEqual({ kind: 'absent' });
});

it('in settle-only mode an attempt that was never started is not started', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  expect(await world.collect(world.following(subscribed))).toMatchObject({ result: { kind: 'stopped' }, stops: [] });
  expect(world.posts(subscribed)).toBe(0);
  expect(await world.sends(subscribed)).toEqual([]);
});

it('in settle-only mode an unresolved attempt that was never started remains unresolved while the service is unavailable', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  const ofAnotherAmount = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  const { result } = await world.collect(world.input(subscribed), ofAnotherAmount);
  expect(result).toMatchObject({ kind: 'unresolved' });
  world.clock.pass(SETTLE);
  world.sandbox.faults.add({ kind: 'error_before_commit', match: LIST });
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({
    type: 'outcome_unknown',
    message: expect.stringContaining('cannot be asked'),
  });
  expect(await world.events(subscribed, 'cycle.unresolved')).toHaveLength(1);
  expect(await world.sends(subscribed)).toEqual([]);
});

it('in settle-only mode a send that never arrived is settled inside the window and not repeated', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  await world.collectOnce(world.input(subscribed));
  await world.patch(subscribed, { stoppedBy: 'cancel' });
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'follow', attempt: { cycle: 0, attempt: 0 } });
  const { result } = await world.collect(world.following(subscribed));
  expect(result).toEqual({ kind: 'absent' });
  expect(world.clock.now()).toBeLessThan(subscribed.dueAt + DAY);
  expect(world.posts(subscribed)).toBe(1);
  expect(await world.sends(subscribed)).toHaveLength(1);
});
