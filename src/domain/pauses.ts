import type { Instant } from './instant';
import type { Pause, SubscriptionState } from './subscription';

/** Whether `instant` lies in a pause. A pause covers `[since, until)` (decisions 23). */
export function isPaused(pauses: readonly Pause[], instant: Instant): boolean {
  return pauses.some((pause) => pause.since <= instant && (pause.until === null || instant < pause.until));
}

/** The pause in force, or null. */
export function currentPause(state: SubscriptionState): Pause | null {
  return state.status === 'paused' ? (state.pauses.at(-1) ?? null) : null;
}

/** The past pauses that a due date at or after `dueAt` may still lie in. */
export function pausesFrom(pauses: readonly Pause[], dueAt: Instant): readonly Pause[] {
  return pauses.filter((pause) => pause.until === null || pause.until > dueAt);
}
