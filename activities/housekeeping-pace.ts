import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** To be awaited before each call to the service. */
export type Pace = () => Promise<void>;

/**
 * Calls evenly spread, never more than so many a second, however many activities of the process share the pace. The task
 * queue's rate counts activities, and one of these makes thousands of calls.
 * @param callsPerSecond undefined: as quick as the answers come, one after the other
 */
export function createPace(callsPerSecond: number | undefined): Pace {
  if (callsPerSecond === undefined) return async () => undefined;
  const gap = 1000 / callsPerSecond;
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    const wait = nextAt - now;
    nextAt = Math.max(nextAt, now) + gap;
    if (wait > 0) await pause(wait);
  };
}
