import { randomUUID } from 'node:crypto';
import { createActivities, type Dependencies } from '../../activities';
import type { CaptureId } from '../../src/domain/ids';
import { DAY, HOUR, type Instant } from '../../src/domain/time';
import {
  applyChange,
  getCycle,
  listAttention,
  listDifferences,
  readState,
  type SubscriptionDraft,
} from '../../src/ledger';
import type { Authorization, Capture, PaymentService } from '../../src/payment-service';
import type { ContradictionOrder } from '../../src/sandbox';
import { AMOUNT, type Subscribed, useWorld, type World } from './activity-world';
import { listing, lists, listsEach } from './listing';
import { reachRetry } from './deliver-notice';

/**
 * A refused debit that turns out successful once no check before a POST will see it: a year before the next due date, after the
 * last one, or after a cancellation. The daily comparison follows it (rule 36).
 */

const holder = useWorld();

/** Runs the daily comparison. @returns the kinds of difference that it reports */
async function compareDay(world: World, deps: Partial<Dependencies> = {}): Promise<readonly string[]> {
  const day = world.clock.now();
  const period = { from: day - 31 * DAY, to: day };
  const input = { period, actor: 'dueday', timeout: HOUR, announce: true, until: day + DAY, runId: randomUUID() };
  const { result } = await world.driver.drive(() =>
    createActivities({ ...world.deps, ...deps }).reconcileLedger(input),
  );
  expect(result.kind).toBe('compared');
  const { items } = await listDifferences(world.deps.ledger, input.runId, { limit: 100, cursor: null });
  return items.map(({ kind }) => kind);
}

interface Refused {
  /** What the service says of the refused debit later. */
  readonly later: Omit<ContradictionOrder, 'match'>;
  readonly terms?: Partial<SubscriptionDraft>;
  /** The final status of the subscription, if it has one. */
  readonly status?: 'completed' | 'cancelled';
}

/** Creates a subscription whose first debit was refused finally, so that its cycle has failed. */
async function createRefused(world: World, { later, terms = {}, status }: Refused): Promise<Subscribed> {
  const subscribed = await world.requested(terms);
  const { subscriptionId, paymentId, dueAt, collectBy } = subscribed;
  world.sandbox.payer(paymentId).approve('approves');
  await world.patch(subscribed, { status: 'active' });
  const named = { named: true, detail: 'AUTHORIZATION_REJECTION_FINAL' };
  world.sandbox.faults.contradict({ ...named, ...later, match: { paymentId } });
  world.clock.passUntil(dueAt);
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'rejected' });
  await applyChange(world.deps.ledger, {
    ...{ subscriptionId, key: 'end', at: world.clock.now(), actor: 'test', events: [] },
    cycle: { cycle: 0, dueAt, collectBy, amount: AMOUNT, status: 'failed', reason: 'rejected' },
    subscription: { pastDue: true, ...(status && { status, nextDueAt: null }) },
  });
  return subscribed;
}

async function itemsOf({ deps }: World) {
  const { items } = await listAttention(deps.ledger, {}, { limit: 200, cursor: null });
  return items.map(({ kind, cycle, service }) => ({ kind, cycle, detail: service?.detail }));
}

async function expectCollectedLate(world: World, subscribed: Subscribed, isCancelled = false): Promise<void> {
  expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect(await world.events(subscribed, 'cycle.collected')).toMatchObject([{ data: { cycle: 0, late: true } }]);
  const detail = expect.stringContaining('the payer was notified otherwise');
  const afterCancel = { kind: 'debit_after_cancel', cycle: 0, detail: undefined };
  expect(await itemsOf(world)).toEqual([
    { kind: 'contradiction', cycle: 0, detail },
    ...(isCancelled ? [afterCancel] : []),
  ]);
  await world.expectLedgerEqual(subscribed, 1);
  expect(world.posts(subscribed)).toBe(1);
}

const SUCCESSFUL = { kind: 'refused_then_successful', delayMs: HOUR } as const;
const endAfter = (days: number, now: Instant) => ({ endAt: now + HOUR + days * DAY });

it.each([
  ['of a yearly subscription', { repetition: 'YEARLY' }, undefined],
  ['of the last cycle before endAt', 'ends', 'completed'],
  ['of a cancelled subscription', {}, 'cancelled'],
] as const)(
  'if a refused debit is later listed as successful, the daily comparison records its cycle as collected late: %s',
  async (_whose, given, status) => {
    const { world } = holder;
    const terms = given === 'ends' ? endAfter(20, world.clock.now()) : given;
    const subscribed = await createRefused(world, { later: SUCCESSFUL, terms, ...(status && { status }) });
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([]);
    await expectCollectedLate(world, subscribed, status === 'cancelled');
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([]);
    expect(await world.events(subscribed, 'cycle.collected')).toHaveLength(1);
  },
);

it('if a debit is listed as refused for six weeks and then as successful, the daily comparison records its cycle as collected late', async () => {
  const { world } = holder;
  const subscribed = await createRefused(world, { later: SUCCESSFUL, terms: { repetition: 'YEARLY' } });
  const asRefused = listing(world, {
    authorizations: listsEach({ status: 'failed' }),
    captures: lists<Capture>(() => []),
  });
  for (let weeks = 0; weeks < 6; weeks += 1) {
    world.clock.pass(7 * DAY);
    expect(await compareDay(world, asRefused)).toEqual([]);
  }
  expect(await itemsOf(world)).toEqual([]);
  world.clock.pass(7 * DAY);
  expect(await compareDay(world)).toEqual([]);
  await expectCollectedLate(world, subscribed);
});

it('an attempt that the daily comparison has recorded as collected late returns collected if it runs again, and sends nothing', async () => {
  const { world } = holder;
  const subscribed = await createRefused(world, { later: SUCCESSFUL });
  const facts = () => readState(world.deps.ledger, subscribed.subscriptionId, world.clock.now());
  expect(await facts()).toMatchObject({ collectedOnce: false, currentOf: null });
  world.clock.pass(DAY);
  await compareDay(world);
  expect(await facts()).toMatchObject({ collectedOnce: true, currentOf: 0, standing: { pastDue: false } });
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
  expect(world.posts(subscribed)).toBe(1);
  expect(await world.decide(subscribed)).toMatchObject({ kind: 'wait', then: { cycle: 1, attempt: 0 } });
});

it('if a retry has collected the cycle, the daily comparison records the late success of the refused debit as a second debit, for an operator to refund', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-with-id-once', { repetition: 'YEARLY' });
  await world.collect(world.input(subscribed));
  await reachRetry(world, subscribed);
  const retry = world.input(subscribed, { attempt: 1 });
  expect((await world.collect(retry)).result).toMatchObject({ kind: 'collected' });
  const { authorizationId } = (await world.sends(subscribed))[0]!;
  const captureId = 'cap-second' as CaptureId;
  const { paymentId, dueAt: createdAt } = subscribed;
  const made = { paymentId, captureId, authorizationId: authorizationId!, amount: AMOUNT, createdAt };
  const capture: Capture = { ...made, status: 'successful' };
  const contradicting = listing(world, {
    authorizations: lists<Authorization>((all) =>
      all.map((each) => (each.authorizationId === authorizationId ? { ...each, status: 'successful' } : each)),
    ),
    captures: lists<Capture>((all) => [...all, capture]),
  });
  world.clock.pass(DAY);
  expect(await compareDay(world, contradicting)).toEqual([]);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful', captureId }, { state: 'successful' }]);
  const detail = `${authorizationId} is a second debit of cycle 0. Recommended: refund capture ${captureId}.`;
  expect(await itemsOf(world)).toEqual([{ kind: 'contradiction', cycle: 0, detail }]);
  expect(await world.events(subscribed, 'cycle.collected')).toHaveLength(1);
  expect(world.posts(subscribed)).toBe(2);
  expect(world.requests.filter((each) => each.startsWith('POST') && each.endsWith('/refunds'))).toEqual([]);
});

it('the daily comparison records a second debit if an adopted authorization, refused before the same attempt was sent, is listed as successful', async () => {
  const { world } = holder;
  const subscribed = await world.due('rejected-late-once', { repetition: 'YEARLY' });
  const { paymentId, dueAt: createdAt } = subscribed;
  expect(await world.deps.service.initiate(paymentId, AMOUNT)).toMatchObject({ value: { status: 'pending' } });
  await world.collectOnce(world.input(subscribed));
  world.sandbox.settle(paymentId);
  expect((await world.collect(world.input(subscribed))).result).toMatchObject({ kind: 'collected' });
  const [adopted, own] = await world.sends(subscribed);
  expect([adopted, own]).toMatchObject([
    { attempt: 0, send: 0, adopted: true, state: 'rejected_retryable' },
    { attempt: 0, send: 1, adopted: false, state: 'successful' },
  ]);
  const authorizationId = adopted!.authorizationId!;
  const captureId = 'cap-second' as CaptureId;
  const made = { paymentId, captureId, authorizationId, amount: AMOUNT, createdAt };
  const contradicting = listing(world, {
    authorizations: lists<Authorization>((all) =>
      all.map((each) => (each.authorizationId === authorizationId ? { ...each, status: 'successful' } : each)),
    ),
    captures: lists<Capture>((all) => [...all, { ...made, status: 'successful' }]),
  });
  world.clock.pass(DAY);
  expect(await compareDay(world, contradicting)).toEqual([]);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'successful', captureId }, { state: 'successful' }]);
  const detail = `${authorizationId} is a second debit of cycle 0. Recommended: refund capture ${captureId}.`;
  expect(await itemsOf(world)).toEqual([{ kind: 'contradiction', cycle: 0, detail }]);
  const { items } = await listAttention(world.deps.ledger, {}, { limit: 200, cursor: null });
  expect(items).toMatchObject([{ secondDebit: { amount: AMOUNT, captureId } }]);
});

it('the daily comparison records the cycle of a refused debit as collected if the capture alone is listed as successful on two days in a row', async () => {
  const { world } = holder;
  const subscribed = await createRefused(world, { later: SUCCESSFUL, status: 'cancelled' });
  const asRefused = listing(world, { authorizations: listsEach({ status: 'failed' }) });
  world.clock.pass(DAY);
  expect(await compareDay(world, asRefused)).toEqual([]);
  expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending' }]);
  world.clock.pass(DAY);
  expect(await compareDay(world, asRefused)).toEqual(['authorization_state']);
  expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status: 'collected' });
  expect((await itemsOf(world)).map(({ kind }) => kind).toSorted()).toEqual([
    'authorization_state',
    'contradiction',
    'debit_after_cancel',
  ]);
  expect(world.posts(subscribed)).toBe(1);
});

const pending = { delayMs: HOUR, pendingMs: 10 * HOUR };

it.each([
  ['until it succeeds', 'refused_then_successful', 'collected', 'successful'],
  ['until it is refused again', 'refused_then_failed', 'failed', 'rejected'],
] as const)(
  'the daily comparison follows a refused debit that is listed as pending %s',
  async (_end, kind, status, state) => {
    const { world } = holder;
    const subscribed = await createRefused(world, { later: { kind, ...pending }, terms: { repetition: 'YEARLY' } });
    world.clock.pass(2 * HOUR);
    expect(await compareDay(world)).toEqual([]);
    expect(await world.sends(subscribed)).toMatchObject([{ state: 'pending', refusedAs: 'rejected' }]);
    // The ledger records nothing about the debit meanwhile, yet the comparison asks the service for it each day.
    expect(await compareDay(world)).toEqual([]);
    world.clock.pass(DAY);
    expect(await compareDay(world)).toEqual([]);
    expect(await world.sends(subscribed)).toMatchObject([{ state, authorizationId: expect.any(String) }]);
    expect(await getCycle(world.deps.ledger, subscribed.subscriptionId, 0)).toMatchObject({ status });
    const kinds = (await itemsOf(world)).map((item) => item.kind);
    expect(kinds).toEqual(status === 'collected' ? ['contradiction'] : []);
    expect(await world.events(subscribed, 'attempt.reopened')).toHaveLength(1);
    expect(world.posts(subscribed)).toBe(1);
  },
);

it('a payment that cannot be read is reported after the time-out, and meanwhile a followed payment is not read again in each try', async () => {
  const { world } = holder;
  const later = { kind: 'refused_then_successful', delayMs: HOUR, pendingMs: 10 * DAY } as const;
  const followed = await createRefused(world, { later, terms: { repetition: 'YEARLY' } });
  world.clock.pass(2 * HOUR);
  await compareDay(world);
  expect(await world.sends(followed)).toMatchObject([{ state: 'pending', refusedAs: 'rejected' }]);
  const broken = await world.due();
  world.clock.pass(DAY);
  let tries = 0;
  const listAuthorizations: PaymentService['listAuthorizations'] = async (id) => {
    if (id !== broken.paymentId || tries >= 400) return world.deps.service.listAuthorizations(id);
    tries += 1;
    return { kind: 'unknown', reason: 'HTTP 500' };
  };
  const before = world.requests.length;
  expect(await compareDay(world, { service: world.service({ listAuthorizations }) })).toEqual(['not_compared']);
  const asked = world.requests.slice(before).filter((each) => each.endsWith(`paymentId=${followed.paymentId}`));
  expect(asked.length).toBeLessThan(20);
});
