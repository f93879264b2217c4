import { type Dependencies, NO_COUNTING } from '../../activities';
import { HOUR, MINUTE } from '../../src/domain/time';
import { FROZEN, useWorld } from './activity-world';

/** How attempts are counted as they are made: by how much a POST is late, and what became of each. */

const test = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;

function counted() {
  const [lateness, outcomes]: [number[], string[]] = [[], []];
  const counting: Dependencies['counting'] = {
    ...NO_COUNTING,
    recordLateness: (ms) => void lateness.push(ms),
    recordAttempt: (outcome) => void outcomes.push(outcome),
  };
  return { lateness, outcomes, counting };
}

it('a POST is late by the business time since the instant that its attempt was planned for', async () => {
  const { world } = test;
  const subscribed = await world.due('approves', {}, { ...FROZEN, spread: HOUR });
  const { lateness, outcomes, counting } = counted();
  world.clock.pass(3 * HOUR);
  await world.collect(world.input(subscribed), { counting });
  expect(lateness).toEqual([2 * HOUR]);
  expect(outcomes).toEqual(['pending', 'successful']);
});

it('an attempt that is asked for again, once it is sent, is counted no more', async () => {
  const { world } = test;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  await world.collect(input);
  const { lateness, outcomes, counting } = counted();
  await world.collect(input, { counting });
  expect([lateness, outcomes]).toEqual([[], []]);
});

it('a POST that was turned away unread is none: the one that is taken is late by the whole time', async () => {
  const { world } = test;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', match: POST, retryAfter: 600 });
  const { lateness, outcomes, counting } = counted();
  await world.collect(world.input(subscribed), { counting });
  expect(outcomes).toEqual(['not_sent', 'pending', 'successful']);
  expect(lateness).toEqual([10 * MINUTE]);
});

it('an answer that is lost is a POST that left', async () => {
  const { world } = test;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { lateness, outcomes, counting } = counted();
  await world.collect(world.input(subscribed), { counting });
  expect(lateness).toEqual([0]);
  expect(outcomes).toEqual(['unknown', 'pending', 'successful']);
});
