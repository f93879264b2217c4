import { performance } from 'node:perf_hooks';
import type { Clock } from '../../src/platform/clock';

/**
 * Real ms since it was started, by the clock that says more: the monotonic one runs on while a process is stopped and
 * cannot be set; the wall clock runs on while the whole machine sleeps.
 */
export function startStopwatch(clock: Clock): () => number {
  const begun = performance.now();
  const begunReal = clock.realNow();
  return () => Math.max(performance.now() - begun, clock.realNow() - begunReal);
}
