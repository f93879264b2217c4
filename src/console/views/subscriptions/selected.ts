import { signal } from '@preact/signals';
import { ApiError } from '../../client';
import { count, money } from '../../format';
import type { Subscription } from '../common/schemas';

/** The subscriptions selected in the list, by id. */
export const selected = signal<ReadonlyMap<string, Subscription>>(new Map());

export function select(subscription: Subscription, isSelected: boolean): void {
  const next = new Map(selected.peek());
  if (isSelected) next.set(subscription.subscriptionId, subscription);
  else next.delete(subscription.subscriptionId);
  selected.value = next;
}

export function clearSelection(): void {
  selected.value = new Map();
}

/** Such as `3 selected, €180.00`: the sum of their next cycles. */
export function sumOf(subscriptions: readonly Subscription[]): string {
  const value = subscriptions.reduce((sum, { amount }) => sum + amount.value, 0);
  return `${count(subscriptions.length)} selected, ${money({ value, currency: 'EUR' })}`;
}

/** The result of calling an operation for several subscriptions. */
export interface Outcome {
  readonly done: number;
  /** The distinct reasons for refusals. */
  readonly refusals: readonly string[];
  readonly refused: number;
}

/** Makes the calls in sequence; a refusal does not stop the rest. @throws any other error, which stops the rest */
export async function callForEach(ids: readonly string[], call: (id: string) => Promise<unknown>): Promise<Outcome> {
  const refusals: string[] = [];
  for (const id of ids) {
    try {
      await call(id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
      refusals.push(error.detail);
    }
  }
  return { done: ids.length - refusals.length, refused: refusals.length, refusals: [...new Set(refusals)] };
}

/** @param done the participle, such as `paused` */
export function sayOutcome(done: string, outcome: Outcome): string {
  const says = `${count(outcome.done)} ${done}.`;
  return outcome.refused === 0 ? says : `${says} ${count(outcome.refused)} refused: ${outcome.refusals.join(' ')}`;
}
