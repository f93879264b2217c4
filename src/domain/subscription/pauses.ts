import type { Instant } from '../time';
import type { Pause, SubscriptionState } from './state';

/** Whether `instant` lies in a pause. A pause covers `[since, until)` (rule 23). */
export function isPaused(pauses: readonly Pause[], instant: Instant): boolean {
  return pauses.some((pause) => pause.since <= instant && (pause.until === null || instant < pause.until));
}

/** The pause in force, or null. */
export function currentPause(state: SubscriptionState): Pause | null {
  return state.status === 'paused' ? (state.pauses.at(-1) ?? null) : null;
}

/** Whether a pause or a cancellation keeps what is due from being sent (rules 23, 24). */
export function isStopped({ status, cancellation }: SubscriptionState): boolean {
  return status === 'paused' || cancellation !== null;
}

/** The past pauses that may still cover a due date at or after `dueAt`. */
export function pausesFrom(pauses: readonly Pause[], dueAt: Instant): readonly Pause[] {
  return pauses.filter((pause) => pause.until === null || pause.until > dueAt);
}

/** The pauses to keep for due dates from `due` on. The pause in force is kept even if it covers none, as it must still be resumed. */
export function remainingPauses(state: SubscriptionState, due: Instant): readonly Pause[] {
  const inForce = currentPause(state);
  const past = state.pauses.filter((each) => each !== inForce);
  return inForce === null ? pausesFrom(past, due) : [...pausesFrom(past, due), inForce];
}
