import { useEffect } from 'preact/hooks';
import { api, ask } from '../../client';
import { CsvButton, useColumns } from '../../parts';
import { may } from '../../session';
import { pathTo, useAddress } from '../common/address';
import { type Filter, Filters, SORT_FILTER } from '../common/filters';
import { Endless } from './endless';
import type { QueryOf, Subscription } from '../common/schemas';
import { isEverything, SELECTION_FILTERS, type Selection, selectionOf } from '../common/selection';
import { COLUMNS } from './columns';
import { readCsv, readExport } from './csv';
import { clearSelection, describeSum, selectAll, selected, useSum } from './selected';
import { HoldThese } from '../holds/hold-these';
import { SelectionBar } from './selection-bar';
import { Tabs } from './tabs';

type ListQuery = QueryOf<'listSubscriptions'>;

const FILTERS: readonly Filter[] = [...SELECTION_FILTERS, SORT_FILTER];

/** The list of subscriptions, loaded as the user scrolls. All filters are in the address. */
export default function Subscriptions() {
  const { query } = useAddress();
  const selection = selectionOf(query);
  const filter = { ...selection, sort: query['sort'] as ListQuery['sort'] };
  const list = JSON.stringify(filter);
  const { shown: columns, menu } = useColumns('subscriptions', COLUMNS);
  // Selected rows belong to this list: in another one they might not be visible.
  useEffect(() => clearSelection, [list]);
  return (
    <>
      <header class="heading">
        <h1>Subscriptions</h1>
        <span class="row-actions">
          {menu}
          <CsvButton
            name="subscriptions.csv"
            read={() =>
              readCsv(
                filter,
                columns.flatMap(({ csv }) => csv),
              )
            }
          />
          {may('importSubscriptions') ? (
            <CsvButton name="subscriptions-export.csv" label="Export for import" read={() => readExport(selection)} />
          ) : null}
        </span>
      </header>
      <Tabs />
      <Filters of={FILTERS} />
      <ListSum of={selection} />
      <SelectionBar list={selection} />
      <Endless
        key={`${list} ${columns.map(({ head }) => head).join()}`}
        what="subscriptions"
        queryKey={['subscriptions', filter]}
        read={(page, signal) =>
          ask(api.GET('/v1/subscriptions', { params: { query: { ...filter, ...page } }, signal }))
        }
        columns={columns}
        hrefOf={hrefOf}
        empty="No subscription matches. Clear a filter to see more."
      />
    </>
  );
}

const hrefOf = ({ subscriptionId }: Subscription) => pathTo('subscriptions', subscriptionId);

/** The count and sum of the list, and what can be done with all of it. */
function ListSum({ of: selection }: { readonly of: Selection }) {
  const sum = useSum(selection).data;
  const isActionable = may('runBulk') && !isEverything(selection);
  return (
    <p class="row-actions list-sum">
      <span class="muted">{sum === undefined ? '' : describeSum(sum)}</span>
      {isActionable ? <HoldThese of={selection} /> : null}
      {/* Last, because it disappears when it is clicked, and no other button may move under the pointer. */}
      {isActionable && selected.value !== 'all' ? (
        <button type="button" onClick={selectAll}>
          Select the whole list
        </button>
      ) : null}
    </p>
  );
}
