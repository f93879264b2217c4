import { interleave, median, outcomeOf, type Row } from '../row';
import { createBare } from '../worlds/bare';
import { createDueday, defaultSizes } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drain, drainBatch, type Drained } from './draining';

const BESIDE_NOTHING = {
  name: 'cycles per second, activity that does nothing',
  relation: 'at least',
  value: 0.65,
} as const;
const BESIDE_SAME = { name: 'cycles per second, same work', relation: 'at least', value: 0.95 } as const;

export const storm500: Row = {
  about:
    'A small storm with the default settings, compared with a bare workflow whose activity does nothing and with one with the same calls and commits',
  counts: 'subscriptions due in one instant',
  size: 500,
  pairs: 3,
  run: (order) =>
    withWorld(null, async (world) => {
      const [dueday, bare] = [createDueday(world), createBare(world)];
      const nothing = createBare(world, 'emptySubscription');
      const empty: number[] = [];
      const measured = await interleave(
        order,
        () => drain(world, dueday, order.size),
        async () => {
          empty.push((await drainBatch(nothing, order.size)).rate);
          return drain(world, bare, order.size);
        },
      );
      const rate = (each: Drained) => each.rate;
      const { cachedWorkflows, slots } = defaultSizes();
      return {
        outcomes: [
          outcomeOf(measured, BESIDE_SAME, 'cycles/s', rate),
          { target: BESIDE_NOTHING, unit: 'cycles/s', subject: measured.subject.map(rate), reference: empty },
        ],
        settings: {
          'cached workflows': cachedWorkflows,
          slots: slots.collecting,
          'p99 lateness, ms': Math.round(median(measured.subject.map(({ lateness }) => lateness))),
        },
      };
    }),
};
