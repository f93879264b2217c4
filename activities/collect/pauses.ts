import { type Instant, realDelay } from '../../src/domain/time';
import type { Dependencies } from '../dependencies';
import { growingPause, patientPause } from '../stops';

/** What is asked about again after a pause. */
interface Paused {
  readonly deps: Pick<Dependencies, 'clock'>;
  /** Real ms since the activity was scheduled. */
  age(): number;
}

/** A growing pause, as long as the service asked for where it did, that ends no later than the limit. */
export function pauseUntil(collecting: Paused, limit: Instant, age = collecting.age(), atLeast = 0): number {
  return endingBy(collecting, limit, Math.max(growingPause(age), atLeast));
}

/**
 * Once an operator has been notified: the pause grows to an hour (rule 41). Within the window it shortens again towards the
 * end, to a fifth of what is left, and ends no later than the window: what turns out never made may still be collected.
 */
export function patientPauseUntil(collecting: Paused, limit: Instant, age: number, atLeast = 0): number {
  const { clock } = collecting.deps;
  const left = realDelay(clock.setting, clock.realNow(), limit);
  const pause = patientPause(left > 0 ? Math.min(age, left) : age, clock);
  return endingBy(collecting, limit, Math.max(pause, atLeast));
}

/** The pause, cut at the limit so that its passing is noticed at once; whole where it has passed. Real ms. */
export function endingBy({ deps: { clock } }: Paused, limit: Instant, pause: number): number {
  const left = realDelay(clock.setting, clock.realNow(), limit);
  return left > 0 ? Math.min(pause, left) : pause;
}
