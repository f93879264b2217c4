import { useEffect } from 'preact/hooks';
import { api, ask } from '../../client';
import { count, words } from '../../format';
import { type Column, CsvButton, Instant, Money } from '../../parts';
import { may } from '../../session';
import { addressOf, pathTo, useAddress } from '../common/address';
import { Metadata, Named, Status } from '../common/facts';
import { type Filter, Filters, SORT_FILTER } from '../common/filters';
import { Endless } from './endless';
import type { QueryOf, Subscription } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, selectionOf } from '../common/selection';
import { readCsv, readExport } from './csv';
import { clearSelection } from './selected';
import { HoldThese } from '../holds/hold-these';
import { SelectBox, SelectionBar } from './selection-bar';
import { Tabs } from './tabs';

type ListQuery = QueryOf<'listSubscriptions'>;

const FILTERS: readonly Filter[] = [...SELECTION_FILTERS, SORT_FILTER];

/** The list of subscriptions, loaded as the user scrolls. All filters are in the address. */
export default function Subscriptions() {
  const { query } = useAddress();
  const selection = selectionOf(query);
  const filter = { ...selection, sort: query['sort'] as ListQuery['sort'] };
  const list = JSON.stringify(filter);
  // Selected rows belong to this list: in another one they might not be visible.
  useEffect(() => clearSelection, [list]);
  return (
    <>
      <header class="heading">
        <h1>Subscriptions</h1>
        <span class="row-actions">
          <CsvButton name="subscriptions.csv" read={() => readCsv(filter)} />
          {may('importSubscriptions') ? (
            <CsvButton
              name="subscriptions-export.csv"
              label="Export for an import"
              read={() => readExport(selection)}
            />
          ) : null}
        </span>
      </header>
      <Tabs />
      <Filters of={FILTERS} />
      {may('runBulk') && !isEverything(selection) ? (
        <p class="row-actions">
          <a href={addressOf('/bulk', { ...query, sort: undefined })}>Bulk action for all of these</a>
          <HoldThese of={selection} />
        </p>
      ) : null}
      <SelectionBar />
      <Endless
        key={list}
        what="subscriptions"
        queryKey={['subscriptions', filter]}
        read={(page, signal) =>
          ask(api.GET('/v1/subscriptions', { params: { query: { ...filter, ...page } }, signal }))
        }
        columns={COLUMNS}
        hrefOf={hrefOf}
        empty="No subscription matches. Clear a filter to see more."
      />
    </>
  );
}

const hrefOf = ({ subscriptionId }: Subscription) => pathTo('subscriptions', subscriptionId);

const COLUMNS: readonly Column<Subscription>[] = [
  {
    head: 'Select',
    cell: (subscription) => <SelectBox of={subscription} />,
    share: 0.7,
    isControl: true,
  },
  { head: 'Payer', cell: ({ payer, subscriptionId }) => <Named payer={payer} id={subscriptionId} />, share: 2.2 },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: (subscription) => <Status of={subscription} />, share: 1.3 },
  { head: 'Repetition', cell: ({ repetition }) => words(repetition).toLowerCase() },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />), share: 1.8 },
  { head: 'Collected', cell: ({ cyclesCollected }) => count(cyclesCollected), align: 'end' },
  { head: 'Metadata', cell: ({ metadata }) => <Metadata of={metadata} />, share: 1.4 },
];
