import { CYCLES_PER_RUN } from '../../src/contract/messages';
import { atMost, type Row } from '../row';
import { createBare } from '../worlds/bare';
import { clockOfWeeks, type Batch, type Contender, untilCollected, WEEK } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { bytesOfRuns } from '../worlds/histories';
import { withWorld, type World } from '../worlds/world';

const MS_PER_WEEK = 3_000;
/** The cycles per run of the reference; must match references/workflows.ts. */
const BARE_CYCLES_PER_RUN = 12;
const RUNS = 2;

async function bytesEach(world: World, contender: Contender, batch: Batch, perRun: number): Promise<readonly number[]> {
  const cycles = RUNS * perRun;
  // Once a cycle of the following run is collected, the runs that are measured have ended.
  await untilCollected(contender, batch, (cycles + 1) * batch.count, (cycles + 20) * MS_PER_WEEK);
  const ids = Array.from({ length: batch.count }, (_, index) => contender.workflowId(batch, index));
  return Promise.all(ids.map(async (id) => (await bytesOfRuns(world, id, RUNS)) / cycles));
}

export const bytes: Row = {
  about: "History bytes per cycle, compared with the bare workflow's, including the continue-as-new of both",
  counts: 'subscriptions',
  size: 3,
  pairs: 3,
  run: ({ size }) =>
    withWorld(clockOfWeeks(MS_PER_WEEK), async (world) => {
      const [dueday, bare] = [createDueday(world), createBare(world)];
      const workers = await Promise.all([dueday.startWorker(), bare.startWorker()]);
      const clock = world.clock!;
      const firstDueAt = clock.virtualStart + (Date.now() - clock.realStart) * clock.speed + 2 * WEEK;
      const batch = { prefix: 'bytes', count: size, firstDueAt };
      // The reference needs separate payments, or dueday would find its debits. The prefix has the same length, for equal ids.
      const other = { ...batch, prefix: 'other' };
      await Promise.all([dueday.begin(batch), bare.begin(other)]);
      const [subject, reference] = await Promise.all([
        bytesEach(world, dueday, batch, CYCLES_PER_RUN),
        bytesEach(world, bare, other, BARE_CYCLES_PER_RUN),
      ]);
      await Promise.all(workers.map((worker) => worker.stop()));
      const target = atMost('bytes per cycle', 1.5);
      return {
        outcomes: [{ target, unit: 'bytes', subject, reference }],
        settings: { 'cycles per run': CYCLES_PER_RUN, "the reference's": BARE_CYCLES_PER_RUN },
      };
    }),
};
