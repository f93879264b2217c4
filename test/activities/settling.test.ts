import type { AuthorizationId } from '../../src/domain/ids';
import { MINUTE, SECOND } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { PaymentService } from '../../src/payment-service';
import { SETTLE, type Subscribed, useWorld, type World } from './activity-world';
import { listing, lists, listsEach, listsNothing, NO_ANSWER, noAnswer } from './listing';

/** When an unknown outcome counts as settled, and what an attempt polls and writes until then. */

const holder = useWorld();
const POST = { method: 'POST', path: '/authorizations$' } as const;

/** Sends an attempt whose POST or answer is lost. @returns its subscription, after the activity has stopped once */
async function createUnknownOutcome(world: World, kind: 'swallowed' | 'lost_answer'): Promise<Subscribed> {
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind, match: POST });
  const service = kind === 'swallowed' ? {} : listing(world, { authorizations: listsNothing });
  const stop = await world.collectOnce(world.input(subscribed), service);
  expect(stop).toMatchObject({ type: 'outcome_unknown', message: 'the service does not list what was sent' });
  return subscribed;
}

/** Passes time until this many real ms have passed since the send. */
async function passSinceSent(world: World, subscribed: Subscribed, ms: number): Promise<void> {
  const [row] = await world.sends(subscribed);
  world.clock.passUntilReal(row!.sendingRealAt + ms);
}

/** Checks once. @returns how the activity ended, how many checks in a row have found nothing, and the state of the send */
async function check(world: World, subscribed: Subscribed, deps: Parameters<World['activities']>[0] = {}) {
  const input = world.input(subscribed);
  const end = await world.collectOnce(input, deps);
  const [row] = await world.sends(subscribed);
  return { end, checks: row?.absentChecks, state: row?.state };
}

it.each([
  ['is not counted as absent a millisecond before the settle time ends', -1, 0],
  ['is counted as absent when the settle time ends', 0, 1],
  ['is counted as absent a millisecond later', 1, 1],
])('a send that the service does not list: %s', async (_when, ms, checks) => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'swallowed');
  await passSinceSent(world, subscribed, SETTLE + ms);
  const seen = await check(world, subscribed);
  expect(seen).toMatchObject({ checks, state: 'unknown' });
  if (ms < 0) expect(seen.end).toMatchObject({ wait: -ms });
});

it('a send that the service does not list counts as never made only after two consecutive absences, and the count restarts after an unclear list', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'lost_answer');
  const absent = listing(world, { authorizations: listsNothing, captures: listsNothing });
  const unclear = listing(world, { authorizations: listsEach({ amount: euros(1) }) });
  world.clock.pass(SETTLE);
  expect(await check(world, subscribed, absent)).toMatchObject({ checks: 1, state: 'unknown' });
  expect(await check(world, subscribed, unclear)).toMatchObject({ checks: 0, state: 'unresolved' });
  expect(await check(world, subscribed, absent)).toMatchObject({ checks: 1 });
  expect(await check(world, subscribed, absent)).toMatchObject({ end: { result: { kind: 'absent' } } });
  expect(await world.sends(subscribed)).toMatchObject([
    { state: 'not_sent', reason: 'absent after the settle time, twice in a row' },
  ]);
});

it('a send that another worker settles while its list is read is neither counted as absent nor sent again', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'lost_answer');
  world.clock.pass(SETTLE);
  let isSettled = false;
  const meanwhile = async () => {
    if (!isSettled) {
      isSettled = true;
      expect((await world.collect(world.input(subscribed))).result.kind).toBe('collected');
    }
    return listsNothing();
  };
  const absent = listing(world, { authorizations: meanwhile, captures: listsNothing });
  expect(await check(world, subscribed, absent)).toMatchObject({ end: { result: { kind: 'collected' } }, checks: 0 });
  expect(world.posts(subscribed)).toBe(1);
});

it('a list that cannot be read counts a send neither as absent nor as present', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'swallowed');
  world.clock.pass(SETTLE);
  expect(await check(world, subscribed)).toMatchObject({ checks: 1 });
  expect(await check(world, subscribed, listing(world, { authorizations: noAnswer }))).toMatchObject({ checks: 1 });
  expect(await check(world, subscribed)).toMatchObject({ state: 'not_sent' });
});

it('a listed record that fits no send is reported once with every id, and polled at intervals that grow with its age', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'lost_answer');
  const ids: string[] = [];
  const double = listing(world, {
    authorizations: lists((all) => {
      const both = all.flatMap((each) => [each, { ...each, authorizationId: 'aut-other' as AuthorizationId }]);
      ids.splice(0, ids.length, ...both.map(({ authorizationId }) => authorizationId));
      return both;
    }),
  });
  const reported = await world.collect(world.input(subscribed), double);
  const reason = `the service lists ${ids.join(', ')}, which do not fit`;
  expect(ids).toHaveLength(2);
  expect(reported.result).toEqual({ kind: 'unresolved', reason });
  const waits: number[] = [];
  const known = world.input(subscribed);
  const onStop = ({ type, message, wait }: { type: string; message: string; wait: number }) => {
    expect({ type, message }).toEqual({ type: 'outcome_unknown', message: reason });
    waits.push(wait);
  };
  await expect(world.collect(known, double, { maxRuns: 40, onStop })).rejects.toThrow('no answer after 40 runs');
  expect(waits[0]).toBe(500);
  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(waits.at(-1)).toBeGreaterThan(MINUTE);
  const unresolved = await world.events(subscribed, 'attempt.unresolved');
  expect(unresolved).toMatchObject([{ data: { cycle: 0, attempt: 0, send: 0, reason } }]);
});

it('the wait between two polls grows with the time since the send, not since the last poll', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'swallowed');
  await passSinceSent(world, subscribed, 100 * SECOND);
  expect((await check(world, subscribed)).end).toMatchObject({ wait: 20 * SECOND });
  await passSinceSent(world, subscribed, 120 * SECOND);
  expect((await check(world, subscribed, listing(world, { authorizations: noAnswer }))).end).toMatchObject({
    wait: 24 * SECOND,
  });
});

it('the wait between two polls is at least the Retry-After of an unavailable service', async () => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'swallowed');
  world.sandbox.faults.add({
    kind: 'rate_limit',
    retryAfter: 33,
    match: { method: 'GET', path: '/authorizations$' },
  });
  expect((await check(world, subscribed)).end).toMatchObject({ type: 'outcome_unknown', wait: 33 * SECOND });
});

it.each<[string, number, { isOver?: true; isKnown?: true }, string]>([
  ['for a millisecond less than the settle time: polling continues', SETTLE - 1, { isOver: true }, 'outcome_unknown'],
  ['for the settle time: an operator is notified', SETTLE, { isOver: true }, 'unresolved'],
  [
    'for the settle time, with an operator already notified: polling continues',
    SETTLE,
    { isOver: true, isKnown: true },
    'outcome_unknown',
  ],
  ['for the settle time, with the window open: polling continues', SETTLE, {}, 'outcome_unknown'],
])('an unavailable service during settling, %s', async (_how, age, { isOver = false, isKnown = false }, end) => {
  const { world } = holder;
  const subscribed = await createUnknownOutcome(world, 'swallowed');
  if (isOver) world.clock.passUntil(subscribed.collectBy);
  const authorizations = () => {
    world.clock.pass(age);
    return NO_ANSWER;
  };
  const input = world.input(subscribed);
  const cannotBeAsked = listing(world, { authorizations });
  if (isKnown) await world.collect(input, cannotBeAsked);
  const seen = await world.collectOnce(input, cannotBeAsked);
  expect('result' in seen ? seen.result.kind : seen.type).toBe(end);
});

it('a send without a recorded outcome shows why its outcome is unknown', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const initiate: PaymentService['initiate'] = async () => {
    await world.collectOnce(world.input(subscribed));
    return NO_ANSWER;
  };
  const service = world.service({ initiate });
  await world.collectOnce(world.input(subscribed), { service });
  const [unknown] = await world.events(subscribed, 'attempt.unknown');
  expect(unknown).toMatchObject({ data: { reason: 'no outcome was recorded' } });
});
