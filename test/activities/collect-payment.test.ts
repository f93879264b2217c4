import { DAY } from '../../src/domain/time';
import { AMOUNT, useWorld } from './activity-world';

const holder = useWorld();

it('an attempt that succeeds shows its steps and records authorization, capture and their times', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result, next, stops, steps } = await world.collect(world.input(subscribed));
  const [debit] = world.debits(subscribed);
  expect(result).toEqual({
    kind: 'collected',
    authorizationId: debit?.authorizationId,
    captureId: debit?.captureId,
    at: subscribed.dueAt,
  });
  expect(next).toMatchObject({ kind: 'wait', until: subscribed.dueAt + 28 * DAY, then: { cycle: 1, attempt: 0 } });
  expect(next.mark).toEqual({
    epoch: expect.any(Number) as number,
    entry: expect.any(Number) as number,
    mac: expect.stringMatching(/^[\w-]{22}$/) as string,
  });
  expect(steps.filter((step, index) => steps.indexOf(step) === index)).toEqual([
    'consent',
    'pre-send check',
    'authorization',
    'capture',
  ]);
  expect(new Set(stops.map(({ type }) => type))).toEqual(new Set(['pending']));
  expect(world.posts(subscribed)).toBe(1);
  expect(await world.sends(subscribed)).toMatchObject([
    { attempt: 0, send: 0, state: 'successful', amount: AMOUNT, authorizationId: debit?.authorizationId },
  ]);
});

it('an attempt that has succeeded is not made again, and does not call the service', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result } = await world.collect(world.input(subscribed));
  const asked = world.requests.length;
  expect((await world.collect(world.input(subscribed))).result).toEqual(result);
  expect(world.requests).toHaveLength(asked);
});
