import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { api, ask } from '../../client';
import { count, words } from '../../format';
import { type Column, Instant, Money, StatusBadge } from '../../parts';
import { may } from '../../session';
import { addressOf, useAddress } from '../common/address';
import { Metadata } from '../common/facts';
import { type Filter, Filters, SORT_FILTER } from '../common/filters';
import { Listing } from '../common/listing';
import type { QueryOf, Subscription } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, selectionOf } from '../common/selection';

type Asked = QueryOf<'listSubscriptions'>;

const FILTERS: readonly Filter[] = [...SELECTION_FILTERS, SORT_FILTER];

/** Every subscription, by cursor; all that it is chosen by is in the address. */
export default function Subscriptions() {
  const { query } = useAddress();
  const selection = selectionOf(query);
  const asked = { ...selection, sort: query['sort'] as Asked['sort'], cursor: query['cursor'] };
  const page = useQuery({
    queryKey: ['subscriptions', asked],
    queryFn: ({ signal }) => ask(api.GET('/v1/subscriptions', { params: { query: asked }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Subscriptions</h1>
      <Filters of={FILTERS} />
      {may('bulk') && !isEverything(selection) ? (
        <p>
          <a href={addressOf('/bulk', { ...query, sort: undefined, cursor: undefined })}>Change all of these at once</a>
        </p>
      ) : null}
      <Listing
        what="subscriptions"
        page={page}
        columns={COLUMNS}
        keyOf={({ subscriptionId }) => subscriptionId}
        hrefOf={({ subscriptionId }) => `/subscriptions/${subscriptionId}`}
        empty="No subscription is like this."
      />
    </>
  );
}

const COLUMNS: readonly Column<Subscription>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'Payer', cell: ({ payer }) => payer.reference ?? payer.email ?? '' },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Standing', cell: ({ standing }) => <StatusBadge status={standing} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Repetition', cell: ({ repetition }) => <span class="word">{words(repetition).toLowerCase()}</span> },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />) },
  { head: 'Collected', cell: ({ cyclesCollected }) => count(cyclesCollected), align: 'end' },
  { head: 'Metadata', cell: ({ metadata }) => <Metadata of={metadata} /> },
];
