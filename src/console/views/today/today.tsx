import type { VNode } from 'preact';
import { utcDay } from '../../format';
import { Empty } from '../../parts';
import { may } from '../../session';
import { addressOf, fromDay, throughDay, useAddress } from '../common/address';
import { type Asked, useAnswer } from '../common/answers';
import type { Deadline, PageOf } from '../common/schemas';
import { DeadlineBoard } from './deadline-board';
import { SHARES, isShare } from './shares';
import { type Sentence, Strip } from './strip';

/** The most that one page of the API holds: what is more is said as "or more". */
const PAGE = 200;

/** What needs a person now, and which cycles run out of time. */
export default function Today(): VNode {
  const { query } = useAddress();
  const only = query['only'];
  const isTold = may('listDeadlines');
  const deadlines = useAnswer(['reports'], '/v1/reports/deadlines', { query: { limit: PAGE } }, { enabled: isTold });
  return (
    <>
      <h1>Today</h1>
      <Strip of={[...useNeeds(), ...(isTold ? sharesOf(deadlines) : []), ...useDue()]} />
      {isTold ? (
        <DeadlineBoard page={deadlines} only={isShare(only) ? only : null} />
      ) : (
        <Empty>Your key does not read reports: what is due is not shown here.</Empty>
      )}
    </>
  );
}

function useNeeds(): readonly Sentence[] {
  const isTold = may('listAttention');
  const { data, error } = useAnswer(['attention'], '/v1/attention', { query: { limit: PAGE } }, { enabled: isTold });
  if (!isTold) return [];
  const href = '/attention';
  return [
    { href, error, count: data?.items.length, isMore: data?.nextCursor != null, one: 'needs you', many: 'need you' },
  ];
}

/** Each share of the open cycles leads to the board with these alone. */
function sharesOf({ data, error }: Asked<PageOf<Deadline>>): readonly Sentence[] {
  return Object.entries(SHARES).map(([only, { one, many, has }]) => ({
    href: addressOf('/', { only }),
    error,
    count: data?.items.filter(has).length,
    isMore: data?.nextCursor != null,
    one,
    many,
  }));
}

/** By the UTC day of the due date, as the report counts. */
function useDue(): readonly Sentence[] {
  const isTold = may('reportCollections');
  const today = utcDay();
  const query = { from: fromDay(today), to: throughDay(today) };
  const { data, error } = useAnswer(['reports'], '/v1/reports/collections', { query }, { enabled: isTold });
  const total = data?.total;
  if (!isTold) return [];
  return [
    {
      href: addressOf('/money', { from: today, to: today }),
      error,
      count: total?.due.count,
      isMore: false,
      one: 'due today',
      many: 'due today',
      amount: total?.due.amount,
      besides: total === undefined ? undefined : { words: 'collected', ...total.collected },
    },
  ];
}
