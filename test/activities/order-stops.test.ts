import { DAY, HOUR, MINUTE, SECOND, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { Dependencies } from '../../activities';
import type { Refund, ServiceResult } from '../../src/payment-service';
import { SETTLE, useWorld, type World } from './activity-world';
import { hookedPool } from './crash-points';
import { listing, lists, listsEach, listsNothing, NO_ANSWER, noAnswer } from './listing';
import {
  createAuthorized,
  capture,
  capturePosts,
  orderedCapture,
  orderSends,
  paymentActivities,
  resolveAsFailed,
  auditEntriesOf,
  waitingFor,
} from './payment-world';
import {
  createCollected,
  givenBack,
  placeRefund,
  type OrderedRefund,
  refund,
  refundOnce,
  refundPosts,
  refundSends,
} from './refund-world';

/** Why an order cannot continue for now: what an operator reads about it, when it counts as settled, and the waits between tries. */

const holder = useWorld();
const POST = { method: 'POST', path: '/refunds$' } as const;
const LIST = { method: 'GET', path: '/refunds$' } as const;

async function begin(wallet?: string) {
  const { world } = holder;
  const subscribed = await createCollected(world, wallet);
  return { world, subscribed, input: await placeRefund(world, subscribed) };
}

const FORBIDDEN = { kind: 'not_sent', reason: 'HTTP 403' } as const;
const refusing = (world: World) => ({ service: world.service({ refund: async () => FORBIDDEN }) });

async function createUnknownOutcome(kind: 'swallowed' | 'lost_answer') {
  const { world, input, subscribed } = await begin();
  world.sandbox.faults.add({ kind, match: POST });
  const deps = kind === 'swallowed' ? {} : listing(world, { refunds: listsNothing });
  const stop = await refundOnce(world, input, deps);
  expect(stop).toMatchObject({ type: 'outcome_unknown', message: 'the service does not list what was sent' });
  const [row] = await refundSends(world, input);
  const passSinceSent = (ms: number) => world.clock.passUntilReal(row!.sendingRealAt + ms);
  return { world, input, subscribed, passSinceSent };
}

async function look(world: World, input: OrderedRefund, deps: Partial<Dependencies> = {}) {
  const end = await refundOnce(world, input, deps);
  const [row] = await refundSends(world, input);
  return { end, checks: row?.absentChecks, state: row?.state };
}

it.each([
  ['does not count as absent a millisecond before the settle time ends', -1, 0],
  ['counts as absent when the settle time ends', 0, 1],
  ['counts as absent a millisecond after the settle time ends', 1, 1],
])('an order that the service does not list: %s', async (_when, ms, checks) => {
  const { world, input, passSinceSent } = await createUnknownOutcome('swallowed');
  passSinceSent(SETTLE + ms);
  const seen = await look(world, input);
  expect(seen).toMatchObject({ checks, state: 'unknown', end: { type: 'outcome_unknown' } });
  if (ms < 0) expect(seen.end).toMatchObject({ wait: -ms });
});

it('an order that the service does not list counts as never made only after it was absent from two lists in a row', async () => {
  const { world, input, passSinceSent } = await createUnknownOutcome('lost_answer');
  const absent = listing(world, { refunds: listsNothing });
  const unclear = listing(world, { refunds: listsEach({ amount: euros(1) }) });
  passSinceSent(SETTLE);
  expect(await look(world, input, absent)).toMatchObject({ checks: 1, state: 'unknown' });
  expect(await look(world, input, unclear)).toMatchObject({ checks: 0, state: 'unresolved' });
  expect(await look(world, input, absent)).toMatchObject({ checks: 1 });
  const asked = world.clock.realNow();
  await look(world, input, { service: { ...absent.service, refund: async () => NO_ANSWER } });
  expect(await refundSends(world, input)).toMatchObject([
    { state: 'not_sent', reason: 'absent after the settle time, twice in a row' },
    { state: 'unknown', reason: 'no complete answer', unknownSinceReal: asked },
  ]);
});

it('an order that the service does not list is polled at intervals that grow with the time since it was sent', async () => {
  const { world, input, passSinceSent } = await createUnknownOutcome('swallowed');
  passSinceSent(100 * SECOND);
  expect((await look(world, input)).end).toMatchObject({ wait: 20 * SECOND });
  passSinceSent(120 * SECOND);
  expect((await look(world, input, listing(world, { refunds: noAnswer }))).end).toMatchObject({ wait: 24 * SECOND });
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match: LIST });
  expect((await look(world, input)).end).toMatchObject({ type: 'outcome_unknown', wait: 33 * SECOND });
});

it.each([
  ['no alert is raised a millisecond before the settle time ends', SETTLE - 1, 0],
  ['an alert is raised when the settle time ends', SETTLE, 1],
])('if the list is unreadable while the outcome of an order is unknown, %s', async (_when, age, told) => {
  const { world, subscribed, input, passSinceSent } = await createUnknownOutcome('lost_answer');
  passSinceSent(age);
  const { end } = await look(world, input, listing(world, { refunds: noAnswer }));
  const reason = 'the service cannot be asked: no complete answer';
  expect(end).toMatchObject({ type: 'outcome_unknown', message: reason });
  const events = await world.events(subscribed, 'refunds.unreadable');
  expect(events).toMatchObject(Array(told).fill({ data: { refundId: input.refundId, cycle: 0, reason } }));
});

it('a listed record that fits no send is reported and logged once with every id, and polled at growing intervals', async () => {
  const { world, subscribed, input } = await createUnknownOutcome('lost_answer');
  const [made] = givenBack(world, input);
  const reason = `the service lists ${made!.refundId}, other, which do not fit`;
  const double = listing(world, {
    refunds: lists((all) => all.flatMap((each) => [each, { ...each, refundId: 'other' }])),
  });
  const waits: number[] = [];
  const onStop = ({ type, message, wait }: { type: string; message: string; wait: number }) => {
    expect({ type, message }).toEqual({ type: 'outcome_unknown', message: reason });
    waits.push(wait);
  };
  await expect(refund(world, input, double, { maxRuns: 40, onStop })).rejects.toThrow('no answer after 40 runs');
  expect([waits[0], waits.at(-1)]).toEqual([500, MINUTE]);
  expect(await world.events(subscribed, 'refund.unresolved')).toMatchObject([{ data: { reason } }]);
  const { subscriptionId, refundId } = input;
  expect(world.loggedAs('refund.unresolved')).toMatchObject([{ level: 40, subscriptionId, refundId, reason }]);
});

it('an order that waits for an operator shows the records that were found, even during a later outage, or else that the service is unavailable', async () => {
  const { world, input, passSinceSent } = await createUnknownOutcome('lost_answer');
  const said = async () => (await waitingFor(world, input.refundId))[0]?.ledger?.detail;
  const unreadable = listing(world, { refunds: noAnswer });
  passSinceSent(SETTLE);
  await look(world, input, unreadable);
  expect(await said()).toBe('the service cannot be asked: no complete answer');
  const unclear = listing(world, { refunds: listsEach({ amount: euros(1) }) });
  await look(world, input, unclear);
  const found = await said();
  expect(found).toContain('which do');
  await look(world, input, unreadable);
  expect(await said()).toBe(found);
  await look(world, input);
  expect(await said()).toBeUndefined();
});

it('an order that has not been sent names an unknown record that stops it, and is tried at growing intervals', async () => {
  const { world, subscribed, input } = await begin();
  await world.deps.service.refund(subscribed.paymentId, { amount: input.amount });
  const [strange] = givenBack(world, input);
  const reason = `the service lists ${strange!.refundId}, which the ledger lacks`;
  expect(await refundOnce(world, input)).toEqual({ type: 'outcome_unknown', message: reason, wait: 500 });
  expect(await world.events(subscribed, 'refund.stopped')).toMatchObject([{ data: { reason } }]);
  const waits: number[] = [];
  await refund(world, input, {}, { maxRuns: 40, onStop: ({ wait }) => void waits.push(wait) }).catch(() => null);
  expect(waits.at(-1)).toBe(MINUTE);
});

it('an order that has not been sent is stopped by unknown records created at most a minute before the order', async () => {
  const { world, subscribed } = await begin();
  await world.deps.service.refund(subscribed.paymentId, { amount: { value: 100, currency: 'EUR' } });
  world.clock.pass(MINUTE);
  const near = await placeRefund(world, subscribed);
  expect(await refundOnce(world, near)).toMatchObject({ message: expect.stringContaining('the ledger lacks') });
  world.clock.pass(1);
  const far = await placeRefund(world, subscribed);
  expect((await refund(world, far)).result.kind).toBe('successful');
});

it('an order that has not been sent shows the service’s answer if the list is unreadable', async () => {
  const { world, subscribed, input } = await begin();
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: LIST });
  const stop = await refundOnce(world, input);
  expect(stop).toMatchObject({ type: 'service_unreadable', message: expect.stringMatching(/^refunds: .*503/) });
  const reason = expect.stringContaining('503');
  expect(await world.events(subscribed, 'refunds.unreadable')).toMatchObject([{ data: { reason } }]);
  expect(world.loggedAs('refunds.unreadable')).toMatchObject([{ level: 40, refundId: input.refundId, reason }]);
});

it('an order that has not been sent says whether another order has an unknown outcome or is under way', async () => {
  const { world, input, subscribed } = await createUnknownOutcome('swallowed');
  const other = await placeRefund(world, subscribed);
  const blocked = { type: 'blocked', message: 'another order of this payment has an unknown outcome' };
  expect(await refundOnce(world, other)).toMatchObject(blocked);
  expect(refundPosts(world, input)).toBe(1);
  const third = await createCollected(world);
  const [first, second] = [await placeRefund(world, third), await placeRefund(world, third)];
  world.sandbox.faults.add({ kind: 'swallowed', match: POST });
  const before = async () => {
    await refundOnce(world, first);
  };
  const ledger = hookedPool(world.deps.ledger, { matches: /^begin/, before });
  expect(await refundOnce(world, second, { ledger })).toMatchObject({
    type: 'blocked',
    message: 'another order of this payment is under way',
  });
});

it('an order that has not been sent shows the reason why it was not sent', async () => {
  const { world, subscribed, input } = await begin();
  const deps = { service: world.service({ refund: async () => ({ kind: 'not_sent', reason: 'no route' }) }) };
  expect(await refundOnce(world, input, deps)).toEqual({ type: 'not_sent', message: 'no route', wait: 500 });
  expect(await world.events(subscribed, 'refund.cannot_be_sent')).toMatchObject([{ data: { reason: 'no route' } }]);
  expect(await refundSends(world, input)).toMatchObject([{ state: 'not_sent', reason: 'no route' }]);
});

const NOT_FOUND = { retryable: false, detail: 'NOT_FOUND', description: 'unknown', httpStatus: 404 };
const unknownThere = () => ({ kind: 'rejected', failure: NOT_FOUND }) as const;
const withClockAhead = (answer: ServiceResult<readonly Refund[]>): ServiceResult<readonly Refund[]> =>
  answer.kind === 'accepted' ? { ...answer, clockLead: 75 * SECOND } : answer;

it.each([
  ['not_sent', 'HTTP 403', (world: World) => refusing(world)],
  [
    'service_unreadable',
    'refunds: refused with NOT_FOUND',
    (world: World) => listing(world, { refunds: unknownThere }),
  ],
  ['clocks_differ', /75 s or more ahead/, (world: World) => listing(world, { refunds: withClockAhead })],
] as const)(
  'a refund that cannot be sent because of %s is handed to an operator after an hour, and retried at intervals of at most an hour',
  async (type, detail, change) => {
    const { world, input } = await begin();
    const deps = change(world);
    const began = world.clock.realNow();
    const waits: number[] = [];
    const onStop = async (stop: { type: string; wait: number }) => {
      expect(stop.type).toBe(type);
      waits.push(stop.wait);
      const isLong = world.clock.realNow() - began >= HOUR;
      const ledger = { state: type === 'not_sent' ? type : 'ordered', detail: expect.stringMatching(detail) };
      expect(await waitingFor(world, input.refundId)).toMatchObject(
        isLong ? [{ kind: 'refund_unresolved', deadline: null, ledger }] : [],
      );
      if (stop.wait === HOUR) expect(await resolveAsFailed(world, input.refundId)).toEqual({ kind: 'resolved' });
    };
    const { result } = await refund(world, input, deps, { onStop });
    expect(result).toMatchObject({ kind: 'failed', detail: 'RESOLVED_AS_FAILED' });
    expect(waits.at(-1)).toBe(HOUR);
    expect(await waitingFor(world, input.refundId)).toEqual([]);
    expect(refundPosts(world, input)).toBe(0);
  },
);

it('a refund that cannot be sent keeps one item open over all tries, until the refund is made', async () => {
  const { world, input } = await begin();
  let refused = 0;
  const service = world.service({
    refund: async (...call) => {
      if ((await waitingFor(world, input.refundId)).length > 0) refused += 1;
      return refused > 2 ? world.deps.service.refund(...call) : FORBIDDEN;
    },
  });
  const since = new Set<number>();
  const onStop = async () => {
    for (const item of await waitingFor(world, input.refundId)) since.add(item.since);
  };
  const { result } = await refund(world, input, { service }, { onStop });
  expect(result.kind).toBe('successful');
  expect(since.size).toBe(1);
  expect(await waitingFor(world, input.refundId)).toEqual([]);
});

it('a capture that cannot be sent is handed to an operator after an hour and until its deadline, and retried at least each minute', async () => {
  const { world } = holder;
  const input = await orderedCapture(world, await createAuthorized(world), 3_000);
  world.clock.passUntil(input.captureBy - 2 * HOUR);
  const service = world.service({ capture: async () => FORBIDDEN });
  const began = world.clock.realNow();
  const onStop = async ({ wait }: { wait: number }) => {
    expect(wait).toBeLessThanOrEqual(MINUTE);
    const isLong = world.clock.realNow() - began >= HOUR;
    const item = { kind: 'capture_unresolved', deadline: input.captureBy, ledger: { detail: 'HTTP 403' } };
    expect(await waitingFor(world, input.orderId)).toMatchObject(isLong ? [item] : []);
  };
  const { result } = await capture(world, input, { service }, { onStop });
  expect(result).toEqual({ kind: 'failed', status: 'authorized' });
  expect(await waitingFor(world, input.orderId)).toEqual([]);
});

it('an order in progress shows its step, the send and the service’s id', async () => {
  const { world, input } = await begin('slow-60');
  world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
  await refund(world, input);
  const { refundId } = givenBack(world, input)[0]!;
  expect(world.driver.seen).toEqual(
    expect.arrayContaining([
      { step: 'pre-send check' },
      { step: 'refund', send: 0 },
      { step: 'settling', send: 0 },
      { step: 'refund', serviceId: refundId },
    ]),
  );
});

it('an order that the service refuses is stored with the record that the answer names', async () => {
  const { world, input } = await begin();
  const failure = { retryable: false, detail: 'ANY_WORD', description: 'why not', httpStatus: 422 };
  const value = { refundId: 'rfd-1', createdAt: world.clock.now(), amount: input.amount, status: 'failed' } as Refund;
  const service = world.service({ refund: async () => ({ kind: 'rejected', failure, value }) });
  expect((await refund(world, input, { service })).result).toEqual({
    kind: 'failed',
    detail: 'ANY_WORD',
    description: 'why not',
  });
  expect(await refundSends(world, input)).toMatchObject([
    { state: 'failed', serviceId: 'rfd-1', serviceCreatedAt: value.createdAt },
  ]);
});

it('a pending order shows what it waits for', async () => {
  const { world, input } = await begin('slow-7200');
  const says = async (deps?: Partial<Dependencies>) => {
    const end = await refundOnce(world, input, deps);
    return 'message' in end ? end : null;
  };
  const { message } = (await says())!;
  const { refundId } = givenBack(world, input)[0]!;
  expect(message).toBe(`refund ${refundId}: the service says pending`);
  expect(await says(listing(world, { refunds: listsNothing }))).toMatchObject({
    message: `refund ${refundId}: the service does not list it`,
  });
  expect(await says(listing(world, { refunds: noAnswer }))).toMatchObject({
    message: `refund ${refundId}: no complete answer`,
  });
  world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match: LIST });
  expect(await says()).toMatchObject({ type: 'pending', wait: 33 * SECOND });
  const [row] = await refundSends(world, input);
  world.clock.passUntilReal(row!.sendingRealAt + 100 * SECOND);
  expect(await says()).toMatchObject({ type: 'pending', wait: 20 * SECOND });
});

it('a pending order that fails without a detail of the service gets one from dueday', async () => {
  const { world, input } = await begin('slow-7200');
  await refundOnce(world, input);
  const failed = listing(world, { refunds: listsEach({ status: 'failed' }) });
  const { result } = await refund(world, input, failed);
  expect(result).toEqual({ kind: 'failed', detail: 'REFUND_FAILED', description: '' });
  const { refundId } = givenBack(world, input)[0]!;
  expect(await refundSends(world, input)).toMatchObject([{ serviceId: refundId, serviceCreatedAt: input.orderedAt }]);
  expect(world.loggedAs('refund.failed')).toMatchObject([{ level: 40, detail: 'REFUND_FAILED' }]);
});

const saysPending = (world: World) => listing(world, { refunds: listsEach({ status: 'pending' }) });

async function createPending() {
  const { world, subscribed, input } = await begin('slow-7200');
  await refundOnce(world, input);
  const [row] = await refundSends(world, input);
  return { world, subscribed, input, row: row! };
}

it.each([
  ['a millisecond before five days have passed', -1, 0],
  ['five days after it was sent', 0, 1],
])('a refund that stays pending, %s (%i ms), opens %i items', async (_when, ms, people) => {
  const { world, subscribed, input, row } = await createPending();
  world.clock.passUntil(row.at + 5 * DAY + ms);
  await refundOnce(world, input, saysPending(world));
  expect(await waitingFor(world, input.refundId)).toHaveLength(people);
  expect(await world.events(subscribed, 'refund.overdue')).toHaveLength(people);
});

it('a refund that stays pending can be settled by an operator and is polled hourly meanwhile', async () => {
  const { world, input, row } = await createPending();
  world.clock.passUntil(row.at + 5 * DAY);
  expect(await refundOnce(world, input, saysPending(world))).toMatchObject({ type: 'pending', wait: HOUR });
  expect(await waitingFor(world, input.refundId)).toMatchObject([
    {
      kind: 'refund_unresolved',
      ledger: {
        state: 'pending',
        detail: `pending past ${toIso(row.at + 5 * DAY)}: the service says pending`,
      },
    },
  ]);
  expect(await resolveAsFailed(world, input.refundId)).toEqual({ kind: 'resolved' });
  const { result } = await refund(world, input, saysPending(world));
  expect(result).toMatchObject({ kind: 'failed', detail: 'RESOLVED_AS_FAILED' });
  expect(await waitingFor(world, input.refundId)).toEqual([]);
});

it('a refund that stays pending is settled by the service, however late that is', async () => {
  const { world, input, row } = await createPending();
  world.clock.passUntil(row.at + 5 * DAY);
  await refundOnce(world, input, saysPending(world));
  expect((await refund(world, input)).result.kind).toBe('successful');
  expect(await waitingFor(world, input.refundId)).toEqual([]);
});

it.each([
  ['within the settle time', SETTLE - 1, 0],
  ['after the settle time', SETTLE, 1],
])('a pending refund that is not listed %s (%i ms) opens %i items, until it is listed', async (_when, age, people) => {
  const { world, subscribed, input, row } = await createPending();
  world.clock.passUntilReal(row.sendingRealAt + age);
  await refundOnce(world, input, listing(world, { refunds: listsNothing }));
  expect(await waitingFor(world, input.refundId)).toHaveLength(people);
  const reason = `the service does not list ${row.serviceId ?? ''} any more`;
  expect(await world.events(subscribed, 'refund.overdue')).toMatchObject(Array(people).fill({ data: { reason } }));
  await refundOnce(world, input, listing(world, { refunds: noAnswer }));
  expect(await waitingFor(world, input.refundId)).toHaveLength(people);
  await refundOnce(world, input);
  expect(await waitingFor(world, input.refundId)).toEqual([]);
});

it('a refund that stays pending waits for an operator even if the service is unavailable', async () => {
  const { world, input, row } = await createPending();
  world.clock.passUntil(row.at + 5 * DAY);
  await refundOnce(world, input, listing(world, { refunds: noAnswer }));
  expect(await waitingFor(world, input.refundId)).toMatchObject([
    { ledger: { state: 'pending', detail: expect.stringContaining('no complete answer') } },
  ]);
});

it.each([
  ['for longer than a check is valid', 70_000, 0],
  ['for less than a check is valid', 69_000, 1],
])('a process that is frozen between check and row %s, %i ms, sends %i POSTs', async (_where, ms, posts) => {
  const { world, input } = await begin();
  let frozen = true;
  const refunds = lists((all: readonly Refund[]) => {
    if (frozen) world.clock.pass(ms);
    frozen = false;
    return all;
  });
  const deps = listing(world, { refunds });
  await refundOnce(world, input, deps);
  expect(refundPosts(world, input)).toBe(posts);
});

it('an unreadable list of captures is logged with the payment and the order, and without a subscription', async () => {
  const { world } = holder;
  const reference = await createAuthorized(world);
  const input = await orderedCapture(world, reference, 3_000);
  world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: { method: 'GET', path: '/captures' } });
  await world.driver.once(() => paymentActivities(world).capturePayment(input));
  const { paymentId, orderId } = input;
  const [line] = world.loggedAs('captures.unreadable');
  expect(line).toMatchObject({ level: 40, paymentId, orderId, reason: expect.stringContaining('503') });
  expect(line).not.toHaveProperty('subscriptionId');
  expect((await auditEntriesOf(world, reference)).filter((type) => type === 'captures.unreadable')).toHaveLength(1);
});

it('a capture is given up without a check after its deadline, with the reason', async () => {
  const { world } = holder;
  const input = await orderedCapture(world, await createAuthorized(world), 3_000);
  world.clock.passUntil(input.captureBy);
  const asked = world.requests.length;
  await capture(world, input);
  expect(world.requests).toHaveLength(asked);
  expect(capturePosts(world)).toBe(0);
  expect(await orderSends(world, input.orderId)).toMatchObject([
    {
      state: 'failed',
      detail: 'CAPTURE_PERIOD_ENDED',
      description: expect.stringContaining('it had to arrive before'),
    },
  ]);
});
