import type { Dependencies } from '../../activities';
import type { Clock } from '../../src/clock';
import { toBusiness } from '../../src/domain/business-clock';
import { DAY, HOUR, MINUTE } from '../../src/domain/instant';
import { useWorld, type World } from '../activities/activity-world';

const test = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;

/** The clock of the worker's machine, which somebody sets; Temporal's and the service's go right. */
class SetClock implements Clock {
  readonly setting;
  private offset = 0;

  constructor(private readonly right: World['clock']) {
    this.setting = right.setting;
  }

  now = () => toBusiness(this.setting, this.realNow());
  realNow = () => this.right.realNow() + this.offset;

  /** Ms; negative: back. */
  set(offset: number): void {
    this.offset = offset;
  }
}

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

describe('a clock set back', () => {
  it.each([
    ['a millisecond', 1],
    ['an hour', HOUR],
    ['six days', 6 * DAY],
  ])('fault 22: by %s before an attempt: nothing leaves until the due date has come', async (_long, back) => {
    const { world } = test;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    clock.set(-back);
    const stop = await world.driver.once(() => world.activities({ clock }).collectPayment(world.input(subscribed)));
    expect(stop).toMatchObject({ type: 'not_sent', message: expect.stringContaining('due date has not come') });
    expect((stop as { pause: number }).pause).toBeLessThanOrEqual(MINUTE);
    expect(await world.sends(subscribed)).toEqual([]);

    clock.set(0);
    expect((await world.collect(world.input(subscribed), { clock })).result.kind).toBe('collected');
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  });

  it.each([
    ['an hour', HOUR],
    ['six days', 6 * DAY],
  ])(
    'fault 22: by %s between the row and the POST: nothing leaves until the due date has come',
    async (_long, back) => {
      const { world } = test;
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
});

describe('a clock set forward', () => {
  it.each([
    ['an hour', HOUR, 'collected', 1],
    ['six days', 6 * DAY, 'window_closed', 0],
  ] as const)(
    'fault 22: by %s between the row and the POST: that POST does not leave',
    async (_long, on, kind, posts) => {
      const { world } = test;
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

  it('fault 22: by an hour, and the answer lost: a debit that seems made before it was sent is for a person', async () => {
    const { world } = test;
    const subscribed = await world.due();
    const clock = new SetClock(world.clock);
    clock.set(HOUR);
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    const { result } = await world.collect(world.input(subscribed), { clock });
    expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('do not fit') });
    expect(world.posts(subscribed)).toBe(1);
  });
});

it.each([
  ['an hour forward', HOUR, 'collected'],
  ['an hour back', -HOUR, 'collected'],
  ['six days forward', 6 * DAY, 'pending'],
  ['six days back', -6 * DAY, 'collected'],
])('fault 22: a clock set %s with an answer lost: found by asking, never sent again', async (_how, offset, kind) => {
  const { world } = test;
  const subscribed = await world.due();
  const clock = new SetClock(world.clock);
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const onStop = () => clock.set(offset);
  const { result } = await world.collect(world.input(subscribed), { clock }, { onStop });
  expect(result.kind).toBe(kind);
  clock.set(0);
  const asked = world.input(subscribed, { parked: kind === 'pending', settleOnly: kind === 'pending' });
  expect((await world.collect(asked, { clock })).result.kind).toBe('collected');
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});
