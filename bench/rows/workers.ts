import { interleave, outcomeOf, type Row, type RowOrder } from '../row';
import { createDueday } from '../worlds/dueday';
import { pinAll, pinTo, unpin } from '../worlds/processes';
import { withWorld, type World } from '../worlds/world';
import { drainBatch } from './draining';

/** Cores: the workers share one; PostgreSQL, Temporal, the service and this program use the other. */
const [WORKERS, ALL_ELSE] = [0, 1];

/** Cycles per second with this many worker processes. */
async function rateOf(world: World, count: number, workers: number): Promise<number> {
  const { rate } = await drainBatch(createDueday(world), count, {
    workers,
    prepare: async (started) => {
      await Promise.all(started.map(({ pid }) => pinTo(WORKERS, pid)));
    },
  });
  return rate;
}

async function measure(world: World, order: RowOrder) {
  try {
    return await interleave(
      order,
      () => rateOf(world, order.size, 2),
      () => rateOf(world, order.size, 1),
    );
  } finally {
    await unpin();
  }
}

export const workers: Row = {
  about:
    'Cycles per second of two worker processes that share one core, compared with one on that core; everything else has another core. Linux with taskset only',
  counts: 'subscriptions due in one instant',
  size: 400,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      // Before any worker starts: a worker derives its sizes from the cores that it starts on, here a single one.
      await pinAll(ALL_ELSE);
      const measured = await measure(world, order);
      const target = { name: 'cycles per second of two, of one', relation: 'at least', value: 0.9 } as const;
      return { outcomes: [outcomeOf(measured, target, 'cycles/s', (rate) => rate)], settings: {} };
    }),
};
