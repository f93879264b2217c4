import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/platform/clock';

/**
 * Real ms since the start, by the clock that shows more: the monotonic clock continues while the process is stopped and cannot
 * be set; the wall clock continues while the whole machine sleeps.
 */
export function startStopwatch(clock: Clock): () => number {
  const started = performance.now();
  const startedReal = clock.realNow();
  return () => Math.max(performance.now() - started, clock.realNow() - startedReal);
}
