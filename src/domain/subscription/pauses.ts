import type { SubscriptionId } from '../ids';
import type { Instant } from '../time';
import { dueAt, hasCycle } from './schedule';
import { type Pause, type SubscriptionState, isTerminal, type Replacement } from './state';

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

/** The payer is asked for a new consent: this subscription collects nothing due at or after its first payment (rule 22). */
export function startReplacement(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  if (isTerminal(state.status)) return state;
  return { ...state, replacements: [...without(state, replacement.by), replacement] };
}

/** The new consent was not granted: this subscription continues. */
export function endReplacement(state: SubscriptionState, by: SubscriptionId): SubscriptionState {
  return { ...state, replacements: without(state, by) };
}

/** The replacement is active: this subscription ends permanently. */
export function replacedBy(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  return { ...startReplacement(state, replacement), replacedBy: replacement.by };
}

/** Why a replacement is cancelled if its consent was granted after that of another replacement (rule 22). */
export const REPLACED_BY_ANOTHER = 'replaced_by_another';

/** Whether a new subscription replaces this one: its consent was granted, and it is not being cancelled (rule 22). */
export function takesOver({ status, cancellation }: SubscriptionState): boolean {
  return status !== 'pending_consent' && !isTerminal(status) && cancellation === null;
}

/** Whether a cycle due then is left to a subscription that is replacing this one. */
export function isLeftToReplacement(state: SubscriptionState, dueAt: Instant): boolean {
  return state.replacements.some(({ from }) => from <= dueAt);
}

function without(state: SubscriptionState, by: SubscriptionId): readonly Replacement[] {
  return state.replacements.filter((each) => each.by !== by);
}

/** The due date of the first cycle from `cycle` on that no operator has skipped; null if there is none. */
export function dueFrom(state: SubscriptionState, cycle: number): Instant | null {
  let next = cycle;
  while (state.skips.includes(next)) next += 1;
  return hasCycle(state.terms, next) ? dueAt(state.terms, next) : null;
}

/** Its workflow is missing although it has not ended (rule 30). */
export const ORPHANED = 'orphaned';

/** Adds an attention item, which is a key such as `unresolved:3` for cycle 3. Each key is in the list once, the latest last. */
export function withAttentionItem(state: SubscriptionState, item: string): SubscriptionState {
  const settled = withoutAttentionItem(state, item);
  return withAttention(settled, [...settled.standing.attention, item]);
}

export function withoutAttentionItem(state: SubscriptionState, item: string): SubscriptionState {
  return withAttention(
    state,
    state.standing.attention.filter((other) => other !== item),
  );
}

/** Removes the attention items of this cycle. */
export function withoutAttentionItemsOf(state: SubscriptionState, cycle: number): SubscriptionState {
  return withAttention(
    state,
    state.standing.attention.filter((item) => !item.endsWith(`:${cycle}`)),
  );
}

function withAttention(state: SubscriptionState, attention: readonly string[]): SubscriptionState {
  return { ...state, standing: { ...state.standing, attention } };
}
