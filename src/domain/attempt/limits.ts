import { type ClockSetting, HOUR, type Instant, MINUTE, realDelay } from '../time';

/** The settings that limit how long checks and rows permit a POST; real ms. */
export interface Limits {
  /** The settle time. */
  readonly settle: number;
  /** For one request to the service. */
  readonly requestTimeout: number;
}

const LONGEST_SEND_DEADLINE = 10_000;
/** What opening a connection takes: a settle time shorter than this, or none, would never let anything leave. */
const SHORTEST_SEND_DEADLINE = 250;

/** Real ms from a "sending" row within which its POST must have left; less than any reasonable settle time. */
export function sendDeadline({ settle }: Pick<Limits, 'settle'>): number {
  return Math.max(SHORTEST_SEND_DEADLINE, Math.min(LONGEST_SEND_DEADLINE, settle * 0.8));
}

/** Real ms from a "sending" row after which its POST is no longer on the wire: answered, given up or never made. */
export function longestOnWire(limits: Limits): number {
  return sendDeadline(limits) + limits.requestTimeout;
}

/** Real ms for which the checks of consent and list permit a POST (rules 7, 16). */
export function checksHoldFor(limits: Limits): number {
  return sendDeadline(limits) + 2 * limits.requestTimeout;
}

/** Consecutive checks that must agree once the settle time has passed (rule 17). */
export const AGREEING_CHECKS = 2;

/**
 * When the outcome of a row "sending" becomes unknown: a process died, or is frozen, or waits for its answer this moment. The
 * settle time begins when its POST cannot be on the wire any more. Real time, epoch ms.
 */
export function unknownSince(sendingRealAt: number, now: number, limits: Limits): number {
  const onWire = Math.min(longestOnWire(limits), limits.settle);
  // Counted from now if the clock was set back since: that must not cost the date.
  return Math.max(now, Math.min(sendingRealAt, now) + onWire);
}

/** Real ms until the next check of what is absent: the growing pause, but not past the moment from which checks count. */
export function untilNextCheck(pause: number, now: number, settledAt: number): number {
  return now < settledAt ? Math.min(pause, settledAt - now) : pause;
}

/** Sends of an attempt that may be settled as never made: a third one without a readable answer is only followed; nothing more is sent. */
export const SENDS_IN_VAIN = 2;

/** Business time for which the second fresh send waits for the service to answer any POST readably. */
const LONGEST_WAIT = 4 * HOUR;

/** What decides whether something may be sent afresh. */
export interface FreshSend {
  /** How many sends were settled as never made. */
  readonly sends: number;
  /** Real time since when the outcome of the last of them was unknown; null if there is none. */
  readonly lastUnknownReal: number | null;
  /** Whether any POST of the installation has been answered readably since. */
  readonly isAnswered: boolean;
  /** Business time at or after which nothing is sent; null if there is no such limit. */
  readonly sendBefore: Instant | null;
}

/** The clock at one moment. */
interface Moment {
  /** Epoch ms. */
  readonly realNow: number;
  readonly clock: ClockSetting | null;
}

/**
 * Real ms until something may be sent afresh whose sends were not answered readably and never made (rule 39). The first fresh send
 * goes at once. The second waits until the service has answered any POST, or for four hours of business time, and goes no later than
 * its outcome could still be settled.
 */
export function untilFreshSend(
  { sends, lastUnknownReal, isAnswered, sendBefore }: FreshSend,
  { realNow, clock }: Moment,
  { settle }: Pick<Limits, 'settle'>,
): number {
  if (sends < SENDS_IN_VAIN || lastUnknownReal === null || isAnswered) return 0;
  const waited = realNow - lastUnknownReal;
  // Negative: the clock was set back since, so the wait is not known. It must not cost the date.
  if (waited < 0) return 0;
  const left = LONGEST_WAIT / (clock?.speed ?? 1) - waited;
  const untilLast = sendBefore === null ? Infinity : realDelay(clock, realNow, sendBefore) - settle;
  return Math.max(0, Math.min(left, untilLast));
}

/** Real ms in which one POST goes out while the service answers none readably; never longer than a send takes to be settled. */
export function probeInterval({ settle }: Pick<Limits, 'settle'>): number {
  return Math.min(MINUTE, settle);
}

/** Whether a list that has been incomplete for this long, real ms, is alerted: after two thirds of the settle time (rule 39). */
export function isAlertDue(
  age: number,
  gap: { readonly isLagging: boolean },
  { settle }: Pick<Limits, 'settle'>,
): boolean {
  return !gap.isLagging && age >= (settle * 2) / 3;
}
