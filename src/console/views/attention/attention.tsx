import { useLocation, useRoute } from 'preact-iso';
import { useRef } from 'preact/hooks';
import { ATTENTION_TITLES } from '../../../domain/findings';
import { Empty, Table, useColumns } from '../../parts';
import { useAddress } from '../common/address';
import { useAnswer, useStill } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Pages } from '../common/listing';
import type { Attention as Item } from '../common/schemas';
import { COMPACT, FULL } from './columns';
import { addressOfRow, inOrder, type Row, rowsOf } from './groups';
import { ItemDetail, LeftList } from './item-detail';

const NOBODY = 'nobody';

/** The kinds of items, sorted by their titles. */
const KINDS = Object.entries(ATTENTION_TITLES)
  .sort(([, one], [, other]) => one.localeCompare(other))
  .map(([kind]) => kind);

const FILTERS: FiltersOf<'listAttention'> = [
  { kind: 'choice', name: 'kind', label: 'Kind', values: KINDS, says: ATTENTION_TITLES },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'One-time payment' },
  // The API expects an empty assignee for unassigned items, but an address drops empty parameters.
  { kind: 'text', name: 'assignee', label: 'Assignee', hint: NOBODY, read: (name) => (name === NOBODY ? '' : name) },
  {
    kind: 'choice',
    name: 'sort',
    label: 'Order within each severity',
    values: ['since', 'deadline', '-amount'],
    none: 'newest first',
    says: { since: 'oldest first', deadline: 'deadline soonest first', '-amount': 'largest amount first' },
  },
];

/** Items per page: enough to group items of one kind. */
const PAGE = 200;

/** The attention items: the list, and beside it the open item. */
export default function Attention() {
  const { query } = useAddress();
  const { route } = useLocation();
  const open = useRoute().params['item'];
  const pageQuery = { ...usePageQuery<'listAttention'>(FILTERS), limit: PAGE };
  const page = useAnswer(['attention'], '/v1/attention', { query: pageQuery }, { keepsPrevious: true });
  const data = useStill(page.data);
  const isFiltered = FILTERS.some(({ name }) => name !== 'sort' && query[name] !== undefined);
  const { shown, menu } = useColumns('attention', FULL);
  const item = data?.items.find((each) => each.item === open);
  const rows = rowsOf(data?.items ?? [], query['kind']);
  const go = (row: Row) => route(addressOfRow(row, query));
  const openItem = (next: Item) => go({ kind: 'item', item: next });
  const items = inOrder(rows);
  const left = useLeft(items, item, `${open ?? ''} ${JSON.stringify(query)}`);
  return (
    <>
      <header class="heading">
        <h1>Needs attention</h1>
        {open === undefined ? menu : null}
      </header>
      <Filters of={FILTERS} />
      <div class={open === undefined ? 'list-only' : 'list-detail'}>
        <div>
          <Pages what="what needs attention" page={page}>
            {() => (
              <Table
                label="what needs attention"
                rows={rows}
                columns={open === undefined ? shown : COMPACT}
                keyOf={(row) => (row.kind === 'group' ? `all ${row.of}` : row.item.item)}
                onOpen={go}
                isOpen={(row) => row.kind === 'item' && row.item.item === open}
                empty={
                  isFiltered
                    ? 'No open item matches. Clear a filter to see more.'
                    : 'Nothing needs attention. What dueday cannot settle by itself appears here.'
                }
              />
            )}
          </Pages>
        </div>
        {open === undefined ? null : (
          <section class="detail" aria-label="Open item">
            {item === undefined && left === null && data !== undefined ? (
              <Empty>This item is not on this page of the list. It may be closed.</Empty>
            ) : null}
            {left === null ? null : <LeftList {...left} onNext={openItem} />}
            {item === undefined ? null : (
              <ItemDetail
                key={item.item}
                item={item}
                next={nextOf(items, item)}
                listed={data?.items ?? []}
                onNext={openItem}
              />
            )}
          </section>
        )}
      </div>
    </>
  );
}

/** The item below the open one; null for the last one. */
function nextOf(items: readonly Item[], { item }: Item): Item | null {
  return items[items.findIndex((each) => each.item === item) + 1] ?? null;
}

interface Seen {
  readonly item: Item;
  readonly next: Item | null;
  /** Its address, with the filters: with other filters it may be missing although it is open. */
  readonly at: string;
}

/**
 * The open item after it has left the list, and the item that was below it, else the first. Null while it is listed,
 * or if this page has not shown it.
 */
function useLeft(items: readonly Item[], item: Item | undefined, at: string): Pick<Seen, 'item' | 'next'> | null {
  const seen = useRef<Seen | null>(null);
  if (item !== undefined) seen.current = { item, next: nextOf(items, item), at };
  const last = seen.current;
  if (item !== undefined || last === null || last.at !== at) return null;
  const next = items.find((each) => each.item === last.next?.item) ?? items[0] ?? null;
  return { item: last.item, next };
}
