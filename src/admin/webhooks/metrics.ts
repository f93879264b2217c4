import { Gauge } from 'prom-client';
import { readEndpointLags, readList, readPlacingLag } from '../../ledger';
import { loggable } from '../../platform/log';
import type { CountingDeps } from '../dependencies';

/** How events get on, as metrics, counted anew at each call. Without the ledger they are left out. */
export function countEvents({ reading, logger, registry }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const placing = gauge(
    'event_placing_lag_seconds',
    'Seconds since the oldest event was written that has no place yet',
  );
  const lag = gauge('webhook_lag_seconds', 'Seconds since the oldest delivery was made that is pending', ['endpoint']);
  const pending = gauge('webhook_pending', 'Deliveries that are pending, replays aside', ['endpoint']);
  const dead = gauge('webhook_dead_letters', 'Deliveries that were given up and are kept', ['endpoint']);
  const forget = () => {
    placing.remove();
    [lag, pending, dead].forEach((each) => each.reset());
  };
  return async () => {
    try {
      const [unplaced, endpoints] = await readList(
        reading,
        async (db) => [await readPlacingLag(db), await readEndpointLags(db)] as const,
      );
      forget();
      placing.set(unplaced);
      for (const { endpointId: endpoint, ...each } of endpoints) {
        lag.set({ endpoint }, each.lag);
        pending.set({ endpoint }, each.pending);
        dead.set({ endpoint }, each.dead);
      }
    } catch (error) {
      logger.warn({ err: loggable(error) }, 'the ledger could not be read for the metrics of events');
      forget();
    }
  };
}
