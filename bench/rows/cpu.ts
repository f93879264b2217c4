import { atMost, interleave, outcomeOf, type Row } from '../row';
import { createBare } from '../worlds/bare';
import { createDueday } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drain } from './draining';

export const cpu: Row = {
  about:
    "Processor time of a cycle of all programs, worker, PostgreSQL, Temporal and the service, beside the bare workflow's with the same calls and commits",
  counts: 'subscriptions due in one instant',
  size: 400,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const [dueday, bare] = [createDueday(world), createBare(world)];
      const measured = await interleave(
        order,
        () => drain(world, dueday, order.size),
        () => drain(world, bare, order.size),
      );
      return {
        outcomes: [
          outcomeOf(measured, atMost('ms a cycle, all programs', 1), 'ms', ({ allCpu }) => allCpu),
          outcomeOf(measured, atMost('ms a cycle, the worker', 1), 'ms', (drained) => drained.cpu),
        ],
        settings: {},
      };
    }),
};
