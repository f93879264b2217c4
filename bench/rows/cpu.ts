import { atMost, outcomeOf, type Row } from '../row';
import { withWorld } from '../worlds/world';
import { drainBesideBare } from './draining';

export const cpu: Row = {
  about:
    "Processor time of a cycle of all programs, worker, PostgreSQL, Temporal and the service, beside the bare workflow's with the same calls and commits",
  counts: 'subscriptions due in one instant',
  size: 400,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const measured = await drainBesideBare(world, order);
      return {
        outcomes: [
          outcomeOf(measured, atMost('ms a cycle, all programs', 1), 'ms', ({ allCpu }) => allCpu),
          outcomeOf(measured, atMost('ms a cycle, the worker', 1), 'ms', (drained) => drained.cpu),
        ],
        settings: {},
      };
    }),
};
