import type { Dependencies } from '../../activities';
import type { Step } from '../../src/contract/steps';
import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { applyChange, getCycle, listAttention } from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';
import { AMOUNT, SETTLE, type Subscribed, useWorld, type World } from '../activities/activity-world';
import { reachRetry } from '../activities/deliver-notice';
import { listing, lists, listsEach, listsNothing } from '../activities/listing';

/** No second debit is made if the service contradicts itself: the reading that moves no money wins (rules 36 to 41). */

const holder = useWorld();

const NAMED_REFUSAL = 'rejected-with-id-once';

/** The open items of one subscription. */
async function itemsOf(world: World, { subscriptionId }: Subscribed, kind?: string) {
  const filter = kind === undefined ? {} : { kind };
  const { items } = await listAttention(world.deps.ledger, filter, { limit: 200, cursor: null });
  return items
    .filter((each) => each.subscriptionId === subscriptionId)
    .map((each) => ({ kind: each.kind, cycle: each.cycle, detail: each.service?.detail }));
}

/** Creates a subscription whose first attempt was refused with an authorization of this id, and reaches its retry. */
async function createRefused(world: World): Promise<{ subscribed: Subscribed; id: AuthorizationId }> {
  const subscribed = await world.due(NAMED_REFUSAL);
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'rejected', retryable: true });
  await reachRetry(world, subscribed);
  const [row] = await world.sends(subscribed);
  return { subscribed, id: row!.authorizationId! };
}

function captureOf(id: AuthorizationId, { paymentId, dueAt }: Subscribed, status: Capture['status']): Capture {
  return {
    paymentId,
    captureId: `cap-${id}` as CaptureId,
    authorizationId: id,
    amount: AMOUNT,
    createdAt: dueAt,
    status,
    finalCapture: undefined,
    detail: undefined,
    description: undefined,
  };
}

/** The service with this authorization shown in another status, and with a capture of it. */
function showing(
  world: World,
  subscribed: Subscribed,
  id: AuthorizationId,
  status: Authorization['status'],
  captured?: Capture['status'],
): Pick<Dependencies, 'service'> {
  return listing(world, {
    authorizations: lists((all) => all.map((each) => (each.authorizationId === id ? { ...each, status } : each))),
    captures: lists((all) => [
      ...all.filter((each) => captured === undefined || each.authorizationId !== id),
      ...(captured === undefined ? [] : [captureOf(id, subscribed, captured)]),
    ]),
  });
}

function retry(world: World, subscribed: Subscribed) {
  return world.input(subscribed, { attempt: 1 });
}

/** Makes the attempts that are due by the ledger, one after the other. @returns the first step that is no attempt */
async function attemptAll(world: World, subscribed: Subscribed, deps: Partial<Dependencies> = {}): Promise<Step> {
  for (;;) {
    const step = await world.decide(subscribed);
    if (step.kind !== 'collect') return step;
    await world.collect(world.input(subscribed, step.attempt), deps);
  }
}

async function endCycle(world: World, subscribed: Subscribed, status: 'failed' | 'missed'): Promise<void> {
  const { subscriptionId, dueAt, collectBy } = subscribed;
  await applyChange(world.deps.ledger, {
    subscriptionId,
    key: `end/${subscriptionId}`,
    at: world.clock.now(),
    actor: 'test',
    events: [],
    cycle: { cycle: 0, dueAt, collectBy, amount: AMOUNT, status, reason: 'test' },
  });
}

function nextMonth(world: World, subscribed: Subscribed): Subscribed {
  world.clock.passUntil(subscribed.dueAt + 28 * DAY);
  return { ...subscribed, dueAt: world.clock.now(), collectBy: world.clock.now() + 5 * DAY };
}

it('fault 43: a refused authorization that is listed as pending later is followed instead of a retry, and collects the cycle (rule 36)', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  world.clock.pass(DAY);
  const alive = showing(world, subscribed, id, 'successful', 'successful');
  await attemptAll(world, subscribed, alive);
  expect(await world.sends(subscribed)).toMatchObject([{ attempt: 0, state: 'successful', authorizationId: id }]);
  expect(world.posts(subscribed)).toBe(1);
  expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0 }]);
  // The activity may run again, as after a lost answer.
  expect(await world.collectOnce(retry(world, subscribed), alive)).toHaveProperty('result');
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 43: a refused authorization that is listed as pending later stops the retry, and is followed beside later cycles once the window closes', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  world.clock.pass(DAY);
  const createPending = showing(world, subscribed, id, 'pending');
  expect(await world.collectOnce(retry(world, subscribed), createPending)).toMatchObject({ type: 'pending' });
  world.clock.passUntil(subscribed.collectBy);
  expect(await attemptAll(world, subscribed, createPending)).toMatchObject({
    kind: 'follow',
    attempt: { cycle: 0, attempt: 0 },
  });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending', authorizationId: id }]);
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 43: a refused authorization that is listed as pending later and is refused again does not change dunning', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  const [before] = await world.sends(subscribed);
  world.clock.pass(DAY);
  const pending = showing(world, subscribed, id, 'pending');
  expect(await world.collectOnce(retry(world, subscribed), pending)).toMatchObject({ type: 'pending' });
  await attemptAll(world, subscribed);
  const [first, second] = await world.sends(subscribed);
  expect(first).toMatchObject({
    state: 'rejected_retryable',
    detail: before!.detail,
    authorizationCreatedAt: before!.authorizationCreatedAt,
  });
  expect(second).toMatchObject({ attempt: 1, state: 'successful' });
  expect(world.debits(subscribed)).toHaveLength(1);
  expect(await itemsOf(world, subscribed, 'contradiction')).toEqual([]);
});

it('fault 43: a refused authorization of an ended cycle that is listed as pending later is followed beside the next cycle, and collects its own cycle late', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  await endCycle(world, subscribed, 'failed');
  const next = nextMonth(world, subscribed);
  const alive = showing(world, subscribed, id, 'successful', 'successful');
  const { result } = await world.collect(world.input(next, { cycle: 1 }), alive);
  expect(result).toEqual({ kind: 'reopened', cycle: 0, attempt: 0, amount: AMOUNT });
  expect((await world.collect(world.following(subscribed), alive)).result).toMatchObject({ kind: 'collected' });
  expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect(await world.events(subscribed, 'cycle.collected')).toMatchObject([{ data: { cycle: 0, late: true } }]);
  expect((await world.collect(world.input(next, { cycle: 1 }), alive)).result).toMatchObject({ kind: 'collected' });
  expect(world.posts(subscribed)).toBe(2);
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0 }]);
});

it('fault 43: a refused authorization that succeeds after a retry has collected is a second debit, which an operator refunds', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  world.clock.pass(DAY);
  let isAlive = false;
  const { service } = world.deps;
  const alive = showing(world, subscribed, id, 'successful', 'successful').service;
  const now = () => (isAlive ? alive : service);
  const turning = world.service({
    initiate: async (...call) => {
      const made = await service.initiate(...call);
      isAlive = true;
      return made;
    },
    listAuthorizations: (paymentId) => now().listAuthorizations(paymentId),
    listCaptures: (...call) => now().listCaptures(...call),
  });
  const { result } = await world.collect(retry(world, subscribed), { service: turning });
  expect(result).toMatchObject({ kind: 'collected' });
  expect((await world.sends(subscribed)).map(({ state }) => state)).toEqual(['successful', 'successful']);
  const detail = `${id} is a second debit of cycle 0. Recommended: refund capture cap-${id}.`;
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0, detail }]);
  expect(await world.events(subscribed, 'cycle.collected')).toHaveLength(1);
});

/** Creates a subscription whose first attempt the service has accepted and lists as pending. */
async function pending(world: World): Promise<{ subscribed: Subscribed; id: AuthorizationId }> {
  const subscribed = await world.due();
  const deps = listing(world, { authorizations: listsEach({ status: 'pending' }) });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
  const [row] = await world.sends(subscribed);
  return { subscribed, id: row!.authorizationId! };
}

it('a debit that is listed as refused does not count as refused while its capture is pending (rule 37)', async () => {
  const { world } = holder;
  const { subscribed, id } = await pending(world);
  const deps = showing(world, subscribed, id, 'failed', 'pending');
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending' }]);
});

it('a debit that is listed as refused counts as collected if its successful capture is listed twice over the settle time', async () => {
  const { world } = holder;
  const { subscribed, id } = await pending(world);
  const deps = showing(world, subscribed, id, 'failed', 'successful');
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending', wait: SETTLE });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ result: { kind: 'collected' } });
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0 }]);
  expect(world.posts(subscribed)).toBe(1);
});

it('a debit that was successful and is listed as refused is decided by its capture, and an item opens at once', async () => {
  const { world } = holder;
  const { subscribed, id } = await pending(world);
  const successful = showing(world, subscribed, id, 'successful', 'pending');
  await world.collectOnce(world.input(subscribed), successful);
  const failed = (captured: Capture['status']) => showing(world, subscribed, id, 'failed', captured);
  expect(await world.collectOnce(world.input(subscribed), failed('pending'))).toMatchObject({ type: 'pending' });
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0 }]);
  expect((await world.collect(world.input(subscribed), failed('failed'))).result).toMatchObject({
    kind: 'capture_failed',
  });
});

it('a debit of a collected cycle that is listed as refused changes nothing, opens an item and stops no later cycle', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  const [row] = await world.sends(subscribed);
  const next = nextMonth(world, subscribed);
  const deps = showing(world, subscribed, row!.authorizationId!, 'failed');
  expect((await world.collect(world.input(next, { cycle: 1 }), deps)).result).toMatchObject({ kind: 'collected' });
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 0 }]);
  expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status: 'collected' });
});

it('an accepted answer that names a known authorization of the same cycle reopens that authorization as the attempt that was sent (rule 38)', async () => {
  const { world } = holder;
  const { subscribed, id } = await createRefused(world);
  world.clock.pass(DAY);
  const [shown] = world.sandbox.payment(subscribed.paymentId).authorizations;
  const value = { ...shown!, status: 'pending' } as unknown as Authorization;
  let shownAs = showing(world, subscribed, id, 'failed').service;
  const initiate = async () => {
    shownAs = showing(world, subscribed, id, 'pending').service;
    return { kind: 'accepted', value } as const;
  };
  const listAuthorizations: typeof shownAs.listAuthorizations = (paymentId) => shownAs.listAuthorizations(paymentId);
  const reopening = { service: world.service({ initiate, listAuthorizations }) };
  await world.collectOnce(retry(world, subscribed), reopening);
  expect(await world.sends(subscribed)).toMatchObject([
    { attempt: 0, state: 'rejected_retryable', authorizationId: id },
    { attempt: 1, authorizationId: id },
  ]);
  const alive = showing(world, subscribed, id, 'successful', 'successful');
  expect((await world.collect(retry(world, subscribed), alive)).result).toMatchObject({
    kind: 'collected',
    authorizationId: id,
  });
  expect(world.posts(subscribed)).toBe(1);
});

it('an accepted answer that names an authorization of another cycle leaves the cycle unresolved, and is never settled as never made', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  const next = nextMonth(world, subscribed);
  const [shown] = world.sandbox.payment(subscribed.paymentId).authorizations;
  const value = { ...shown!, status: 'successful' } as unknown as Authorization;
  const input = world.input(next, { cycle: 1 });
  const { result } = await world.collect(input, world.answering({ kind: 'accepted', value }));
  expect(result).toMatchObject({ kind: 'unresolved', reason: expect.stringContaining('cycle 0, attempt 0') });
  const known = { ...input, settleOnly: true, knownUnresolved: true, sendBefore: next.dueAt };
  for (let checks = 0; checks < 5; checks += 1) {
    world.clock.pass(SETTLE);
    expect(await world.collectOnce(known)).toMatchObject({ type: 'outcome_unknown' });
  }
  expect(await world.sends(subscribed, 1)).toMatchObject([{ state: 'unresolved' }]);
  expect(world.posts(subscribed)).toBe(1);
});

it('an accepted answer that the ledger cannot store unchanged is kept, and is never settled as never made', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const answer = { kind: 'unknown', reason: 'unreadable', accepted: '{"authorizationId":"aut-x"}' } as const;
  const deps = world.answering(answer);
  await world.collectOnce(world.input(subscribed), deps);
  for (let checks = 0; checks < 5; checks += 1) {
    world.clock.pass(SETTLE);
    await world.collectOnce(world.input(subscribed), deps);
  }
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'unresolved', acceptedAnswer: answer.accepted }]);
});

const cut = (world: World) =>
  listing(world, {
    authorizations: (answer) => (answer.kind === 'accepted' ? { ...answer, incomplete: 'hasMore is true' } : answer),
  });

it('an incomplete list permits no POST and alerts after two thirds of the settle time; its item closes with a complete list (rule 39)', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const items: number[] = [];
  const types = new Set<string>();
  const onStop = ({ type }: { type: string }) => void types.add(type);
  await expect(world.collect(world.input(subscribed), cut(world), { maxRuns: 40, onStop })).rejects.toThrow(
    'no answer',
  );
  items.push((await itemsOf(world, subscribed, 'list_incomplete')).length);
  expect([...types]).toEqual(['service_unreadable']);
  expect(items).toEqual([1]);
  expect(world.posts(subscribed)).toBe(0);
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
  expect(await itemsOf(world, subscribed, 'list_incomplete')).toEqual([]);
});

it('an incomplete list settles nothing as never made', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'swallowed', match: { method: 'POST', path: '/authorizations$' } });
  await world.collectOnce(world.input(subscribed));
  for (let checks = 0; checks < 4; checks += 1) {
    world.clock.pass(SETTLE);
    await world.collectOnce(world.input(subscribed), cut(world));
  }
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'unknown', absentChecks: 0 }]);
});

it('nothing is sent if a list lacks the newest authorization that the service has reported', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  const next = nextMonth(world, subscribed);
  const input = world.input(next, { cycle: 1 });
  const deps = listing(world, { authorizations: listsNothing });
  expect(await world.collectOnce(input, deps)).toMatchObject({
    type: 'service_unreadable',
    message: expect.stringContaining('which the service has reported as successful'),
  });
  const settings = { ...world.deps.settings, listDays: 27 };
  expect((await world.collect(input, { ...deps, settings })).result).toMatchObject({ kind: 'collected' });
});

it('a retry is not sent if the captures show a debit that the list of authorizations lacks', async () => {
  const { world } = holder;
  const { subscribed } = await createRefused(world);
  world.clock.pass(DAY);
  const hidden = captureOf('aut-hidden' as AuthorizationId, subscribed, 'successful');
  const deps = listing(world, { captures: lists((all) => [...all, hidden]) });
  expect((await world.collect(retry(world, subscribed), deps)).result).toEqual({
    kind: 'unresolved',
    reason:
      'the service has the successful capture cap-aut-hidden of authorization aut-hidden, which matches no attempt',
  });
  expect(world.posts(subscribed)).toBe(1);
});

it('a debit whose answer was lost is not settled as never made if only its captures are listed', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  world.sandbox.faults.add({ kind: 'lost_answer', match: { method: 'POST', path: '/authorizations$' } });
  const deps = listing(world, { authorizations: listsNothing });
  await world.collectOnce(world.input(subscribed), deps);
  for (let checks = 0; checks < 4; checks += 1) {
    world.clock.pass(SETTLE);
    await world.collectOnce(world.input(subscribed), deps);
  }
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'unresolved' }]);
  expect(world.posts(subscribed)).toBe(1);
});

async function madeElsewhere(world: World, subscribed: Subscribed): Promise<string> {
  const made = await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  if (made.kind !== 'accepted') throw new Error(made.kind);
  world.sandbox.settle(subscribed.paymentId);
  return made.value.authorizationId;
}

it('an authorization by another system is adopted as the debit of the cycle (rule 40)', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const id = await madeElsewhere(world, subscribed);
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'collected', authorizationId: id });
  expect(world.posts(subscribed)).toBe(1);
  expect(await world.sends(subscribed)).toMatchObject([{ adopted: true, state: 'successful' }]);
  expect(await world.events(subscribed, 'cycle.collected')).toMatchObject([{ data: { adopted: true } }]);
  await world.expectLedgerEqual(subscribed, 1);
  expect(await itemsOf(world, subscribed)).toEqual([]);
});

it.each([
  ['120 hours before the due date stops the POST', -120 * HOUR, 'collected'],
  ['more than 120 hours and a minute before the due date does not stop it', -120 * HOUR - MINUTE - 1, 'sent'],
])('an authorization that another system made %s', async (_when, offset, outcome) => {
  const { world } = holder;
  const subscribed = await world.due();
  await madeElsewhere(world, subscribed);
  const createdAt = subscribed.dueAt + offset;
  const deps = listing(world, {
    authorizations: lists((all) => all.map((each, nth) => (nth === 0 ? { ...each, createdAt } : each))),
  });
  await world.collect(world.input(subscribed), deps);
  expect(world.posts(subscribed)).toBe(outcome === 'sent' ? 2 : 1);
});

it('fault 51: an authorization made 66 hours early, by the system that a mandate was imported from, is not collected again', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await madeElsewhere(world, subscribed);
  const createdAt = subscribed.dueAt - 66 * HOUR;
  const { result } = await world.collect(
    world.input(subscribed),
    listing(world, { authorizations: listsEach({ createdAt }) }),
  );
  expect(result).toMatchObject({ kind: 'collected', at: createdAt });
  expect(world.posts(subscribed)).toBe(1);
  expect((await world.auditLog(subscribed)).filter((type) => type.startsWith('notice'))).toEqual([]);
});

it('an authorization by another system counts as neither attempt nor first failure if it fails', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-late-once');
  const made = await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  expect(made).toMatchObject({ kind: 'accepted', value: { status: 'pending' } });
  expect(await world.collectOnce(world.input(subscribed))).toMatchObject({ type: 'pending' });
  world.sandbox.settle(subscribed.paymentId);
  const { result } = await world.collect(world.input(subscribed));
  expect(result).toMatchObject({ kind: 'collected' });
  expect(
    (await world.sends(subscribed)).map(({ attempt, send, adopted, state }) => ({ attempt, send, adopted, state })),
  ).toEqual([
    { attempt: 0, send: 0, adopted: true, state: 'rejected_retryable' },
    { attempt: 0, send: 1, adopted: false, state: 'successful' },
  ]);
});

it('an authorization by another system after an uncollected cycle collects the next one, and an item asks which cycle it paid', async () => {
  const { world } = holder;
  const { subscribed } = await createRefused(world);
  await endCycle(world, subscribed, 'failed');
  const next = nextMonth(world, subscribed);
  const made = await world.deps.service.initiate(subscribed.paymentId, AMOUNT);
  if (made.kind !== 'accepted') throw new Error(made.kind);
  expect((await world.collect(world.input(next, { cycle: 1 }))).result).toMatchObject({ kind: 'collected' });
  expect(await itemsOf(world, subscribed, 'contradiction')).toMatchObject([{ cycle: 1 }]);
});

it('an authorization by another system of another amount leaves the cycle unresolved', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await madeElsewhere(world, subscribed);
  const deps = listing(world, { authorizations: listsEach({ amount: euros(1998) }) });
  expect((await world.collect(world.input(subscribed), deps)).result).toMatchObject({ kind: 'unresolved' });
  expect(world.posts(subscribed)).toBe(1);
});

it('a pending authorization that is no longer listed is handed to an operator after the settle time, and not before (rule 41)', async () => {
  const { world } = holder;
  const { subscribed, id } = await pending(world);
  const deps = listing(world, { authorizations: listsNothing, captures: listsNothing });
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
  const [seen] = await world.sends(subscribed);
  world.clock.passUntilReal(seen!.unlistedSinceReal! + SETTLE - 1);
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({ type: 'pending' });
  world.clock.passUntilReal(seen!.unlistedSinceReal! + SETTLE);
  expect(await world.collectOnce(world.input(subscribed), deps)).toMatchObject({
    result: { kind: 'unlisted', authorizationId: id },
  });
  // The next cycle is collected, although the list lacks the authorization of the previous one.
  const next = nextMonth(world, subscribed);
  const without = listing(world, {
    authorizations: lists((all) => all.filter((each) => each.authorizationId !== id)),
    captures: lists((all) => all.filter((each) => each.authorizationId !== id)),
  });
  const followed = [{ cycle: 0, attempt: 0 }];
  const { result } = await world.collect(world.input(next, { cycle: 1, followed }), without);
  expect(result).toMatchObject({ kind: 'collected' });
});

it('a pending authorization that is no longer listed counts as collected if its capture is successful', async () => {
  const { world } = holder;
  const { subscribed, id } = await pending(world);
  world.sandbox.settle(subscribed.paymentId);
  const deps = listing(world, { authorizations: listsNothing });
  expect((await world.collect(world.input(subscribed), deps)).result).toMatchObject({
    kind: 'collected',
    authorizationId: id,
  });
});
