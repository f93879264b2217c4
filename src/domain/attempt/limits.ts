import { type ClockSetting, HOUR, type Instant, MINUTE, realDelay } from '../time';

/** Settings that limit for how long checks and rows permit a POST; real ms. */
export interface Limits {
  /** The settle time (rule 17). */
  readonly settle: number;
  /** For one request to the service. */
  readonly requestTimeout: number;
}

const MAX_SEND_DEADLINE = 10_000;
/** Enough to open a connection: without this minimum, nothing could be sent with a settle time near 0. */
const MIN_SEND_DEADLINE = 250;

/** Real ms after the row "sending" within which its POST must have left; shorter than any reasonable settle time. */
export function sendDeadline({ settle }: Pick<Limits, 'settle'>): number {
  return Math.max(MIN_SEND_DEADLINE, Math.min(MAX_SEND_DEADLINE, settle * 0.8));
}

/** Real ms after the row "sending" after which its POST is no longer on the wire: it was answered, given up or never made. */
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
 * When the outcome of a row "sending" becomes unknown: its process died, is frozen, or is still waiting for the answer.
 * The settle time starts when the POST can no longer be on the wire, or one settle time after the row if that is
 * earlier. Real time, epoch ms.
 */
export function unknownSince(sendingRealAt: number, now: number, limits: Limits): number {
  const onWire = Math.min(longestOnWire(limits), limits.settle);
  // Counted from now if the clock was set back since: a wrong clock must not make the cycle miss its window.
  return Math.max(now, Math.min(sendingRealAt, now) + onWire);
}

/** Real ms until the next check of a send that is not found: the growing wait, but no later than the instant from which checks count. */
export function untilNextCheck(wait: number, now: number, settledAt: number): number {
  return now < settledAt ? Math.min(wait, settledAt - now) : wait;
}

/**
 * Number of sends that may be settled as never made while another send could still follow (rule 39). A third send
 * without a readable answer is only polled; nothing more is sent.
 */
export const MAX_UNANSWERED_SENDS = 2;

/** The longest that the third send waits for the service to answer any POST readably. Business time. */
const MAX_WAIT = 4 * HOUR;

/** What decides whether a fresh send is allowed. */
export interface FreshSend {
  /** The number of sends that were settled as never made. */
  readonly sends: number;
  /** Real time since which the last of them had an unknown outcome; null if there is none. */
  readonly lastUnknownReal: number | null;
  /** Whether the service has answered any POST of the installation readably since `lastUnknownReal`. */
  readonly isAnswered: boolean;
  /** Business time at or after which nothing is sent; null if there is no such limit. */
  readonly sendBefore: Instant | null;
}

/** The clock at one instant. */
interface Moment {
  /** Epoch ms. */
  readonly realNow: number;
  readonly clock: ClockSetting | null;
}

/**
 * Real ms until a fresh send is allowed after sends that were not answered readably and never made (rule 39). The first fresh
 * send is immediate. The second waits until the service has answered any POST, or for four hours of business time, but leaves
 * enough time to settle its own outcome.
 */
export function untilFreshSend(
  { sends, lastUnknownReal, isAnswered, sendBefore }: FreshSend,
  { realNow, clock }: Moment,
  { settle }: Pick<Limits, 'settle'>,
): number {
  if (sends < MAX_UNANSWERED_SENDS || lastUnknownReal === null || isAnswered) return 0;
  const waited = realNow - lastUnknownReal;
  // Negative: the clock was set back since, so the time waited is unknown, and the cycle must not miss its window
  // because of it.
  if (waited < 0) return 0;
  const left = MAX_WAIT / (clock?.speed ?? 1) - waited;
  const untilLast = sendBefore === null ? Infinity : realDelay(clock, realNow, sendBefore) - settle;
  return Math.max(0, Math.min(left, untilLast));
}

/** Real ms between probes, one POST each, while the service answers no POST readably; never longer than the settle time. */
export function probeInterval({ settle }: Pick<Limits, 'settle'>): number {
  return Math.min(MINUTE, settle);
}

/** Whether an alert is due for a list that has been incomplete for `age` real ms: after two thirds of the settle time (rule 39). */
export function isAlertDue(
  age: number,
  gap: { readonly isLagging: boolean },
  { settle }: Pick<Limits, 'settle'>,
): boolean {
  return !gap.isLagging && age >= (settle * 2) / 3;
}
