import { collectInPlace, HandOver } from '../../activities/collect/in-place';
import type { Dependencies } from '../../activities';
import type { CollectStepInput, Step } from '../../src/contract/steps';
import { MINUTE } from '../../src/domain/time';
import { HandClock } from '../../src/simulation/hand-clock';
import { HandSlots } from './hand-slots';

/** When an attempt that runs within a workflow task leaves its remaining work to the task queue, and with which step. */

const inputOf = (attempt: number) =>
  ({ subscriptionId: 'sub-1', cycle: 3, attempt, revision: 7, followed: [] }) as unknown as CollectStepInput;
const DONE = { kind: 'wait' } as Step;

function createDeps() {
  const clock = new HandClock();
  const inPlace = new HandSlots(clock);
  return { clock, inPlace, deps: { clock, inPlace } as unknown as Dependencies };
}

afterEach(() => jest.restoreAllMocks());

const leave = async (): Promise<Step> => {
  throw new HandOver();
};

it.each([
  [0, 'collect cycle 3'],
  [2, 'retry 2 of cycle 3'],
])('attempt %d, if left to the queue, is the step "%s"', async (attempt, summary) => {
  const { deps } = createDeps();
  const step = { kind: 'collect', on: 'queue', revision: 7, attempt: { cycle: 3, attempt }, summary, details: '' };
  expect(await collectInPlace(deps, inputOf(attempt), leave)).toEqual(step);
  expect(await collectInPlace({ ...deps, inPlace: undefined }, inputOf(attempt), async () => DONE)).toEqual(step);
  expect(await collectInPlace(deps, inputOf(attempt), async () => DONE)).toBe(DONE);
});

it('an error of an attempt within a workflow task is thrown, and does not leave the attempt to the queue', async () => {
  const { deps } = createDeps();
  const fail = async (): Promise<Step> => {
    throw new Error('the ledger is gone');
  };
  await expect(collectInPlace(deps, inputOf(0), fail)).rejects.toThrow('the ledger is gone');
  expect(new HandOver().message).toBe('handed over to the queue');
});

it.each([
  ['continues a millisecond before two seconds', 1_999, false],
  ['ends after two seconds', 2_000, true],
  ['ends if the clock was set back since its start', -1, true],
])('an attempt within a workflow task %s', async (_what, passed, isOver) => {
  const { clock, deps } = createDeps();
  await collectInPlace(deps, inputOf(0), async ({ polling }) => {
    jest.spyOn(clock, 'realNow').mockReturnValue(clock.realNow() + passed);
    expect(polling.isOver?.()).toBe(isOver);
    return DONE;
  });
});

it.each([
  ['is made if it ends before the two seconds', 500, true],
  ['is not made if it ends with the two seconds', 1_000, false],
])('a wait within a workflow task %s', async (_what, ms, isMade) => {
  const { clock, deps } = createDeps();
  await collectInPlace(deps, inputOf(0), async ({ polling }) => {
    clock.pass(1_000);
    expect(await polling.wait(ms)).toBe(isMade);
    return DONE;
  });
});

it('attempts are left to the queue for a minute after one has run out of its two seconds', async () => {
  const { clock, deps, inPlace } = createDeps();
  const noted = clock.realNow();
  await collectInPlace(deps, inputOf(0), async ({ polling }) => {
    expect(await polling.wait(2_000)).toBe(false);
    return DONE;
  });
  const leftAt = async (real: number) => {
    jest.spyOn(clock, 'realNow').mockReturnValue(real);
    const isLeft = (await collectInPlace(deps, inputOf(0), async () => DONE)) !== DONE;
    return [inPlace.isSlow(real), isLeft];
  };
  expect(await leftAt(noted)).toEqual([true, true]);
  expect(await leftAt(noted + MINUTE - 1)).toEqual([true, true]);
  expect(await leftAt(noted + MINUTE)).toEqual([false, false]);
});

it('after the clock was set back, attempts are not left to the queue for longer than a minute', () => {
  const { clock, inPlace } = createDeps();
  inPlace.noteSlow(clock.realNow());
  expect(inPlace.isSlow(clock.realNow() - 1)).toBe(false);
});

it('an attempt that waits within its two seconds does not make others leave their workflow tasks', async () => {
  const { clock, deps, inPlace } = createDeps();
  await collectInPlace(deps, inputOf(0), async ({ polling }) => {
    expect([await polling.wait(1_999), polling.isOver?.()]).toEqual([true, false]);
    return DONE;
  });
  expect(inPlace.isSlow(clock.realNow())).toBe(false);
});
