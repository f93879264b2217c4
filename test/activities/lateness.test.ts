import { type Dependencies, NO_COUNTING } from '../../activities';
import { HOUR, MINUTE } from '../../src/domain/time';
import { FROZEN, useWorld } from './activity-world';

/** What the metrics count while attempts are made: how late each POST is, and the outcome of each attempt. */

const holder = useWorld();
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

it('the lateness of a POST is the business time since its attempt was planned', async () => {
  const { world } = holder;
  const subscribed = await world.due('approves', {}, { ...FROZEN, spread: HOUR });
  const { lateness, outcomes, counting } = counted();
  world.clock.pass(3 * HOUR);
  await world.collect(world.input(subscribed), { counting });
  expect(lateness).toEqual([2 * HOUR]);
  expect(outcomes).toEqual(['pending', 'successful']);
});

it('lateness and outcome of an attempt are counted only by the run that makes it, not by a later run of the same attempt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const input = world.input(subscribed);
  await world.collect(input);
  const { lateness, outcomes, counting } = counted();
  await world.collect(input, { counting });
  expect([lateness, outcomes]).toEqual([[], []]);
});

it('the lateness of a POST includes the time since earlier POSTs that the service did not process', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', match: POST, retryAfter: 600 });
  const { lateness, outcomes, counting } = counted();
  await world.collect(world.input(subscribed), { counting });
  expect(outcomes).toEqual(['not_sent', 'pending', 'successful']);
  expect(lateness).toEqual([10 * MINUTE]);
});

it('the lateness of a POST is counted even if its answer is lost', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const { lateness, outcomes, counting } = counted();
  await world.collect(world.input(subscribed), { counting });
  expect(lateness).toEqual([0]);
  expect(outcomes).toEqual(['unknown', 'pending', 'successful']);
});
