import { api, ask } from '../../client';
import { count, words } from '../../format';
import { type Column, Instant, Money, StatusBadge } from '../../parts';
import { may } from '../../session';
import { addressOf, useAddress } from '../common/address';
import { Metadata, Status } from '../common/facts';
import { type Filter, Filters, SORT_FILTER } from '../common/filters';
import { Endless } from '../common/endless';
import { pathTo } from '../common/paths';
import type { QueryOf, Subscription } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, selectionOf } from '../common/selection';

type Asked = QueryOf<'listSubscriptions'>;

const FILTERS: readonly Filter[] = [...SELECTION_FILTERS, SORT_FILTER];

/** Every subscription, as far as one scrolls; all that they are chosen by is in the address. */
export default function Subscriptions() {
  const { query } = useAddress();
  const selection = selectionOf(query);
  const asked = { ...selection, sort: query['sort'] as Asked['sort'] };
  return (
    <>
      <h1>Subscriptions</h1>
      <Filters of={FILTERS} />
      {may('runBulk') && !isEverything(selection) ? (
        <p>
          <a href={addressOf('/bulk', { ...query, sort: undefined })}>Change all of these at once</a>
        </p>
      ) : null}
      <Endless
        key={JSON.stringify(asked)}
        what="subscriptions"
        queryKey={['subscriptions', asked]}
        read={(page, signal) => ask(api.GET('/v1/subscriptions', { params: { query: { ...asked, ...page } }, signal }))}
        columns={COLUMNS}
        hrefOf={addressOfOne}
        empty="No subscription is like this."
      />
    </>
  );
}

const addressOfOne = ({ subscriptionId }: Subscription) => pathTo('subscriptions', subscriptionId);

const COLUMNS: readonly Column<Subscription>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId, share: 2 },
  { head: 'Payer', cell: ({ payer }) => payer.reference ?? payer.email ?? '', share: 1.6 },
  { head: 'Status', cell: (subscription) => <Status of={subscription} />, share: 1.1 },
  { head: 'Standing', cell: ({ standing }) => <StatusBadge status={standing} />, share: 1.2 },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Repetition', cell: ({ repetition }) => <span class="word">{words(repetition).toLowerCase()}</span> },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />), share: 1.4 },
  { head: 'Collected', cell: ({ cyclesCollected }) => count(cyclesCollected), align: 'end' },
  { head: 'Metadata', cell: ({ metadata }) => <Metadata of={metadata} />, share: 1.4 },
];
