import fc from 'fast-check';
import { SECOND } from '../../src/domain/time';
import { ARRIVES_WITHIN, ownPermits, permitsOf } from '../../src/domain/call-permits';
import {
  CallQueue,
  PRIORITIES,
  type Waiting,
  type CallRate,
  createCallRate,
} from '../../src/payment-service/call-rate';
import type { CallShare } from '../../src/payment-service/permits';

/** One permit, for a call in a tenth of a second; clocks may differ by five ms. */
const INTERVAL = 100;
const EACH = INTERVAL + 5;
const share: CallShare = { interval: INTERVAL, own: () => ({ permits: [0] }) };

let rate: CallRate;
/** The calls that left, in sequence, each with the ms at which it left. */
let left: [string, number][];

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  rate = createCallRate(share);
  left = [];
});
afterEach(() => jest.useRealTimers());

const note = (name: string) => void left.push([name, Date.now()]);

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A call whose first byte leaves at once, and that is answered after so many ms. */
async function call(
  name: string,
  priority: (typeof PRIORITIES)[number] = 'interactive',
  answeredAfter = 0,
): Promise<void> {
  const permit = await rate.take(priority);
  if (permit !== null) expect(permit.leave()).toBe(true);
  note(permit === null ? `${name} refused` : name);
  if (answeredAfter > 0) await wait(answeredAfter);
  permit?.answered();
}

/** Calls one after the other, each answered after so many ms. */
async function turn(name: string, calls: number, answeredAfter: number, signal?: AbortSignal): Promise<void> {
  const reserved = await rate.reserve('collecting', calls, signal);
  if (reserved === null) {
    note(`${name} refused`);
    return;
  }
  for (let each = 1; each <= calls; each += 1) {
    const permit = await reserved.take();
    permit.leave();
    note(`${name}${each}`);
    await wait(answeredAfter);
    permit.answered();
  }
  reserved.end();
}

const names = () => left.map(([name]) => name);

test('the next call leaves an interval after each answer: interactive calls first, then collecting, then the daily work', async () => {
  void call('first', 'daily_work', 7);
  void call('daily', 'daily_work');
  void call('collecting', 'collecting');
  void call('an operator');
  void call('another');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(left).toEqual([
    ['first', 0],
    ['an operator', 7 + EACH],
    ['another', 7 + 2 * EACH],
    ['collecting', 7 + 3 * EACH],
    ['daily', 7 + 4 * EACH],
  ]);
});

test('a call that is answered late counts as arrived after the time in which calls arrive', async () => {
  void call('slow', 'interactive', 10 * SECOND);
  void call('next');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(left).toEqual([
    ['slow', 0],
    ['next', ARRIVES_WITHIN + EACH],
  ]);
});

test('a late answer does not free a permit that another call holds by then', async () => {
  void call('slow', 'interactive', 10 * SECOND);
  await jest.advanceTimersByTimeAsync(SECOND);
  const held = (await rate.reserve('interactive', 2))!;
  void call('next');
  await jest.advanceTimersByTimeAsync(20 * SECOND);
  expect(names()).toEqual(['slow']);
  held.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(['slow', 'next']);
});

test("of many simultaneous calls a tenth of a second's share is sent at once and the others evenly spaced, never more than the cap in a second", async () => {
  const permits = Array.from({ length: 50 }, (_, permit) => permit);
  rate = createCallRate({ interval: SECOND, own: () => ({ permits }) });
  for (let n = 0; n < 200; n += 1) void call(`${n}`);
  await jest.advanceTimersByTimeAsync(4 * SECOND);
  const times = left.map(([, at]) => at);
  expect(times.filter((at) => at === 0)).toHaveLength(6);
  for (const from of times)
    expect(times.filter((at) => from <= at && at < from + SECOND).length).toBeLessThanOrEqual(50);
  for (const from of times) expect(times.filter((at) => from < at && at <= from + 200).length).toBeLessThanOrEqual(16);
  expect(times.length).toBeGreaterThan(195);
});

/** Makes calls all the time; each connects, and is answered, after so many ms. @returns when their first bytes left */
async function keepBusy(
  cap: number,
  connects: (n: number) => number,
  answers: number,
  forMs: number,
): Promise<number[]> {
  rate = createCallRate({ interval: SECOND, own: () => ({ permits: Array.from({ length: cap }, (_, n) => n) }) });
  const bytes: number[] = [];
  let made = 0;
  const keepCalling = async () => {
    for (let permit = await rate.take('interactive'); permit !== null; permit = await rate.take('interactive')) {
      made += 1;
      await wait(connects(made));
      permit.leave();
      bytes.push(performance.now());
      await wait(answers);
      permit.answered();
    }
  };
  const callers = Array.from({ length: 3 * cap }, keepCalling);
  await jest.advanceTimersByTimeAsync(forMs);
  rate.close();
  await jest.advanceTimersByTimeAsync(10 * SECOND);
  await Promise.all(callers);
  return bytes;
}

const mostInASecond = (times: readonly number[]) =>
  Math.max(...times.map((from) => times.filter((at) => from <= at && at < from + SECOND).length));

test('behind a resolver that takes four seconds, no second sees more first bytes than the cap', async () => {
  // The first calls connect slowly and at the same time; for later ones the name is cached.
  const bytes = await keepBusy(40, (n) => (n <= 40 ? 4 * SECOND - 20 * n : 0), 50, 20 * SECOND);
  expect(bytes.length).toBeGreaterThan(400);
  expect(mostInASecond(bytes)).toBeLessThanOrEqual(40);
});

test('with answers after 200 ms and a cap of 100 calls a second, at least 90 leave each second', async () => {
  const bytes = await keepBusy(100, () => 0, 200, 20 * SECOND);
  const later = bytes.filter((at) => at >= 5 * SECOND && at < 20 * SECOND);
  expect(later.length / 15).toBeGreaterThanOrEqual(90);
  expect(mostInASecond(bytes)).toBeLessThanOrEqual(100);
});

test('a call does not leave if its permit went to another process while the call connected', async () => {
  let permits = [0];
  rate = createCallRate({ interval: INTERVAL, own: () => ({ permits }) });
  const permit = (await rate.take('interactive'))!;
  permits = [];
  expect(permit.leave()).toBe(false);
  permit.giveBack();
  permits = [0];
  void call('next');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['next']);
});

test('a call that does not leave returns its permit to the next call at once, and only once', async () => {
  const permit = (await rate.take('interactive'))!;
  void call('next');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(left).toEqual([]);
  permit.giveBack();
  permit.giveBack();
  void call('after it');
  await jest.advanceTimersByTimeAsync(EACH - 1);
  expect(names()).toEqual(['next']);
});

test('a started reservation is completed before any other call, even an interactive one', async () => {
  void turn('turn', 3, 10);
  void call('an operator');
  void turn('next', 3, 10);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['turn1', 'turn2', 'turn3', 'an operator', 'next1', 'next2', 'next3']);
});

test('while a reservation waits for an answer other calls use its permit, and the reservation continues with the next permit', async () => {
  rate = createCallRate({ interval: INTERVAL, own: () => ({ permits: [0, 1] }) });
  void turn('slow', 2, 250);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) void call(name);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names().slice(0, 4)).toEqual(['a', 'slow1', 'b', 'c']);
  // Its second call is requested after the answer to the first, and leaves before all calls that wait then.
  const [[, secondAt] = ['', NaN]] = left.filter(([name]) => name === 'slow2');
  expect(secondAt).toBeLessThanOrEqual(left[1]![1] + 250 + EACH);
  expect(names().indexOf('slow2')).toBeLessThan(names().indexOf('h'));
});

test('no more reservations are started than can be completed in time, however slow the service is', async () => {
  const [calls, each] = [3, 60 * SECOND];
  rate = createCallRate({
    interval: SECOND,
    own: () => ({ permits: Array.from({ length: 10 }, (_, permit) => permit) }),
  });
  for (let n = 0; n < 40; n += 1) void turn('t', calls, each);
  await jest.advanceTimersByTimeAsync(30 * SECOND);
  // Each has made its first call; all remaining calls of the reservations fit into five seconds.
  const started = names().filter((name) => name === 't1').length;
  expect(started * (calls - 1)).toBeLessThanOrEqual(50);
  expect(started).toBeGreaterThan(20);
});

test('a call that is ready leaves at once while its process owns the permit; otherwise it waits for another permit', async () => {
  let permits = [0];
  rate = createCallRate({ interval: INTERVAL, own: () => ({ permits }) });
  const reserved = (await rate.reserve('interactive', 2))!;
  const list = await reserved.take();
  list.leave();
  list.answered();
  note('list');
  const ready = reserved.ready();
  await jest.advanceTimersByTimeAsync(EACH);
  await ready;
  await jest.advanceTimersByTimeAsync(10 * SECOND);
  const atOnce = await reserved.take();
  expect(atOnce.leave()).toBe(true);
  atOnce.answered();
  note('at once');
  const late = (await Promise.all([rate.reserve('interactive', 1), jest.advanceTimersByTimeAsync(EACH)]))[0]!;
  permits = [];
  const taken = late.take().then(() => note('again'));
  await jest.advanceTimersByTimeAsync(SECOND);
  permits = [1];
  await jest.advanceTimersByTimeAsync(SECOND);
  await taken;
  expect(left).toEqual([
    ['list', 0],
    ['at once', EACH + 10 * SECOND],
    ['again', expect.closeTo(EACH + 11 * SECOND, -3)],
  ]);
});

test('calls that a reservation gives back are available at once', async () => {
  const reserved = (await rate.reserve('collecting', 3))!;
  void call('an operator');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(left).toEqual([]);
  reserved.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(left).toEqual([['an operator', SECOND]]);
});

test('after the rate is closed no call starts, but started reservations are completed; an aborted call leaves the queue', async () => {
  const unwanted = new AbortController();
  void turn('turn', 2, 10);
  void turn('unwanted', 3, 10, unwanted.signal);
  void call('waits');
  unwanted.abort();
  await jest.advanceTimersByTimeAsync(0);
  rate.close();
  void call('late');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names().toSorted()).toEqual(['late refused', 'turn1', 'turn2', 'unwanted refused', 'waits refused']);
});

test('no call leaves while the process knows no permit of its own, and all calls leave once it does', async () => {
  let isKnown = false;
  rate = createCallRate({ ...share, own: () => (isKnown ? share.own() : null) });
  void call('a');
  await jest.advanceTimersByTimeAsync(10 * SECOND);
  expect(left).toEqual([]);
  isKnown = true;
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['a']);
});

/** Two processes that call all the time, one that joins, and one that dies. */
const leases = [
  { id: 'p0', joinedAt: -60 * SECOND, renewedAt: 60 * SECOND },
  { id: 'p1', joinedAt: -60 * SECOND, renewedAt: 60 * SECOND },
  { id: 'joins', joinedAt: SECOND, renewedAt: 60 * SECOND },
  { id: 'dies', joinedAt: -60 * SECOND, renewedAt: 0 },
];

test('however long the service takes to answer, and whichever processes join and leave, no more calls arrive in a second than the cap', async () => {
  const drawn = fc.asyncProperty(fc.constantFrom(1, 3, 10, 40), fc.infiniteStream(fc.nat(1000)), async (cap, lots) => {
    jest.setSystemTime(0);
    const startedAt = performance.now();
    const draw = (most: number) => (most * (lots.next().value as number)) / 1000;
    const permits = permitsOf(cap);
    const arrivals: number[] = [];
    const rates = leases.map(({ id }) => {
      const now = () => performance.now() - startedAt;
      let known = { at: NaN, own: ownPermits(permits, leases, id, now()) };
      const own = () => {
        const at = now();
        if (known.at !== at) known = { at, own: ownPermits(permits, leases, id, at) };
        // A process that has died makes no more calls.
        return id === 'dies' && at > 3 * SECOND ? null : known.own;
      };
      return createCallRate({ interval: permits.interval, own });
    });
    const keepCalling = async (each: CallRate) => {
      for (let permit = await each.take('interactive'); permit !== null; permit = await each.take('interactive')) {
        // Now and then the connection of a call takes seconds.
        await wait(draw(1) < 0.1 ? draw(4 * SECOND) : 0);
        if (!permit.leave()) {
          permit.giveBack();
          continue;
        }
        const takes = draw(800);
        arrivals.push(performance.now() + draw(Math.min(takes, ARRIVES_WITHIN)));
        await wait(takes);
        permit.answered();
      }
    };
    const callers = rates.flatMap((each) => Array.from({ length: cap }, () => keepCalling(each)));
    await jest.advanceTimersByTimeAsync(20 * SECOND);
    rates.forEach((each) => each.close());
    await jest.advanceTimersByTimeAsync(6 * SECOND);
    await Promise.all(callers);
    const crowds = arrivals.map((from) => arrivals.filter((at) => from <= at && at < from + SECOND).length);
    expect(Math.max(...crowds)).toBeLessThanOrEqual(cap);
    expect(arrivals.length).toBeGreaterThan(20 * cap * 0.4);
  });
  await fc.assert(drawn, { numRuns: 8 });
});

const anything = fc.record({
  rank: fc.constantFrom('reserved' as const, ...PRIORITIES),
  calls: fc.integer({ min: 1, max: 3 }),
});

test('the queue is sorted by rank, then by the calls that a started reservation still needs, then by arrival', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 20 }), (drawn) => {
      const queue = new CallQueue();
      const all = drawn.map((each): Waiting => ({ ...each, grant: () => undefined, refuse: () => undefined }));
      all.forEach((each) => queue.add(each));
      const taken = all.map(() => {
        const next = queue.next(Infinity);
        if (next !== null) queue.remove(next);
        return next;
      });
      const weight = ({ rank, calls }: Waiting) =>
        ['reserved', ...PRIORITIES].indexOf(rank) * 10 + (rank === 'reserved' ? calls : 0);
      expect(taken).toEqual(all.toSorted((one, other) => weight(one) - weight(other)));
      expect(queue.length).toBe(0);
    }),
  );
});
