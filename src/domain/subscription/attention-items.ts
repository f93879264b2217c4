import type { SubscriptionState } from './state';

/** The item of a subscription whose workflow is missing and is not restarted automatically any more (rule 30). */
export const ORPHANED = 'orphaned';

const UNRESOLVED = 'unresolved:';

/** The item of a cycle with an unresolved attempt. */
export function unresolvedItem(cycle: number): string {
  return `${UNRESOLVED}${cycle}`;
}

/** Whether an operator has to resolve an attempt of any cycle. */
export function hasUnresolved({ standing }: SubscriptionState): boolean {
  return standing.attention.some((item) => item.startsWith(UNRESOLVED));
}

/** Adds an attention item, which is a key such as `unresolved:3` for cycle 3. Each key is in the list once, the latest last. */
export function withAttentionItem(state: SubscriptionState, item: string): SubscriptionState {
  const others = withoutAttentionItem(state, item);
  return withAttention(others, [...others.standing.attention, item]);
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
