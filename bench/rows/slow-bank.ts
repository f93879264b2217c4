import { type Outcome, interleave, type Row } from '../row';
import { untilCollected } from '../worlds/contender';
import { createDueday } from '../worlds/dueday';
import { timedOutTasksOf } from '../worlds/histories';
import { withWorld, type World } from '../worlds/world';
import { beginDue, timeoutFor } from './draining';

/** Real ms after which the service books a debit: before and after an attempt leaves its workflow task. */
const BOOKINGS = [1_000, 3_000];

/**
 * Collects a batch at a bank that books slowly.
 * @returns cycles per second
 * @throws Error if a workflow task timed out
 */
async function collectSlowly(world: World, isInPlace: boolean, count: number, word: string): Promise<number> {
  const dueday = createDueday(world, isInPlace);
  const worker = await dueday.startWorker();
  const batch = await beginDue(dueday, [worker], count, { word });
  const lastAt = await untilCollected(dueday, batch, count, timeoutFor(count));
  await worker.stop();
  const ids = Array.from({ length: count }, (_, index) => dueday.workflowId(batch, index));
  const timedOut = await timedOutTasksOf(world, ids);
  if (timedOut > 0) throw new Error(`${timedOut} workflow tasks timed out`);
  return (count * 1000) / (lastAt - batch.firstDueAt);
}

export const slowBank: Row = {
  about:
    'A small storm at a bank that books after one second and after three: attempts within workflow tasks, compared with attempts on the queue; no workflow task may time out',
  counts: 'subscriptions due in one instant',
  size: 500,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const outcomes: Outcome[] = [];
      for (const ms of BOOKINGS) {
        order.say(`booked in ${ms} ms`);
        const { subject, reference } = await interleave(
          order,
          () => collectSlowly(world, true, order.size, `slow-${ms}`),
          () => collectSlowly(world, false, order.size, `slow-${ms}`),
        );
        const target = { name: `cycles per second, booked in ${ms / 1000} s`, relation: 'at least', value: 1 } as const;
        outcomes.push({ target, unit: 'cycles/s', subject, reference });
      }
      return { outcomes, settings: {} };
    }),
};
