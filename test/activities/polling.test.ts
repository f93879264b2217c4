import { MockActivityEnvironment } from '@temporalio/testing';
import { type Polling, SlotPolling } from '../../activities/polling';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time';
import { useWorld, type World } from './activity-world';

/** A wait so long that no test waits until it ends. */
const LONG = HOUR;

/** Waits within an activity, in a slot, as the polling code does. @returns whether the slot was kept for the whole wait */
function waiting(polling: Polling, ms: number, environment = new MockActivityEnvironment()): Promise<boolean> {
  return environment.run(() => polling.hold(() => polling.wait(ms)));
}

it('a polling attempt waits in its slot while at least half of them are free', async () => {
  expect(await waiting(new SlotPolling(2), 1)).toBe(true);
});

it('a polling attempt leaves its slot if more than half are taken', async () => {
  const polling = new SlotPolling(3);
  let leave = () => undefined as void;
  const other = polling.hold(() => new Promise<void>((resolve) => (leave = resolve)));
  expect(await waiting(polling, LONG)).toBe(false);
  leave();
  await other;
  expect(await waiting(polling, 1)).toBe(true);
});

it('a polling attempt leaves its slot when the worker stops, whether it already waits or starts to', async () => {
  const polling = new SlotPolling(10);
  const waits = waiting(polling, LONG);
  polling.stop();
  expect(await waits).toBe(false);
  expect(await waiting(polling, LONG)).toBe(false);
});

it('a polling attempt leaves its slot when its activity is cancelled', async () => {
  const polling = new SlotPolling(10);
  const environment = new MockActivityEnvironment();
  const waits = waiting(polling, LONG, environment);
  environment.cancel();
  expect(await waits).toBe(false);
});

describe('collectPayment', () => {
  const BOOKED_IN = 20 * SECOND;
  const stage = useWorld({ sandbox: { bookingDelayMs: BOOKED_IN } });
  const onClock = ({ clock }: World): Polling => ({
    hold: (work) => work(),
    async wait(ms) {
      clock.pass(ms);
      return true;
    },
  });

  it('a debit that is pending is polled in one run if it is booked within half a minute', async () => {
    const { world } = stage;
    const subscribed = await world.due();
    const { result, stops } = await world.collect(world.input(subscribed), { polling: onClock(world) });
    expect(result).toMatchObject({ kind: 'collected' });
    expect(stops).toEqual([]);
    expect(world.posts(subscribed)).toBe(1);
    await world.expectLedgerEqual(subscribed, 1);
  });

  it('a debit that is pending is polled by later runs after half a minute, at intervals of half its age', async () => {
    const { world } = stage;
    const subscribed = await world.due('slow-300');
    const startedAt = world.clock.realNow();
    const ages: number[] = [];
    const { result, stops } = await world.collect(
      world.input(subscribed),
      { polling: onClock(world) },
      { onStop: () => void ages.push(world.clock.realNow() - startedAt) },
    );
    expect(result).toMatchObject({ kind: 'collected' });
    // The run polls until its last moment: a bank that takes a minute then costs three dispatches, never four.
    expect(ages[0]).toBe(30 * SECOND);
    stops.forEach(({ type, wait }, index) => {
      expect(type).toBe('pending');
      expect(Math.abs(wait - Math.max(ages[index]! / 2, 500))).toBeLessThanOrEqual(1);
    });
    expect(world.posts(subscribed)).toBe(1);
  });

  it('a debit that is pending leaves its slot at once if other work needs it, and nothing is sent again', async () => {
    const { world } = stage;
    const subscribed = await world.due();
    const { stops } = await world.collect(world.input(subscribed));
    expect(stops.length).toBeGreaterThan(1);
    expect(world.posts(subscribed)).toBe(1);
  });

  it('a debit that is pending is polled again after at most an hour', async () => {
    const { world } = stage;
    const subscribed = await world.due(`slow-${10 * 3600}`);
    const { stops } = await world.collect(world.input(subscribed));
    expect(Math.max(...stops.map(({ wait }) => wait))).toBe(HOUR);
    expect(stops.length).toBeLessThan(60);
    expect(stops[0]!.wait).toBeLessThan(MINUTE);
  });
});
