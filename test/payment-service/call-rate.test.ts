import fc from 'fast-check';
import { SECOND } from '../../src/domain/time';
import {
  CallQueue,
  PRIORITIES,
  type Waiting,
  type CallRate,
  type CallTimes,
  createCallRate,
} from '../../src/payment-service/call-rate';

/** One call in each frame of a tenth of a second, in its first half. */
const FRAME = 100;
const times: CallTimes = {
  now: () => Date.now(),
  next(from) {
    const frame = Math.floor(from / FRAME) * FRAME;
    const begins = from < frame + FRAME / 2 ? frame : frame + FRAME;
    return { from: begins, until: begins + FRAME / 2, calls: 1 };
  },
  perSecond: () => SECOND / FRAME,
};

let rate: CallRate;
/** What left, in order, with the frame in which it did. */
let left: [string, number][];

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  rate = createCallRate(times);
  left = [];
});
afterEach(() => jest.useRealTimers());

const note = (name: string) => void left.push([name, Math.floor(Date.now() / FRAME)]);

async function call(name: string, priority: (typeof PRIORITIES)[number] = 'people'): Promise<void> {
  note((await rate.take(priority)) ? name : `${name} refused`);
}

/** Calls one after the other, each answered after so many ms. */
async function turn(name: string, calls: number, answeredAfter: number, signal?: AbortSignal): Promise<void> {
  const begun = await rate.turn('collecting', calls, signal);
  if (begun === null) {
    note(`${name} refused`);
    return;
  }
  for (let each = 1; each <= calls; each += 1) {
    await begun.take();
    note(`${name}${each}`);
    await new Promise((resolve) => setTimeout(resolve, answeredAfter));
  }
  begun.end();
}

const names = () => left.map(([name]) => name);
const frames = () => left.map(([, frame]) => frame);

test('one call a frame, people before collecting, collecting before the daily work', async () => {
  void call('first', 'daily_work');
  void call('daily', 'daily_work');
  void call('collecting', 'collecting');
  void call('a person');
  void call('another');
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['first', 'a person', 'another', 'collecting', 'daily']);
  expect(frames()).toEqual([0, 1, 2, 3, 4]);
});

test('a turn that has begun is ended before anything else, people too', async () => {
  void turn('turn', 3, 10);
  void call('a person');
  void turn('next', 3, 10);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['turn1', 'turn2', 'turn3', 'a person', 'next1', 'next2', 'next3']);
});

test('while a turn waits for its answer others use the frames, and it goes on in the first one after it', async () => {
  void turn('slow', 2, 250);
  for (const name of ['a', 'b', 'c', 'd']) void call(name);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(left).toEqual([
    ['slow1', 0],
    ['a', 1],
    ['b', 2],
    ['slow2', 3],
    ['c', 4],
    ['d', 5],
  ]);
});

test('no more turns are under way than end in good time, however slow the service is', async () => {
  const [calls, each] = [3, 60 * SECOND];
  for (let n = 0; n < 40; n += 1) void turn('t', calls, each);
  await jest.advanceTimersByTimeAsync(20 * SECOND);
  // Each has made its first call; the rest of all of them is what five seconds have room for.
  const begun = names().filter((name) => name === 't1').length;
  expect(begun * (calls - 1)).toBeLessThanOrEqual(50);
  expect(begun).toBeGreaterThan(20);
});

test('a call that is ready leaves at once; where it was not used in time, it waits anew', async () => {
  const begun = (await rate.turn('people', 2))!;
  await begun.take();
  note('list');
  const ready = begun.ready();
  await jest.advanceTimersByTimeAsync(FRAME);
  await ready;
  await begun.take();
  note('at once');
  const late = (await Promise.all([rate.turn('people', 1), jest.advanceTimersByTimeAsync(FRAME)]))[0]!;
  await jest.advanceTimersByTimeAsync(FRAME / 2);
  const taken = late.take().then(() => note('anew'));
  await jest.advanceTimersByTimeAsync(FRAME);
  await taken;
  expect(left).toEqual([
    ['list', 0],
    ['at once', 1],
    ['anew', 3],
  ]);
});

test('what a turn gives back others use in the same frame', async () => {
  const begun = (await rate.turn('collecting', 3))!;
  void call('a person');
  begun.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(left).toEqual([['a person', 0]]);
});

test('closed, nothing is begun, and what is under way ends; what is not wanted any more leaves its place', async () => {
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

test('nothing leaves while no frame is known, and all is served once one is', async () => {
  let isKnown = false;
  rate = createCallRate({ ...times, next: (from) => (isKnown ? times.next(from) : null) });
  void call('a');
  await jest.advanceTimersByTimeAsync(10 * SECOND);
  expect(left).toEqual([]);
  isKnown = true;
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(names()).toEqual(['a']);
});

const anything = fc.record({
  rank: fc.constantFrom('under_way' as const, ...PRIORITIES),
  calls: fc.integer({ min: 1, max: 3 }),
});

test('the queue: by rank, then the least left of what is under way, then whoever came first', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 20 }), (drawn) => {
      const queue = new CallQueue();
      const all = drawn.map((each): Waiting => ({ ...each, grant: () => undefined, refuse: () => undefined }));
      all.forEach((each) => queue.add(each));
      const taken = all.map(() => queue.next(Infinity));
      const weight = ({ rank, calls }: Waiting) =>
        ['under_way', ...PRIORITIES].indexOf(rank) * 10 + (rank === 'under_way' ? calls : 0);
      expect(taken).toEqual(all.toSorted((one, other) => weight(one) - weight(other)));
      expect(queue.length).toBe(0);
    }),
  );
});
