import { signal } from '@preact/signals';
import { count, money } from '../../format';
import type { Subscription } from '../common/schemas';

/** The selected rows, by id; `all` if the whole list is. */
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

/** Such as `3 selected, €180.00`: the sum of their next cycles. */
export function sumOf(subscriptions: readonly Subscription[]): string {
  const value = subscriptions.reduce((sum, { amount }) => sum + amount.value, 0);
  return `${count(subscriptions.length)} selected, ${money({ value, currency: 'EUR' })}`;
}
