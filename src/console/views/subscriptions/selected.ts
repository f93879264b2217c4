import { signal } from '@preact/signals';
import { count, counted, money } from '../../format';
import { type QueryState, useAnswer } from '../common/answers';
import type { Subscription, SubscriptionsReport } from '../common/schemas';
import type { Selection } from '../common/selection';
import { nextCentsOf } from '../common/subscription';

/** The selected rows, by id; `all` if the whole list is selected. */
export const selected = signal<ReadonlyMap<string, Subscription> | 'all'>(new Map());

export function select(subscription: Subscription, isSelected: boolean): void {
  const before = selected.peek();
  const next = new Map(before === 'all' ? [] : before);
  if (isSelected) next.set(subscription.subscriptionId, subscription);
  else next.delete(subscription.subscriptionId);
  selected.value = next;
}

export function selectAll(): void {
  selected.value = 'all';
}

export function clearSelection(): void {
  selected.value = new Map();
}

/** Such as `3 selected, €180.00`: the sum of what their next cycles collect. */
export function sumOf(subscriptions: readonly Subscription[]): string {
  return `${count(subscriptions.length)} selected, ${money({ value: nextCentsOf(subscriptions), currency: 'EUR' })}`;
}

/** Ms between two counts, because a count may read a long list. */
const COUNTED_EVERY = 60_000;

/** The number of subscriptions in the list, and what their next cycles collect. */
export function useSum(list: Selection): QueryState<SubscriptionsReport> {
  return useAnswer(
    ['sums'],
    '/v1/reports/subscriptions',
    { query: list },
    { keepsPrevious: true, refetchInterval: COUNTED_EVERY },
  );
}

/** Such as `1,204 subscriptions, next payments €48,120.00`; `over` if the list is longer than was counted. */
export function describeSum({ count: n, amount, isWhole }: SubscriptionsReport): string {
  const over = isWhole ? '' : 'over ';
  return `${over}${counted(n, 'subscription')}, next payments ${over}${money(amount)}`;
}
