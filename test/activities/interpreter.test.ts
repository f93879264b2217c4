import { carryOut } from '../../activities/collect/interpreter';
import { WORKER_STOPPED } from '../../activities/stops';
import type { Debit } from '../../activities/collect/debit';
import type { BeginResult } from '../../activities/collect/subject';
import { MINUTE } from '../../src/domain/time';
import type { StoredBackOff } from '../../src/ledger';
import type { Authorization, PaymentService } from '../../src/payment-service';
import { type Subscribed, useWorld, type World } from './activity-world';
import { createDebit, createStarted } from './debits';
import { reachRetry } from './deliver-notice';
import { listing, lists } from './listing';
import { bankRefusing, createRefusedTwice, revivedOf } from './refused-debits';

/** How the actions of one attempt are carried out: what ends a pass, and for which calls a permit is reserved. */

const holder = useWorld();

/** Runs an attempt once, as its activity does. @returns its result, or the stop with which the run ended */
function runOnce({ driver, deps }: World, debit: Debit, stored: StoredBackOff | null = null) {
  return driver.once(() => carryOut({ ...deps, service: debit.deps.service }, debit, () => undefined, stored));
}

/** Replaces one step of an attempt. */
function withStep<Name extends 'begin' | 'reopen'>(debit: Debit, name: Name, step: Debit[Name]): Debit {
  return Object.assign(debit, { [name]: step });
}

/** A service that notes how many calls each reservation is for. */
function noting(world: World) {
  const reserved: number[] = [];
  const withReservation: PaymentService['withReservation'] = (calls, work, signal) => {
    reserved.push(calls);
    return world.deps.service.withReservation(calls, work, signal);
  };
  return { reserved, service: world.service({ withReservation }) };
}

it('an attempt reserves calls only for its send, not for the polls after it', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-60');
  const { reserved, service } = noting(world);
  expect((await world.collect(world.input(subscribed), { service })).result).toMatchObject({ kind: 'collected' });
  expect(reserved).toEqual([3]);
});

it('an attempt reserves no calls while an earlier attempt of its cycle that is listed again is polled', async () => {
  const { world } = holder;
  const subscribed = await createRefusedTwice(world);
  const { reserved, service } = noting(world);
  const { debit } = await createDebit(world, subscribed, { attempt: 2 }, { service });
  await debit.reopen(revivedOf({ id: 'auth-first' }));
  expect(await runOnce(world, debit)).toMatchObject({ type: 'pending' });
  expect(reserved).toEqual([]);
  expect(world.requests.at(-1)).toMatch(/^GET \/captures/);
});

/** A service whose permits become free only later, unless the caller gives up first. */
function granting(world: World): PaymentService {
  const withReservation: PaymentService['withReservation'] = async (calls, work, signal) => {
    await new Promise((resolve) => setImmediate(resolve));
    return signal?.aborted === true ? null : world.deps.service.withReservation(calls, work, signal);
  };
  return world.service({ withReservation });
}

it('an attempt on the queue waits until a permit is free', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result, stops } = await world.collect(world.input(subscribed), { service: granting(world) });
  expect(result).toMatchObject({ kind: 'collected' });
  expect(stops.filter(({ type }) => type === 'not_sent')).toEqual([]);
});

it('an attempt whose worker stops before a permit is free sends nothing, and another worker continues it at once', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const service = world.service({ withReservation: async () => null });
  const stop = await world.collectOnce(world.input(subscribed), { service });
  expect(stop).toEqual({ type: 'not_sent', message: WORKER_STOPPED, wait: 1 });
  expect(await world.sends(subscribed)).toEqual([]);
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
});

/** A back-off of the service that lasts for another minute. */
function backOffOf({ clock }: World): StoredBackOff {
  const now = clock.realNow();
  return {
    sinceReal: now,
    notedReal: now,
    againReal: now + MINUTE,
    stop: 'pending',
    reason: 'the service says pending',
  };
}

it('an attempt with an outcome returns it at once, even before its back-off ends; one without an outcome waits', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { debit, send } = await createStarted(world, subscribed);
  const requests = world.requests.length;
  const back = backOffOf(world);
  expect(await runOnce(world, debit, back)).toMatchObject({ type: 'pending', message: back.reason });
  await debit.settle(send, { state: 'refused', detail: 'D', description: 'no', retryable: true });
  expect(await runOnce(world, debit, back)).toMatchObject({ result: { kind: 'stored' } });
  expect(world.requests.length).toBe(requests);
});

it('an attempt whose facts have changed before its row was written checks them again, in the same run', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const { debit } = await createDebit(world, subscribed);
  const begin = debit.begin.bind(debit);
  const answers: BeginResult[] = [{ kind: 'changed' }];
  withStep(debit, 'begin', async (ids) => answers.pop() ?? begin(ids));
  const before = world.requests.length;
  expect(await runOnce(world, debit)).toMatchObject({ type: 'pending' });
  expect(world.posts(subscribed)).toBe(1);
  const consents = world.requests.slice(before).filter((each) => each.endsWith('/consents'));
  expect(consents).toHaveLength(2);
});

it('an attempt whose state machine repeats itself ends with an error', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed), bankRefusing(world, 'auth-first'));
  await reachRetry(world, subscribed);
  const again = { authorizations: lists<Authorization>(() => [listedAgain(world, subscribed)]) };
  const { debit, send } = await createStarted(world, subscribed, { attempt: 1 }, listing(world, again));
  const made = {
    id: 'auth-second',
    status: 'pending',
    createdAt: world.clock.now(),
    amount: debit.input.amount,
  } as const;
  await debit.settle(send, { state: 'accepted', made });
  let reopened = 0;
  withStep(debit, 'reopen', async () => {
    reopened += 1;
    return null;
  });
  expect(await runOnce(world, debit)).toMatchObject({
    type: 'fault',
    message: expect.stringMatching(/no end after 200/),
  });
  // Its first action is the poll; after that, it reads its own records and reopens.
  expect(reopened).toBe(99);
});

const listedAgain = ({ clock }: World, { paymentId }: Subscribed) =>
  ({ paymentId, authorizationId: 'auth-first', status: 'pending', createdAt: clock.now(), amount: 0 }) as never;
