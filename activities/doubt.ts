import type { ActivitySettings } from './dependencies';
import { longestOnWire } from './freshness';

/** Looks that must agree, one after the other, once the settle time has passed (decisions 17). */
export const AGREEING_LOOKS = 2;

/**
 * A row stands without an outcome: a process died, or is frozen, or waits for its answer this moment. The settle time
 * begins when its POST cannot be on the wire any more. Real time, epoch ms.
 */
export function doubtBegins(sendingRealAt: number, now: number, settings: ActivitySettings): number {
  const onWire = Math.min(longestOnWire(settings), settings.settle);
  // Counted from now where the clock was set back since: that must not cost the date.
  return Math.max(now, Math.min(sendingRealAt, now) + onWire);
}

/** Real ms until the next look at what is absent: the growing pause, but not past the moment from which looks count. */
export function untilNextLook(pause: number, now: number, settledAt: number): number {
  return now < settledAt ? Math.min(pause, settledAt - now) : pause;
}
