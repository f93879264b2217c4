import { useQuery } from '@tanstack/preact-query';
import type { VNode } from 'preact';
import { api, ask } from '../../client';
import { utcDay } from '../../format';
import { Empty } from '../../parts';
import { may } from '../../session';
import { addressOf, fromDay, throughDay, useAddress } from '../common/address';
import type { Asked } from '../common/listing';
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
  const deadlines = useQuery({
    enabled: isTold,
    queryKey: ['reports', 'deadlines'],
    queryFn: ({ signal }) => ask(api.GET('/v1/reports/deadlines', { params: { query: { limit: PAGE } }, signal })),
  });
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
  const attention = useQuery({
    enabled: isTold,
    queryKey: ['attention', 'today'],
    queryFn: ({ signal }) => ask(api.GET('/v1/attention', { params: { query: { limit: PAGE } }, signal })),
  });
  if (!isTold) return [];
  const { data, error } = attention;
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
  const span = { from: fromDay(today) ?? today, to: throughDay(today) ?? today };
  const { data, error } = useQuery({
    enabled: isTold,
    queryKey: ['reports', 'collections', today],
    queryFn: ({ signal }) => ask(api.GET('/v1/reports/collections', { params: { query: span }, signal })),
  });
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
