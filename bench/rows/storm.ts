import { atMost, outcomeOf, type Row } from '../row';
import { defaultSizes } from '../worlds/dueday';
import { withWorld } from '../worlds/world';
import { drainComparedWithBare, type Drained } from './draining';

export const storm: Row = {
  about: 'A storm that exceeds the cache, compared with the bare workflow with the same calls, commits and cache',
  counts: 'subscriptions due in one instant',
  size: 10_000,
  pairs: 1,
  run: (order) =>
    withWorld(null, async (world) => {
      const measured = await drainComparedWithBare(world, order);
      const fair = ({ rate }: Drained) => (1000 * order.size) / rate;
      const { cachedWorkflows, slots } = defaultSizes();
      return {
        outcomes: [
          outcomeOf(
            measured,
            { name: 'cycles per second', relation: 'at least', value: 0.95 },
            'cycles/s',
            ({ rate }) => rate,
          ),
          {
            target: atMost('p99 lateness, of number ÷ rate', 1.1),
            unit: 'ms',
            subject: measured.subject.map(({ lateness }) => lateness),
            reference: measured.subject.map(fair),
          },
        ],
        settings: { 'cached workflows': cachedWorkflows, slots: slots.collecting, early: 0, twice: 0 },
      };
    }),
};
