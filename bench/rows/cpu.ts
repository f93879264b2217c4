import { atMost, outcomeOf, type Row } from '../row';
import { withWorld } from '../worlds/world';
import { drainComparedWithBare } from './draining';

export const cpu: Row = {
  about:
    'Processor time per cycle of the worker, PostgreSQL, Temporal and the service, compared with the bare workflow with the same calls and commits',
  counts: 'subscriptions due in one instant',
  size: 400,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const measured = await drainComparedWithBare(world, order);
      return {
        outcomes: [
          outcomeOf(measured, atMost('ms per cycle, all programs', 0.9), 'ms', ({ allCpu }) => allCpu),
          outcomeOf(measured, atMost('ms per cycle, the worker', 0.9), 'ms', (drained) => drained.cpu),
        ],
        settings: {},
      };
    }),
};
