import { atMost, interleave, outcomeOf, type Row } from '../row';
import { createBare } from '../worlds/bare';
import { createDueday, defaultSizes } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drain, type Drained } from './draining';

export const storm: Row = {
  about: 'A storm that outgrows the cache, beside the bare workflow with the same calls, commits and cache',
  counts: 'subscriptions due in one instant',
  size: 10_000,
  pairs: 1,
  run: (order) =>
    withWorld(null, async (world) => {
      const [dueday, bare] = [createDueday(world), createBare(world)];
      const measured = await interleave(
        order,
        () => drain(world, dueday, order.size),
        () => drain(world, bare, order.size),
      );
      const fair = ({ rate }: Drained) => (1000 * order.size) / rate;
      const { cachedWorkflows, slots } = defaultSizes();
      return {
        outcomes: [
          outcomeOf(
            measured,
            { name: 'cycles a second', relation: 'at least', value: 0.85 },
            'cycles/s',
            ({ rate }) => rate,
          ),
          {
            target: atMost('p99 lateness beside number ÷ rate', 1.1),
            unit: 'ms',
            subject: measured.subject.map(({ lateness }) => lateness),
            reference: measured.subject.map(fair),
          },
        ],
        settings: { 'cached workflows': cachedWorkflows, slots: slots.collecting, early: 0, twice: 0 },
      };
    }),
};
