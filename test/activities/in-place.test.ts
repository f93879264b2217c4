import { type Dependencies, InPlaceSlots } from '../../activities';
import { MAX_TIME_IN_PLACE } from '../../activities/collect/in-place';
import type { Step } from '../../src/contract/steps';
import { DAY, HOUR, SECOND } from '../../src/domain/time';
import { getSubscription, readStoredBackOff } from '../../src/ledger';
import type { PaymentService } from '../../src/payment-service';
import { Crash, type Stop } from './activity-driver';
import { activitiesOf, type Subscribed, useWorld, type World } from './activity-world';
import { HandSlots } from './hand-slots';
import { hookedPool, RECORDS_OUTCOME } from './crash-points';

/** Attempts that are made within a workflow task, in a local activity. */

const holder = useWorld({ sandbox: { bookingDelayMs: 0 } });
const REQUESTS = /authorizations|consents|captures/;

/** Runs an attempt within a workflow task once. @returns the answer to the workflow, or the stop that leaves it to the queue */
async function here(world: World, subscribed: Subscribed, changes: Partial<Dependencies> = {}): Promise<Step | Stop> {
  const activities = activitiesOf(world, { inPlace: new HandSlots(world.clock), ...changes });
  const input = { ...world.reference(subscribed), cycle: 0, attempt: 0 };
  const end = await world.driver.once(() => activities.collectPayment(input), true);
  return 'result' in end ? end.result : end;
}

/** The step with which an attempt is left to the queue. */
const ON_QUEUE = { kind: 'collect', on: 'queue', attempt: { cycle: 0, attempt: 0 } };

/** The requests to the service about consents, authorizations and captures. */
function requests(world: World): string[] {
  return world.requests.filter((each) => REQUESTS.test(each));
}

/** Ends the attempt as its workflow does, on the queue, and expects exactly one debit. */
async function expectCollectedOnce(world: World, subscribed: Subscribed): Promise<void> {
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
}

/** A service that takes this long, by the hand clock, to answer the named call. */
function slow(world: World, name: 'getConsent' | 'initiate', ms: number): Partial<Dependencies> {
  const { service } = world.deps;
  const call = async (...args: readonly unknown[]) => {
    const answer = await (service[name] as (...of: readonly unknown[]) => Promise<unknown>)(...args);
    world.clock.pass(ms);
    return answer;
  };
  return { service: world.service({ [name]: call }) };
}

it('an attempt within a workflow task collects a cycle whose bank answers at once, and answers with the next step', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const next = await here(world, subscribed);
  expect(next).toMatchObject({ kind: 'wait', on: 'here', then: { cycle: 1, attempt: 0 } });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('an attempt within a workflow task waits for a bank that answers within two seconds', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-1');
  expect(await here(world, subscribed)).toMatchObject({ kind: 'wait', on: 'here' });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('an attempt within a workflow task is left to the queue after two seconds if its bank is slow, and is not sent again', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-300');
  const startedAt = world.clock.realNow();
  expect(await here(world, subscribed)).toMatchObject(ON_QUEUE);
  expect(world.clock.realNow() - startedAt).toBeLessThanOrEqual(MAX_TIME_IN_PLACE);
  expect(world.posts(subscribed)).toBe(1);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task starts no new request after two seconds: the next one is left to the queue', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  expect(await here(world, subscribed, slow(world, 'getConsent', MAX_TIME_IN_PLACE))).toMatchObject(ON_QUEUE);
  expect(requests(world).filter((each) => each.includes('authorizations'))).toEqual([]);
  expect(await world.sends(subscribed)).toEqual([]);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task still starts the next request a millisecond before two seconds have passed', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await here(world, subscribed, slow(world, 'getConsent', MAX_TIME_IN_PLACE - 1));
  expect(world.posts(subscribed)).toBe(1);
});

it('an attempt within a workflow task is not left to the queue between a POST and its answer, however late the answer is', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-300');
  expect(await here(world, subscribed, slow(world, 'initiate', 20 * SECOND))).toMatchObject(ON_QUEUE);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending', authorizationId: expect.any(String) }]);
  const [last] = requests(world).slice(-1);
  expect(last).toMatch(/^POST /);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task is not repeated locally after a 429: the queue waits for Retry-After', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 60, match: { method: 'GET', path: '/consents$' } });
  const before = world.requests.length;
  expect(await here(world, subscribed)).toMatchObject({ type: 'service_unreadable', wait: 60 * SECOND });
  const made = world.requests.slice(before).filter((each) => REQUESTS.test(each));
  expect(made).toEqual([`GET /${subscribed.paymentId}/consents`]);
  const left = await readStoredBackOff(world.deps.ledger, `${subscribed.subscriptionId}/0/0`);
  expect(left).toMatchObject({ stop: 'service_unreadable' });
  expect(left!.againReal - left!.notedReal).toBe(60 * SECOND);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task is left to the queue if more than half of the slots would be taken', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const inPlace = new InPlaceSlots(3);
  let leave = () => undefined as void;
  const other = inPlace.hold(() => new Promise<void>((resolve) => (leave = resolve)));
  const before = world.requests.length;
  expect(await here(world, subscribed, { inPlace })).toMatchObject(ON_QUEUE);
  expect(world.requests.length).toBe(before);
  leave();
  await other;
  expect(await here(world, subscribed, { inPlace })).toMatchObject({ kind: 'wait' });
  expect(world.posts(subscribed)).toBe(1);
});

it('a worker without local attempts leaves an attempt to the queue', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const before = world.requests.length;
  expect(await here(world, subscribed, { inPlace: undefined })).toMatchObject(ON_QUEUE);
  expect(world.requests.length).toBe(before);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task is left to the queue if no permit is free at once', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const withReservation: PaymentService['withReservation'] = (_calls, _work, signal) =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null)));
  expect(await here(world, subscribed, { service: world.service({ withReservation }) })).toMatchObject(ON_QUEUE);
  expect(await world.sends(subscribed)).toEqual([]);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task polls only with a permit that is free at once', async () => {
  const { world } = holder;
  const subscribed = await world.due('slow-1');
  let reservations = 0;
  const withReservation: PaymentService['withReservation'] = (calls, work, signal) => {
    reservations += 1;
    if (reservations === 1) return world.deps.service.withReservation(calls, work, signal);
    return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null)));
  };
  expect(await here(world, subscribed, { service: world.service({ withReservation }) })).toMatchObject(ON_QUEUE);
  expect(requests(world).at(-1)).toMatch(/^POST /);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task that runs twice makes one POST if the second run comes after the first (rule 16)', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const next = await here(world, subscribed);
  expect(await here(world, subscribed)).toMatchObject({ kind: 'wait', then: (next as Step).then });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('an attempt within a workflow task that runs twice makes one POST if the second run comes during the first', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  let second: Step | Stop | null = null;
  const initiate: PaymentService['initiate'] = async (...call) => {
    second = await here(world, subscribed);
    return world.deps.service.initiate(...call);
  };
  await here(world, subscribed, { service: world.service({ initiate }) });
  expect(second).toMatchObject({ type: 'outcome_unknown' });
  expect(world.posts(subscribed)).toBe(1);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task that runs twice makes one POST if the worker dies before it stores the answer', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const die = () => {
    throw new Crash('killed');
  };
  const ledger = hookedPool(world.deps.ledger, { matches: RECORDS_OUTCOME, before: die });
  expect(await here(world, subscribed, { ledger })).toMatchObject({ type: 'crash' });
  expect(world.posts(subscribed)).toBe(1);
  await here(world, subscribed);
  await expectCollectedOnce(world, subscribed);
});

it('an attempt within a workflow task that runs twice makes one POST if the queue continues beside it', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const initiate: PaymentService['initiate'] = async (...call) => {
    await world.collectOnce(world.input(subscribed));
    return world.deps.service.initiate(...call);
  };
  await here(world, subscribed, { service: world.service({ initiate }) });
  expect(world.posts(subscribed)).toBe(1);
  await expectCollectedOnce(world, subscribed);
});

it('a consent that could not be read within a workflow task after CONSENT_NOT_VALID is read on the queue (rule 12)', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const failure = { retryable: false, detail: 'CONSENT_NOT_VALID', description: '', httpStatus: 409 };
  let asked = 0;
  const getConsent: PaymentService['getConsent'] = async (id) => {
    asked += 1;
    if (asked === 1) return world.deps.service.getConsent(id);
    return { kind: 'unknown', reason: 'no complete answer' };
  };
  const service = { ...world.answering({ kind: 'rejected', failure }).service, getConsent };
  expect(await here(world, subscribed, { service })).toMatchObject({ type: 'service_unreadable' });
  world.sandbox.payer(subscribed.paymentId).cancel();
  world.clock.pass(SECOND);
  await world.collect(world.input(subscribed));
  expect((await getSubscription(world.deps.ledger, subscribed.subscriptionId))?.status).toBe('cancelled');
});

const decided = async (world: World, subscribed: Subscribed, changes: Partial<Dependencies>) => {
  const activities = activitiesOf(world, changes);
  return (await world.driver.drive(() => activities.decide(world.reference(subscribed)))).result;
};

it('a worker that is configured without local attempts offers no local attempt in its next step', async () => {
  const { world } = holder;
  const subscribed = await world.due('approves', { firstPaymentAt: world.clock.now() + DAY });
  const inPlace = new HandSlots(world.clock);
  expect(await decided(world, subscribed, { inPlace })).toMatchObject({ kind: 'collect', on: 'here' });
  expect(await decided(world, subscribed, {})).not.toHaveProperty('on');
});

it('a next step offers no local attempt if this would leave less than half of the slots free, unless the step is a timer', async () => {
  const { world } = holder;
  const [due, later] = [await world.due(), await world.requested({ firstPaymentAt: world.clock.now() + 2 * HOUR })];
  world.sandbox.payer(later.paymentId).approve('approves');
  await world.patch(later, { status: 'active' });
  const inPlace = new HandSlots(world.clock, 1);
  expect(await decided(world, due, { inPlace })).not.toHaveProperty('on');
  expect(await decided(world, later, { inPlace })).toMatchObject({ kind: 'wait', on: 'here' });
});

it('a next step offers no local attempt if the outcome of the attempt is unknown', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'swallowed', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(world.input(subscribed));
  world.clock.passUntil(subscribed.collectBy);
  const inPlace = new HandSlots(world.clock);
  const step = await decided(world, subscribed, { inPlace });
  expect(step).toMatchObject({ kind: 'collect' });
  expect(step).not.toHaveProperty('on');
});

it('a next step offers no local attempt while the bank or the service is slow, not even after a timer', async () => {
  const { world } = holder;
  const [due, later] = [await world.due(), await world.requested({ firstPaymentAt: world.clock.now() + 2 * HOUR })];
  world.sandbox.payer(later.paymentId).approve('approves');
  await world.patch(later, { status: 'active' });
  const inPlace = new HandSlots(world.clock);
  inPlace.noteSlow(world.clock.realNow());
  for (const each of [due, later]) expect(await decided(world, each, { inPlace })).not.toHaveProperty('on');
});
