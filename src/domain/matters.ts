import type { SubscriptionState } from './subscription';

/** No workflow runs for it, though it is not over (rule 30). */
export const ORPHANED = 'orphaned';

/** What a person is asked to look at: a key, such as `unresolved:3` of cycle 3. Each stands once, the latest last. */
export function withMatter(state: SubscriptionState, matter: string): SubscriptionState {
  const settled = withoutMatter(state, matter);
  return withAttention(settled, [...settled.standing.attention, matter]);
}

export function withoutMatter(state: SubscriptionState, matter: string): SubscriptionState {
  return withAttention(
    state,
    state.standing.attention.filter((other) => other !== matter),
  );
}

/** What a person was asked to look at for this cycle is over. */
export function withoutMattersOf(state: SubscriptionState, cycle: number): SubscriptionState {
  return withAttention(
    state,
    state.standing.attention.filter((matter) => !matter.endsWith(`:${cycle}`)),
  );
}

function withAttention(state: SubscriptionState, attention: readonly string[]): SubscriptionState {
  return { ...state, standing: { ...state.standing, attention } };
}
