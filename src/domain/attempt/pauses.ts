import { type ClockSetting, HOUR, type Instant, realDelay, scaledTimeout } from '../time';
import { type ComeBack, comeBack, isServiceFault, type Notice, type Wait } from './action';
import { type Attempt, type Facts, isDebit } from './attempt';

const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;

/** A pause that grows with age: a fifth of it, from half a second to a minute. Real ms. */
export function growingPause(age: number, longest = LONGEST_PAUSE): number {
  return Math.min(longest, Math.max(SHORTEST_PAUSE, age / 5));
}

/** A pause for what has no deadline: it grows to an hour, on a fast test clock to less. Real ms. */
export function slowPause(age: number, clock: ClockSetting | null): number {
  return growingPause(age, scaledTimeout(clock, HOUR));
}

type Now = Pick<Facts, 'realNow' | 'clock'>;

/** A growing pause, as long as the service asked for if it did, that ends no later than the limit. */
export function pauseUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  return endingBy(facts, limit, Math.max(growingPause(age), atLeast));
}

/**
 * Once an operator has been notified: the pause grows to an hour (rule 41). Within the window it shortens again towards the
 * end, to a fifth of what is left, and ends no later than the window: what turns out never made may still be collected.
 */
export function slowPauseUntil(facts: Now, limit: Instant | null, age: number, atLeast = 0): number {
  const left = untilLimit(facts, limit);
  const pause = slowPause(left > 0 ? Math.min(age, left) : age, facts.clock);
  return endingBy(facts, limit, Math.max(pause, atLeast));
}

/** The pause, cut at the limit so that its passing is noticed at once; whole if it has passed. Real ms. */
export function endingBy(facts: Now, limit: Instant | null, pause: number): number {
  const left = untilLimit(facts, limit);
  return left > 0 ? Math.min(pause, left) : pause;
}

function untilLimit({ clock, realNow }: Now, limit: Instant | null): number {
  return limit === null ? Infinity : realDelay(clock, realNow, limit);
}

/** Real ms after which an order that cannot be sent is also reported to an operator. */
const UNSENT_FOR_LONG = HOUR;

/** The pause that the service asked for, and what else to notify. */
export interface Beside {
  /** Real ms. */
  readonly atLeast?: number;
  readonly notify?: readonly Notice[];
}

/** Nothing can be sent for now. An order goes on being tried, and an operator may settle it meanwhile. */
export function later(
  attempt: Attempt,
  facts: Facts,
  stop: Wait,
  why: string,
  { atLeast = 0, notify = [] }: Beside = {},
): ComeBack {
  const { age, clock } = facts;
  if (isDebit(attempt)) {
    return comeBack(stop, why, pauseUntil(facts, attempt.sendBefore, age, atLeast), ...notify);
  }
  const isSlow = attempt.endsAt === null && isServiceFault(stop);
  const pause = Math.max(isSlow ? slowPause(age, clock) : growingPause(age), atLeast);
  const isForOperator = isServiceFault(stop) && age >= UNSENT_FOR_LONG;
  return comeBack(stop, why, pause, ...notify, ...(isForOperator ? [{ kind: 'operator', reason: why } as const] : []));
}
