import { count, money } from '../../format';
import { type QueryState, useAnswer } from '../common/answers';
import type { SubscriptionsReport } from '../common/schemas';
import type { Selection } from '../common/selection';

/** Ms between two counts: a count goes through the whole list. */
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
  return `${over}${count(n)} ${n === 1 ? 'subscription' : 'subscriptions'}, next payments ${over}${money(amount)}`;
}
