import { performance } from 'node:perf_hooks';
import type { Clock } from '../src/clock';
import { HOUR, type Instant, MINUTE, realDelay } from '../src/domain/time';
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

/** Sends of an attempt that may be settled as never made: a third one without a readable answer is followed, and ends the sending. */
export const SENDS_IN_VAIN = 2;

/** Business time for which the second fresh send waits for the service to answer any POST readably. */
const LONGEST_WAIT = 4 * HOUR;

/** What decides whether something may be sent afresh. */
export interface FreshSend extends Pick<Precheck, 'sends' | 'lastInDoubtReal'> {
  /** Whether any POST of the installation has been answered readably since. */
  readonly isAnswered: boolean;
  /** Business time at or after which nothing is sent; null if there is no such limit. */
  readonly sendBefore: Instant | null;
}

/**
 * Real ms until something may be sent afresh whose sends were not answered readably and never made (rule 39). The first fresh send
 * goes at once. The second waits until the service has answered any POST, or for four hours of business time, and goes no later than
 * its outcome could still be settled.
 */
export function untilFreshSend(
  { sends, lastInDoubtReal, isAnswered, sendBefore }: FreshSend,
  clock: Pick<Clock, 'realNow' | 'setting'>,
  { settle }: Pick<ActivitySettings, 'settle'>,
): number {
  if (sends < SENDS_IN_VAIN || lastInDoubtReal === null || isAnswered) return 0;
  const { setting } = clock;
  const now = clock.realNow();
  const waited = now - lastInDoubtReal;
  // Negative: the clock was set back since, so the wait is not known. It must not cost the date.
  if (waited < 0) return 0;
  const left = LONGEST_WAIT / (setting?.speed ?? 1) - waited;
  const untilLast = sendBefore === null ? Infinity : realDelay(setting, now, sendBefore) - settle;
  return Math.max(0, Math.min(left, untilLast));
}

/** Real ms in which one POST goes out while the service answers none readably; never longer than a send takes to be settled. */
export function probeInterval({ settle }: Pick<ActivitySettings, 'settle'>): number {
  return Math.min(MINUTE, settle);
}

/** What an operator reads while the second fresh send waits. */
export function describeInVain({ sends }: Pick<Precheck, 'sends'>): string {
  return `sent ${sends} times without a readable answer, and never made: it waits until the service answers a POST`;
}

/** What an operator reads while few POSTs go out. */
export const PROBING = 'the service has answered none of the last POSTs readably: one is sent now and then, as a probe';
