import { setTimeout as pause } from 'node:timers/promises';
import { CYCLES_PER_RUN } from '../../src/contract/messages';
import { atMost, type Outcome, type Row } from '../row';
import { createBare } from '../worlds/bare';
import { type Batch, clockOfWeeks, type Contender, realOf, untilCollected, WEEK } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import type { Program } from '../worlds/program';
import { withWorld, type World } from '../worlds/world';

/** Ms per week of business time; half of it must have room for all wakes, one after the other. */
const MS_PER_WEEK = 30_000;
/** Which wakes of a subscription are measured, counted from 1. */
const WAKES = [1, 12, 60] as const;
const BARE_CYCLES_PER_RUN = 12;
/** The most cycles of a run before a measured wake. All batches reach their wake in the same week, one after the other. */
const PLAYED = 11;

interface Sleeper {
  readonly contender: Contender;
  readonly batch: Batch;
  /** Business time of the wake that is measured. */
  readonly wakeAt: number;
  /** Cycles of the batch that have been collected after this wake. */
  readonly collected: number;
}

/** A batch whose wake number `wake` is at `wakeAt`, started at the first cycle of the run that contains it. */
function sleeperOf(contender: Contender, prefix: string, perRun: number, wake: number, wakeAt: number, count: number) {
  const cycle = Math.floor((wake - 1) / perRun) * perRun;
  const before = wake - 1 - cycle;
  const batch = { prefix: `${prefix}${wake}`, count, cycle, firstDueAt: wakeAt - before * WEEK };
  return { contender, batch, wakeAt, collected: (before + 1) * count };
}

/**
 * CPU of the worker for a cold wake and the cycle that it starts, ms per subscription.
 * @throws Error if the previous wake took so long that this one has already started: part of its cost would be missing
 */
async function measure(world: World, worker: Program, { contender, batch, wakeAt, collected }: Sleeper) {
  const wait = realOf(world, wakeAt) - Date.now() - 150;
  if (wait < 0) throw new Error(`${batch.prefix} woke ${-wait} ms before the wake that precedes it was over`);
  await pause(wait);
  const before = await worker.cpu();
  await untilCollected(contender, batch, collected, 60_000);
  await pause(150);
  return ((await worker.cpu()) - before) / batch.count;
}

async function once(size: number, say: (line: string) => void) {
  const clock = clockOfWeeks(MS_PER_WEEK);
  return withWorld(clock, async (world) => {
    const [dueday, bare] = [createDueday(world), createBare(world)];
    const now = () => clock.virtualStart + (Date.now() - clock.realStart) * clock.speed;
    const forgetful = [await dueday.startWorker(), await bare.startWorker()];
    const week = now() + WEEK + PLAYED * WEEK;
    // All wakes are in the first half of a week. In the second half of the previous week, in which nothing is due, workers are replaced.
    const at = (place: number) => week + (place * WEEK) / 2 / (2 * WAKES.length);
    const sleepers = WAKES.flatMap((wake, index) => [
      sleeperOf(dueday, 'ours', CYCLES_PER_RUN, wake, at(2 * index), size),
      sleeperOf(bare, 'theirs', BARE_CYCLES_PER_RUN, wake, at(2 * index + 1), size),
    ]);
    // Code that a process compiles only once is not part of a wake: other workflows wake before those that are measured.
    const before = week - WEEK / 4;
    const first = [sleeperOf(dueday, 'warm', 1, 1, before, size), sleeperOf(bare, 'warmed', 1, 1, before, size)];
    for (const { contender, batch } of [...sleepers, ...first]) await contender.begin(batch);
    // New workers, whose caches are empty.
    await pause(Math.max(0, realOf(world, week - WEEK / 2) - Date.now()));
    await Promise.all(forgetful.map((worker) => worker.stop()));
    const workers = new Map([
      [dueday, await dueday.startWorker()],
      [bare, await bare.startWorker()],
    ]);
    const cpu: number[] = [];
    for (const { contender, batch, collected } of first) await untilCollected(contender, batch, collected, 60_000);
    for (const sleeper of sleepers) cpu.push(await measure(world, workers.get(sleeper.contender)!, sleeper));
    say(`ms of CPU, dueday and bare alternately: ${cpu.map((each) => each.toFixed(1)).join(' ')}`);
    await Promise.all([...workers.values()].map((worker) => worker.stop()));
    return cpu;
  });
}

export const wake: Row = {
  about: 'CPU of a worker for a cold wake and its cycle, compared with the bare workflow',
  counts: 'subscriptions of each wake',
  size: 5,
  pairs: 1,
  async run({ size, pairs, say }) {
    const measured: number[][] = [];
    for (let pair = 0; pair < pairs; pair += 1) measured.push(await once(size, say));
    const outcomes = WAKES.map((number, index): Outcome => ({
      target: atMost(`at cycle ${number}`, 1),
      unit: 'ms',
      subject: measured.map((cpu) => cpu[2 * index] ?? NaN),
      reference: measured.map((cpu) => cpu[2 * index + 1] ?? NaN),
    }));
    return {
      outcomes,
      settings: {
        'cycles per run': CYCLES_PER_RUN,
        "the reference's": BARE_CYCLES_PER_RUN,
        'ms per week': MS_PER_WEEK,
      },
    };
  },
};
