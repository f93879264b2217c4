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
export function isHeld({ status, cancellation }: SubscriptionState): boolean {
  return status === 'paused' || cancellation !== null;
}

/** The past pauses that a due date at or after `dueAt` may still lie in. */
export function pausesFrom(pauses: readonly Pause[], dueAt: Instant): readonly Pause[] {
  return pauses.filter((pause) => pause.until === null || pause.until > dueAt);
}

/** The payer of a new consent is being asked: from its first payment on, this one collects nothing (rule 22). */
export function startReplacement(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  if (isTerminal(state.status)) return state;
  return { ...state, replacements: [...without(state, replacement.by), replacement] };
}

/** The new consent was not given: the subscription continues as before. */
export function endReplacement(state: SubscriptionState, by: SubscriptionId): SubscriptionState {
  return { ...state, replacements: without(state, by) };
}

/** The new one is active: this one ends for good. */
export function replacedBy(state: SubscriptionState, replacement: Replacement): SubscriptionState {
  return { ...startReplacement(state, replacement), replacedBy: replacement.by };
}

/** Why a replacement is cancelled whose consent was granted after that of another one (rule 22). */
export const REPLACED_BY_ANOTHER = 'replaced_by_another';

/** Whether a new one takes its place: its consent is given, and it is not being cancelled (rule 22). */
export function takesOver({ status, cancellation }: SubscriptionState): boolean {
  return status !== 'pending_consent' && !isTerminal(status) && cancellation === null;
}

/** Whether a cycle due then is left to a subscription that is to take this one's place. */
export function isLeftToReplacement(state: SubscriptionState, dueAt: Instant): boolean {
  return state.replacements.some(({ from }) => from <= dueAt);
}

function without(state: SubscriptionState, by: SubscriptionId): readonly Replacement[] {
  return state.replacements.filter((each) => each.by !== by);
}

/** The due date of the first cycle from `cycle` on that no operator has skipped; null if none exists. */
export function dueFrom(state: SubscriptionState, cycle: number): Instant | null {
  let next = cycle;
  while (state.skips.includes(next)) next += 1;
  return hasCycle(state.terms, next) ? dueAt(state.terms, next) : null;
}

/** No workflow runs for it, though it has not ended (rule 30). */
export const ORPHANED = 'orphaned';

/** An attention item is a key, such as `unresolved:3` of cycle 3. Each is in the list once, the latest last. */
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

/** Drops the attention items of this cycle. */
export function withoutAttentionItemsOf(state: SubscriptionState, cycle: number): SubscriptionState {
  return withAttention(
    state,
    state.standing.attention.filter((item) => !item.endsWith(`:${cycle}`)),
  );
}

function withAttention(state: SubscriptionState, attention: readonly string[]): SubscriptionState {
  return { ...state, standing: { ...state.standing, attention } };
}
