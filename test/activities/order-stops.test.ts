import { DAY, HOUR, MINUTE, SECOND, toIso } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { Dependencies } from '../../activities';
import type { Refund, ServiceResult } from '../../src/payment-service';
import { SETTLE, useWorld, type World } from './activity-world';
import { hookedPool } from './crash-points';
import { listing, lists, listsEach, listsNothing, NO_ANSWER, noAnswer } from './listing';
import {
  authorized,
  capture,
  capturePosts,
  orderedCapture,
  orderSends,
  paymentActivities,
  resolveAsFailed,
  trailOf,
  waitingFor,
} from './payment-world';
import {
  collected,
  givenBack,
  ordered,
  type OrderedRefund,
  refund,
  refundOnce,
  refundPosts,
  refundSends,
} from './refund-world';

/** Why an order does not move for now: what a person reads of it, when it counts as settled, and the pauses. */

const test = useWorld();
const POST = { method: 'POST', path: '/refunds$' } as const;
const LIST = { method: 'GET', path: '/refunds$' } as const;

async function begin(wallet?: string) {
  const { world } = test;
  const subscribed = await collected(world, wallet);
  return { world, subscribed, input: await ordered(world, subscribed) };
}

const FORBIDDEN = { kind: 'not_sent', reason: 'HTTP 403' } as const;
const refusing = (world: World) => ({ service: world.service({ refund: async () => FORBIDDEN }) });

async function inDoubt(kind: 'swallowed' | 'lost_answer') {
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
  return { end, looks: row?.absentLooks, state: row?.state };
}

describe('what the service does not list', () => {
  it.each([
    ['is no proof a millisecond before the settle time is over', -1, 0],
    ['counts as absent at its end', 0, 1],
    ['counts as absent a millisecond later', 1, 1],
  ])('%s', async (_when, ms, looks) => {
    const { world, input, passSinceSent } = await inDoubt('swallowed');
    passSinceSent(SETTLE + ms);
    const seen = await look(world, input);
    expect(seen).toMatchObject({ looks, state: 'unknown', end: { type: 'outcome_unknown' } });
    if (ms < 0) expect(seen.end).toMatchObject({ pause: -ms });
  });

  it('was never made once it counts twice in a row, and not where it was seen in between', async () => {
    const { world, input, passSinceSent } = await inDoubt('lost_answer');
    const absent = listing(world, { refunds: listsNothing });
    const unclear = listing(world, { refunds: listsEach({ amount: euros(1) }) });
    passSinceSent(SETTLE);
    expect(await look(world, input, absent)).toMatchObject({ looks: 1, state: 'unknown' });
    expect(await look(world, input, unclear)).toMatchObject({ looks: 0, state: 'unresolved' });
    expect(await look(world, input, absent)).toMatchObject({ looks: 1 });
    const asked = world.clock.realNow();
    await look(world, input, { service: { ...absent.service, refund: async () => NO_ANSWER } });
    expect(await refundSends(world, input)).toMatchObject([
      { state: 'not_sent', reason: 'absent after the settle time, twice in a row' },
      { state: 'unknown', reason: 'no whole answer', unknownSinceReal: asked },
    ]);
  });

  it('is asked about in pauses that grow with the time since it was sent', async () => {
    const { world, input, passSinceSent } = await inDoubt('swallowed');
    passSinceSent(100 * SECOND);
    expect((await look(world, input)).end).toMatchObject({ pause: 20 * SECOND });
    passSinceSent(120 * SECOND);
    expect((await look(world, input, listing(world, { refunds: noAnswer }))).end).toMatchObject({ pause: 24 * SECOND });
    world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match: LIST });
    expect((await look(world, input)).end).toMatchObject({ type: 'outcome_unknown', pause: 33 * SECOND });
  });
});

describe('a list that cannot be read while an outcome is in doubt', () => {
  it.each([
    ['calls nobody a millisecond before the settle time is over', SETTLE - 1, 0],
    ['calls a person from then on', SETTLE, 1],
  ])('%s', async (_when, age, told) => {
    const { world, subscribed, input, passSinceSent } = await inDoubt('lost_answer');
    passSinceSent(age);
    const { end } = await look(world, input, listing(world, { refunds: noAnswer }));
    const reason = 'the service cannot be asked: no whole answer';
    expect(end).toMatchObject({ type: 'outcome_unknown', message: reason });
    const events = await world.events(subscribed, 'refunds.unreadable');
    expect(events).toMatchObject(Array(told).fill({ data: { refundId: input.refundId, cycle: 0, reason } }));
  });
});

describe('what fits nothing that was sent', () => {
  it('is told and logged once with every id, and asked about in growing pauses', async () => {
    const { world, subscribed, input } = await inDoubt('lost_answer');
    const [made] = givenBack(world, input);
    const reason = `the service lists ${made!.refundId}, other, which do not fit`;
    const double = listing(world, {
      refunds: lists((all) => all.flatMap((each) => [each, { ...each, refundId: 'other' }])),
    });
    const pauses: number[] = [];
    const onStop = ({ type, message, pause }: { type: string; message: string; pause: number }) => {
      expect({ type, message }).toEqual({ type: 'outcome_unknown', message: reason });
      pauses.push(pause);
    };
    await expect(refund(world, input, double, { maxRuns: 40, onStop })).rejects.toThrow('no answer after 40 runs');
    expect([pauses[0], pauses.at(-1)]).toEqual([500, MINUTE]);
    expect(await world.events(subscribed, 'refund.unresolved')).toMatchObject([{ data: { reason } }]);
    const { subscriptionId, refundId } = input;
    expect(world.loggedAs('refund.unresolved')).toMatchObject([{ level: 40, subscriptionId, refundId, reason }]);
  });
});

describe('what waits for a person', () => {
  it('says what was found, also over an outage; and that the service cannot be asked where nothing was', async () => {
    const { world, input, passSinceSent } = await inDoubt('lost_answer');
    const said = async () => (await waitingFor(world, input.refundId))[0]?.ledger?.detail;
    const unreadable = listing(world, { refunds: noAnswer });
    passSinceSent(SETTLE);
    await look(world, input, unreadable);
    expect(await said()).toBe('the service cannot be asked: no whole answer');
    const unclear = listing(world, { refunds: listsEach({ amount: euros(1) }) });
    await look(world, input, unclear);
    const found = await said();
    expect(found).toContain('which do');
    await look(world, input, unreadable);
    expect(await said()).toBe(found);
    await look(world, input);
    expect(await said()).toBeUndefined();
  });
});

describe('what has not been sent', () => {
  it('for a stranger in the list says which, in pauses that grow', async () => {
    const { world, subscribed, input } = await begin();
    await world.deps.service.refund(subscribed.paymentId, { amount: input.amount });
    const [strange] = givenBack(world, input);
    const reason = `the service lists ${strange!.refundId}, which the ledger lacks`;
    expect(await refundOnce(world, input)).toEqual({ type: 'outcome_unknown', message: reason, pause: 500 });
    expect(await world.events(subscribed, 'refund.stopped')).toMatchObject([{ data: { reason } }]);
    const pauses: number[] = [];
    await refund(world, input, {}, { maxRuns: 40, onStop: ({ pause }) => void pauses.push(pause) }).catch(() => null);
    expect(pauses.at(-1)).toBe(MINUTE);
  });

  it('a stranger is what came no earlier than a minute before the order', async () => {
    const { world, subscribed } = await begin();
    await world.deps.service.refund(subscribed.paymentId, { amount: { value: 100, currency: 'EUR' } });
    world.clock.pass(MINUTE);
    const near = await ordered(world, subscribed);
    expect(await refundOnce(world, near)).toMatchObject({ message: expect.stringContaining('the ledger lacks') });
    world.clock.pass(1);
    const far = await ordered(world, subscribed);
    expect((await refund(world, far)).result.kind).toBe('successful');
  });

  it('for an unreadable list says how the service answered', async () => {
    const { world, subscribed, input } = await begin();
    world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: LIST });
    const stop = await refundOnce(world, input);
    expect(stop).toMatchObject({ type: 'service_unreadable', message: expect.stringMatching(/^refunds: .*503/) });
    const reason = expect.stringContaining('503');
    expect(await world.events(subscribed, 'refunds.unreadable')).toMatchObject([{ data: { reason } }]);
    expect(world.loggedAs('refunds.unreadable')).toMatchObject([{ level: 40, refundId: input.refundId, reason }]);
  });

  it('for another order in doubt, or begun meanwhile, says so', async () => {
    const { world, input, subscribed } = await inDoubt('swallowed');
    const other = await ordered(world, subscribed);
    const blocked = { type: 'blocked', message: 'another order of this payment has an unknown outcome' };
    expect(await refundOnce(world, other)).toMatchObject(blocked);
    expect(refundPosts(world, input)).toBe(1);
    const third = await collected(world);
    const [first, second] = [await ordered(world, third), await ordered(world, third)];
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

  it('gives the reason of what did not leave', async () => {
    const { world, subscribed, input } = await begin();
    const deps = { service: world.service({ refund: async () => ({ kind: 'not_sent', reason: 'no route' }) }) };
    expect(await refundOnce(world, input, deps)).toEqual({ type: 'not_sent', message: 'no route', pause: 500 });
    expect(await world.events(subscribed, 'refund.cannot_be_sent')).toMatchObject([{ data: { reason: 'no route' } }]);
    expect(await refundSends(world, input)).toMatchObject([{ state: 'not_sent', reason: 'no route' }]);
  });
});

const NOT_FOUND = { retryable: false, detail: 'NOT_FOUND', description: 'unknown', httpStatus: 404 };
const unknownThere = () => ({ kind: 'rejected', failure: NOT_FOUND }) as const;
const withClockAhead = (answer: ServiceResult<readonly Refund[]>): ServiceResult<readonly Refund[]> =>
  answer.kind === 'accepted' ? { ...answer, clockLead: 75 * SECOND } : answer;

describe('a refund that cannot be sent', () => {
  it.each([
    ['not_sent', 'HTTP 403', (world: World) => refusing(world)],
    [
      'service_unreadable',
      'refunds: refused with NOT_FOUND',
      (world: World) => listing(world, { refunds: unknownThere }),
    ],
    ['clocks_differ', /75 s or more ahead/, (world: World) => listing(world, { refunds: withClockAhead })],
  ] as const)('as %s is for a person after an hour, and tried on, up to hourly', async (type, detail, change) => {
    const { world, input } = await begin();
    const deps = change(world);
    const began = world.clock.realNow();
    const pauses: number[] = [];
    const onStop = async (stop: { type: string; pause: number }) => {
      expect(stop.type).toBe(type);
      pauses.push(stop.pause);
      const isLong = world.clock.realNow() - began >= HOUR;
      const ledger = { state: type === 'not_sent' ? type : 'ordered', detail: expect.stringMatching(detail) };
      expect(await waitingFor(world, input.refundId)).toMatchObject(
        isLong ? [{ kind: 'refund_unresolved', deadline: null, ledger }] : [],
      );
      if (stop.pause === HOUR) expect(await resolveAsFailed(world, input.refundId)).toEqual({ kind: 'resolved' });
    };
    const { result } = await refund(world, input, deps, { onStop });
    expect(result).toMatchObject({ kind: 'failed', detail: 'RESOLVED_AS_FAILED' });
    expect(pauses.at(-1)).toBe(HOUR);
    expect(await waitingFor(world, input.refundId)).toEqual([]);
    expect(refundPosts(world, input)).toBe(0);
  });

  it('keeps its item from try to try; it ends once the refund is made', async () => {
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
});

it('a capture that cannot be sent is for a person until its deadline, and tried each minute', async () => {
  const { world } = test;
  const input = await orderedCapture(world, await authorized(world), 3_000);
  world.clock.passUntil(input.captureBy - 2 * HOUR);
  const service = world.service({ capture: async () => FORBIDDEN });
  const began = world.clock.realNow();
  const onStop = async ({ pause }: { pause: number }) => {
    expect(pause).toBeLessThanOrEqual(MINUTE);
    const isLong = world.clock.realNow() - began >= HOUR;
    const item = { kind: 'capture_unresolved', deadline: input.captureBy, ledger: { detail: 'HTTP 403' } };
    expect(await waitingFor(world, input.orderId)).toMatchObject(isLong ? [item] : []);
  };
  const { result } = await capture(world, input, { service }, { onStop });
  expect(result).toEqual({ kind: 'failed', status: 'authorized' });
  expect(await waitingFor(world, input.orderId)).toEqual([]);
});

describe('what people see of an order under way', () => {
  it('is its step, with the send and the id that the service gave it', async () => {
    const { world, input } = await begin('slow-60');
    world.sandbox.faults.add({ kind: 'lost_answer', match: POST });
    await refund(world, input);
    const { refundId } = givenBack(world, input)[0]!;
    expect(world.driver.seen).toEqual(
      expect.arrayContaining([
        { step: 'pre-send check' },
        { step: 'refund', send: 0 },
        { step: 'reconciling', send: 0 },
        { step: 'refund', serviceId: refundId },
      ]),
    );
  });
});

describe('what the service refuses', () => {
  it('with its record is kept with that', async () => {
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
});

describe('what is pending', () => {
  it('says what it waits for', async () => {
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
      message: `refund ${refundId}: no whole answer`,
    });
    world.sandbox.faults.add({ kind: 'rate_limit', retryAfter: 33, match: LIST });
    expect(await says()).toMatchObject({ type: 'pending', pause: 33 * SECOND });
    const [row] = await refundSends(world, input);
    world.clock.passUntilReal(row!.sendingRealAt + 100 * SECOND);
    expect(await says()).toMatchObject({ type: 'pending', pause: 20 * SECOND });
  });

  it('that fails without a word is told in ours', async () => {
    const { world, input } = await begin('slow-7200');
    await refundOnce(world, input);
    const failed = listing(world, { refunds: listsEach({ status: 'failed' }) });
    const { result } = await refund(world, input, failed);
    expect(result).toEqual({ kind: 'failed', detail: 'REFUND_FAILED', description: '' });
    const { refundId } = givenBack(world, input)[0]!;
    expect(await refundSends(world, input)).toMatchObject([{ serviceId: refundId, serviceCreatedAt: input.orderedAt }]);
    expect(world.loggedAs('refund.failed')).toMatchObject([{ level: 40, detail: 'REFUND_FAILED' }]);
  });
});

describe('a refund that stays pending', () => {
  const saysPending = (world: World) => listing(world, { refunds: listsEach({ status: 'pending' }) });

  async function pending() {
    const { world, subscribed, input } = await begin('slow-7200');
    await refundOnce(world, input);
    const [row] = await refundSends(world, input);
    return { world, subscribed, input, row: row! };
  }

  it.each([
    ['a millisecond before five days have passed', -1, 0],
    ['five days after it was sent', 0, 1],
  ])('%s waits for so many: %i, %i', async (_when, ms, people) => {
    const { world, subscribed, input, row } = await pending();
    world.clock.passUntil(row.at + 5 * DAY + ms);
    await refundOnce(world, input, saysPending(world));
    expect(await waitingFor(world, input.refundId)).toHaveLength(people);
    expect(await world.events(subscribed, 'refund.overdue')).toHaveLength(people);
  });

  it('may be settled by a person, asked for hourly meanwhile', async () => {
    const { world, input, row } = await pending();
    world.clock.passUntil(row.at + 5 * DAY);
    expect(await refundOnce(world, input, saysPending(world))).toMatchObject({ type: 'pending', pause: HOUR });
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

  it('is settled by the service, however late', async () => {
    const { world, input, row } = await pending();
    world.clock.passUntil(row.at + 5 * DAY);
    await refundOnce(world, input, saysPending(world));
    expect((await refund(world, input)).result.kind).toBe('successful');
    expect(await waitingFor(world, input.refundId)).toEqual([]);
  });

  it.each([
    ['in the settle time', SETTLE - 1, 0],
    ['after it', SETTLE, 1],
  ])('and is not listed %s waits for so many, until it is: %i, %i', async (_when, age, people) => {
    const { world, subscribed, input, row } = await pending();
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

  it('and cannot be asked about waits for a person all the same', async () => {
    const { world, input, row } = await pending();
    world.clock.passUntil(row.at + 5 * DAY);
    await refundOnce(world, input, listing(world, { refunds: noAnswer }));
    expect(await waitingFor(world, input.refundId)).toMatchObject([
      { ledger: { state: 'pending', detail: expect.stringContaining('no whole answer') } },
    ]);
  });
});

describe('a process frozen', () => {
  it.each([
    ['between its look and its row for longer than a look holds', 70_000, 0],
    ['there for a little less', 69_000, 1],
  ])('%s lets %i ms pass and %i POST out', async (_where, ms, posts) => {
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
});

/** A capture whose deadline has come, of a payment of which a refund is in doubt. */
describe('a capture', () => {
  it('tells of its payment, where a refund of a cycle tells of its subscription', async () => {
    const { world } = test;
    const reference = await authorized(world);
    const input = await orderedCapture(world, reference, 3_000);
    world.sandbox.faults.add({ kind: 'error_before_commit', status: 503, match: { method: 'GET', path: '/captures' } });
    await world.driver.once(() => paymentActivities(world).capturePayment(input));
    const { paymentId, orderId } = input;
    const [line] = world.loggedAs('captures.unreadable');
    expect(line).toMatchObject({ level: 40, paymentId, orderId, reason: expect.stringContaining('503') });
    expect(line).not.toHaveProperty('subscriptionId');
    expect((await trailOf(world, reference)).filter((type) => type === 'captures.unreadable')).toHaveLength(1);
  });

  it('past its deadline is given up without a look, in words that say why', async () => {
    const { world } = test;
    const input = await orderedCapture(world, await authorized(world), 3_000);
    world.clock.passUntil(input.captureBy);
    const asked = world.requests.length;
    await capture(world, input);
    expect(world.requests).toHaveLength(asked);
    expect(capturePosts(world)).toBe(0);
    expect(await orderSends(world, input.orderId)).toMatchObject([
      {
        state: 'failed',
        detail: 'CAPTURE_PERIOD_ENDED',
        description: expect.stringContaining('it was to arrive before'),
      },
    ]);
  });
});
