import { type Instant, LAST_INSTANT } from '../time';
import { dueAt } from './schedule';
import type { Pause, SubscriptionState } from './state';

/** Whether `instant` lies in a pause. A pause covers `[since, until)` (rule 23). */
export function isPaused(pauses: readonly Pause[], instant: Instant): boolean {
  return pauses.some((pause) => pause.since <= instant && (pause.until === null || instant < pause.until));
}

/** The pause in force, or null. */
export function currentPause(state: SubscriptionState): Pause | null {
  return state.status === 'paused' ? (state.pauses.at(-1) ?? null) : null;
}

/** The pauses that may still cover a due date at or after `dueAt`. */
export function pausesFrom(pauses: readonly Pause[], dueAt: Instant): readonly Pause[] {
  return pauses.filter((pause) => pause.until === null || pause.until > dueAt);
}

/** The pauses to keep for due dates from `due` on. The pause in force is kept even if it covers none, as it must still be resumed. */
export function remainingPauses(state: SubscriptionState, due: Instant): readonly Pause[] {
  const inForce = currentPause(state);
  const past = state.pauses.filter((each) => each !== inForce);
  return inForce === null ? pausesFrom(past, due) : [...pausesFrom(past, due), inForce];
}

/**
 * The state once the subscription is paused.
 * @param until the last representable instant means until resumed (rule 3)
 */
export function pause(state: SubscriptionState, now: Instant, until: Instant | null): SubscriptionState {
  const pauses: Pause[] = [...state.pauses, { since: now, until: until === LAST_INSTANT ? null : until }];
  return { ...state, status: 'paused', pauses };
}

/**
 * Ends the pause at `at`; due dates from `at` on (inclusive) are collected (rule 23). A pause that should have ended before
 * `at`, but could not because of an outage, ended at its planned time: resuming does not extend it.
 */
export function resume(state: SubscriptionState, at: Instant): SubscriptionState {
  const pauses = state.pauses.map((each, index) =>
    index === state.pauses.length - 1 ? { ...each, until: Math.min(at, each.until ?? at) } : each,
  );
  return { ...state, status: 'active', pauses: pausesFrom(pauses, dueAt(state.terms, state.cycle)) };
}
