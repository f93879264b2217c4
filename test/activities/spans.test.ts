import { euros } from '../../src/domain/money';
import { inTraceOf } from '../../src/platform/tracing';
import { traced } from '../tracing/traces-on';
import { AMOUNT, useWorld } from './activity-world';
import { listing, listsEach, noAnswer } from './listing';

/** Each phase of an attempt is a span, with the same name as in docs/traces. */

const holder = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;
const PHASES = /attempt$|^check again$/;

/** The phases that were traced, each once, in the order of their first end. */
async function phasesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { spans } = await traced(() => inTraceOf({}, 'collectPayment', work));
  return [...new Set(spans.map(({ name }) => name).filter((name) => PHASES.test(name)))];
}

it('the spans of an attempt are send and poll', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const phases = await phasesOf(() => world.collect(world.input(subscribed)));
  expect(phases).toEqual(['send attempt', 'poll attempt']);
});

it('the span of an attempt that was sent before is poll alone', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-60');
  await world.collectOnce(world.input(subscribed));
  const phases = await phasesOf(() => world.collect(world.input(subscribed)));
  expect(phases).toEqual(['poll attempt']);
});

it('the span of the activity shows the result of the attempt', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { spans } = await traced(() => inTraceOf({}, 'collectPayment', () => world.collect(world.input(subscribed))));
  const results = spans.flatMap(({ attributes }) => attributes['dueday.result'] ?? []);
  expect(results).toEqual(['collected']);
});

it('the spans of an attempt with a lost answer are send, settle and poll', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  const phases = await phasesOf(() => world.collect(world.input(subscribed)));
  expect(phases).toEqual(['send attempt', 'settle attempt', 'poll attempt']);
});

it('the span of an attempt in settle-only mode is check', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  await world.collect(world.input(subscribed), listing(world, { authorizations: listsEach({ amount: euros(1) }) }));
  const phases = await phasesOf(() =>
    world.collectOnce(world.input(subscribed), listing(world, { authorizations: noAnswer })),
  );
  expect(phases).toEqual(['check attempt']);
});
