import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/clock';
import type { ActivitySettings } from './dependencies';

const LONGEST_LEAP = 10_000;
/** What opening a connection takes: a settle time shorter than this, or none, would never let anything leave. */
const SHORTEST_LEAP = 250;

/** Real ms from a "sending" row within which its POST must have left; less than any settle time worth the name. */
export function longestLeap({ settle }: ActivitySettings): number {
  return Math.max(SHORTEST_LEAP, Math.min(LONGEST_LEAP, settle * 0.8));
}

/** Real ms from a "sending" row after which its POST is no longer on the wire: answered, given up or never made. */
export function longestOnWire(settings: ActivitySettings): number {
  return longestLeap(settings) + settings.requestTimeout;
}

/** Real ms for which consent and list, asked one after the other, permit a POST (decisions 7, 16). */
export function checksHoldFor(settings: ActivitySettings): number {
  return longestLeap(settings) + 2 * settings.requestTimeout;
}

/**
 * Real ms since it was made, by the clock that says more: the monotonic one runs on while a process is stopped and is
 * not set by anybody; the wall clock runs on while the whole machine sleeps.
 */
export function startStopwatch(clock: Clock): () => number {
  const begun = performance.now();
  const begunReal = clock.realNow();
  return () => Math.max(performance.now() - begun, clock.realNow() - begunReal);
}
