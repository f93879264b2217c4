import { outcomeOf, type Row } from '../row';
import { defaultSizes } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drainComparedWithBare } from './draining';

export const cycle: Row = {
  about: 'Cycles per second of workflows in memory, compared with the bare workflow with the same calls and commits',
  counts: 'subscriptions due in one instant',
  // Large enough that workflows which are not asleep again when the last cycle is collected hardly affect the CPU per cycle.
  size: 600,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const measured = await drainComparedWithBare(world, order);
      const target = { name: 'cycles per second', relation: 'at least', value: 1 } as const;
      const { cachedWorkflows, slots } = defaultSizes();
      return {
        outcomes: [outcomeOf(measured, target, 'cycles/s', ({ rate }) => rate)],
        settings: {
          'cached workflows': cachedWorkflows,
          slots: slots.collecting,
          'ms of CPU per cycle': outcomeOf(measured, target, 'ms', ({ cpu }) => cpu)
            .subject.map(Math.round)
            .join(' '),
          "the reference's": measured.reference.map(({ cpu }) => Math.round(cpu)).join(' '),
        },
      };
    }),
};
