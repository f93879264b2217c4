import type { Dependencies } from '../../activities';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { SETTLE, useWorld, type World } from '../activities/activity-world';
import { SetClock } from '../activities/set-clock';
import {
  createCollected,
  placeRefund,
  refund,
  refundOnce,
  refundPosts,
  refundEntries,
} from '../activities/refund-world';

const holder = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;

/** The clock is set between the row and the POST. */
function setBeforePost(world: World, clock: SetClock, offset: number): Partial<Dependencies> {
  let first = true;
  const initiate: Dependencies['service']['initiate'] = (...call) => {
    if (first) clock.set(offset);
    first = false;
    return world.deps.service.initiate(...call);
  };
  return { clock, service: world.service({ initiate }) };
}

it.each([
  ['a millisecond', 1],
  ['an hour', HOUR],
  ['six days', 6 * DAY],
])(
  'fault 22: after a clock was set back by %s before an attempt, nothing is sent before the due date',
  async (_long, back) => {
    const { world } = holder;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    clock.set(-back);
    const early = await world.driver.once(() => world.activities({ clock }).collectPayment(world.input(subscribed)));
    const again = { kind: 'wait', until: subscribed.dueAt, then: { cycle: 0, attempt: 0 } };
    expect(early).toMatchObject({ result: again });
    expect(await world.sends(subscribed)).toEqual([]);

    clock.set(0);
    expect((await world.collect(world.input(subscribed), { clock })).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it.each([
  ['an hour', HOUR],
  ['six days', 6 * DAY],
])(
  'fault 22: after a clock was set back by %s between the row and the POST, nothing is sent before the due date',
  async (_long, back) => {
    const { world } = holder;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    const deps = setBeforePost(world, clock, -back);
    const stop = await world.driver.once(() => world.activities(deps).collectPayment(world.input(subscribed)));
    expect(stop).toMatchObject({ type: 'not_sent', message: 'fenced' });
    expect(world.posts(subscribed)).toBe(0);

    clock.set(0);
    expect((await world.collect(world.input(subscribed), deps)).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it.each([
  ['an hour', HOUR, 'collected', 1],
  ['six days', 6 * DAY, 'window_closed', 0],
] as const)(
  'fault 22: after a clock was set forward by %s between the row and the POST, that POST is not sent',
  async (_long, on, kind, posts) => {
    const { world } = holder;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    const deps = setBeforePost(world, clock, on);
    const stop = await world.driver.once(() => world.activities(deps).collectPayment(world.input(subscribed)));
    expect(stop).toMatchObject({ type: 'not_sent', message: 'fenced' });
    expect(world.posts(subscribed)).toBe(0);

    expect((await world.collect(world.input(subscribed), deps)).result.kind).toBe(kind);
    expect(world.posts(subscribed)).toBe(posts);
    await world.expectLedgerEqual(subscribed, posts);
  },
);

it('fault 22: if a clock was set forward by an hour right after the check and the answer was lost, a debit that seems older than its send is handed to an operator', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const service = world.service({
    // By the worker's clock, which was set forward meanwhile, the debit seems to be an hour older than it is.
    listAuthorizations: async (paymentId) => {
      const answer = await world.deps.service.listAuthorizations(paymentId);
      if (answer.kind !== 'accepted') return answer;
      return { ...answer, value: answer.value.map((each) => ({ ...each, createdAt: each.createdAt - HOUR })) };
    },
  });
  const { result } = await world.collect(world.input(subscribed), { service });
  expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('do not fit') });
  expect(world.posts(subscribed)).toBe(1);
});

it.each([
  ['30 s behind', -30 * SECOND],
  ['a minute behind', -MINUTE],
  ['30 s ahead', 30 * SECOND],
  ['a minute ahead', MINUTE],
])(
  'fault 30: a debit that is listed after the settle time is sent once if the clock of the service is %s',
  async (_how, ahead) => {
    const { world } = holder;
    world.serviceClock.ahead = ahead;
    const subscribed = await world.due();
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    // Two lists agree that there is no debit, at the settle time and a minute later; but the captures show one.
    world.sandbox.faults.add({ kind: 'late_listing', delayMs: SETTLE + 90 * SECOND, match: POST });
    const { result } = await world.collect(world.input(subscribed));
    expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('which matches no attempt') });
    expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
    expect(world.posts(subscribed)).toBe(1);
  },
);

it.each([
  ['behind', -MINUTE - 3 * SECOND],
  ['ahead of', MINUTE + 3 * SECOND],
])(
  'fault 30: while the clock of the service is more than a minute %s ours, nothing is sent and operators are alerted once; sending continues once both agree',
  async (which, ahead) => {
    const { world } = holder;
    const subscribed = await world.due();
    world.serviceClock.ahead = ahead;
    const onStop = (_stop: unknown, runs: number) => {
      if (runs <= 5) expect(world.posts(subscribed)).toBe(0);
      if (runs === 5) world.serviceClock.ahead = 0;
    };
    const { result, stops } = await world.collect(world.input(subscribed), {}, { onStop });
    expect(result.kind).toBe('collected');
    expect(stops.slice(0, 5)).toMatchObject(
      Array(5).fill({ type: 'clocks_differ', message: expect.stringContaining(which) }),
    );
    expect(await world.events(subscribed, 'attempt.clocks_differ')).toHaveLength(1);
    expect(world.loggedAs('attempt.clocks_differ')).toHaveLength(5);
    await world.expectLedgerEqual(subscribed, 1);
  },
);

it("fault 30: nothing is sent until the window closes if the service's clock differs from ours by more than a minute all that time", async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.serviceClock.ahead = HOUR;
  world.clock.passUntil(subscribed.collectBy - 3 * MINUTE);
  const { result, stops } = await world.collect(world.input(subscribed));
  expect(result).toEqual({ kind: 'window_closed' });
  expect(world.clock.now()).toBe(subscribed.collectBy);
  expect(stops.length).toBeLessThan(60);
  expect(await world.sends(subscribed)).toEqual([]);
});

it('fault 30: a refund also waits while the clock of the service differs from ours by more than a minute', async () => {
  const { world } = holder;
  const subscribed = await createCollected(world);
  const order = await placeRefund(world, subscribed);
  world.serviceClock.ahead = -HOUR;
  expect(await refundOnce(world, order)).toMatchObject({ type: 'clocks_differ' });
  expect(await refundOnce(world, order)).toMatchObject({ type: 'clocks_differ' });
  expect(refundPosts(world, order)).toBe(0);
  expect(await refundEntries(world, order)).toEqual(['refund.requested', 'refund.clocks_differ']);
  world.serviceClock.ahead = 0;
  expect((await refund(world, order)).result.kind).toBe('successful');
  expect(refundPosts(world, order)).toBe(1);
});

it.each([
  ['an hour forward', HOUR, 'collected'],
  ['an hour back', -HOUR, 'collected'],
  ['six days forward', 6 * DAY, 'pending'],
  ['six days back', -6 * DAY, 'collected'],
])(
  'fault 22: a debit whose answer was lost while the clock was set %s is found by GET and never sent again',
  async (_how, offset, kind) => {
    const { world } = holder;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    const onStop = () => clock.set(offset);
    const { result } = await world.collect(world.input(subscribed), { clock }, { onStop });
    expect(result.kind).toBe(kind);
    clock.set(0);
    const asked = kind === 'pending' ? world.following(subscribed) : world.input(subscribed);
    expect((await world.collect(asked, { clock })).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  },
);
