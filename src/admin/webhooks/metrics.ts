import { Gauge } from 'prom-client';
import { readEndpointLags, readList, readPositionLag } from '../../ledger';
import { loggable } from '../../platform/log';
import type { CountingDeps } from '../dependencies';

/** Metrics of event delivery, counted again at each call; omitted while the ledger is unreachable. */
export function countEvents({ reading, logger, registry }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const placing = gauge('event_placing_lag_seconds', 'Seconds since the oldest event without a position was written');
  const lag = gauge('webhook_lag_seconds', 'Seconds since the oldest pending delivery was created', ['endpoint']);
  const pending = gauge('webhook_pending', 'Pending deliveries, without replays', ['endpoint']);
  const dead = gauge('webhook_dead_letters', 'Abandoned deliveries that are still stored', ['endpoint']);
  const reset = () => {
    placing.remove();
    [lag, pending, dead].forEach((each) => each.reset());
  };
  return async () => {
    try {
      const [unplaced, endpoints] = await readList(
        reading,
        async (db) => [await readPositionLag(db), await readEndpointLags(db)] as const,
      );
      reset();
      placing.set(unplaced);
      for (const { endpointId: endpoint, ...each } of endpoints) {
        lag.set({ endpoint }, each.lag);
        pending.set({ endpoint }, each.pending);
        dead.set({ endpoint }, each.dead);
      }
    } catch (error) {
      logger.warn({ err: loggable(error) }, 'the ledger could not be read for event metrics');
      reset();
    }
  };
}
