import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/clock';
import { HOUR } from '../src/domain/time';
import type { Precheck } from '../src/ledger';
import type { ActivitySettings } from './dependencies';

const LONGEST_SEND_DEADLINE = 10_000;
/** What opening a connection takes: a settle time shorter than this, or none, would never let anything leave. */
const SHORTEST_SEND_DEADLINE = 250;

/** Real ms from a "sending" row within which its POST must have left; less than any settle time worth the name. */
export function sendDeadline({ settle }: ActivitySettings): number {
  return Math.max(SHORTEST_SEND_DEADLINE, Math.min(LONGEST_SEND_DEADLINE, settle * 0.8));
}

/** Real ms from a "sending" row after which its POST is no longer on the wire: answered, given up or never made. */
export function longestOnWire(settings: ActivitySettings): number {
  return sendDeadline(settings) + settings.requestTimeout;
}

/** Real ms for which consent and list, asked one after the other, permit a POST (rules 7, 16). */
export function checksHoldFor(settings: ActivitySettings): number {
  return sendDeadline(settings) + 2 * settings.requestTimeout;
}

/**
 * Real ms since it was made, by the clock that says more: the monotonic one runs on while a process is stopped and
 * cannot be set; the wall clock runs on while the whole machine sleeps.
 */
export function startStopwatch(clock: Clock): () => number {
  const begun = performance.now();
  const begunReal = clock.realNow();
  return () => Math.max(performance.now() - begun, clock.realNow() - begunReal);
}

/** Looks that must agree, one after the other, once the settle time has passed (rule 17). */
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

/** Business time between two sends that the service does not answer readably. */
const LONGEST_BETWEEN = 4 * HOUR;

/**
 * Real ms until something may be sent afresh whose sends were not answered readably and never made: after the first at
 * once, then after twice the settle time, four times, … from when the last one came to be in doubt, up to four hours.
 */
export function untilFreshSend(
  { sends, lastInDoubtReal }: Pick<Precheck, 'sends' | 'lastInDoubtReal'>,
  clock: Pick<Clock, 'realNow' | 'setting'>,
  { settle }: Pick<ActivitySettings, 'settle'>,
): number {
  if (sends < 2 || lastInDoubtReal === null) return 0;
  const longest = LONGEST_BETWEEN / (clock.setting?.speed ?? 1);
  const between = Math.min(settle * 2 ** (sends - 1), Math.max(settle, longest));
  const waited = clock.realNow() - lastInDoubtReal;
  // Negative: the clock was set back since, so the pause is not known. It must not cost the date.
  return waited < 0 ? 0 : Math.max(0, between - waited);
}

/** What a person reads where that is not yet. */
export function describeInVain({ sends }: Pick<Precheck, 'sends'>): string {
  return `sent ${sends} times without a readable answer, and never made: sent again after a longer pause`;
}
