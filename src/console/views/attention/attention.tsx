import { useLocation, useRoute } from 'preact-iso';
import { Empty, Table, useColumns } from '../../parts';
import { useAddress } from '../common/address';
import { useAnswer, useStill } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Pages } from '../common/listing';
import type { Attention as Item } from '../common/schemas';
import { COMPACT, FULL, labelOf } from './columns';
import { addressOfRow, type Row, rowsOf } from './groups';
import { ItemDetail } from './item-detail';

const NOBODY = 'nobody';

const FILTERS: FiltersOf<'listAttention'> = [
  { kind: 'text', name: 'kind', label: 'Kind', hint: 'unresolved' },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
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
  const { shown, menu } = useColumns('attention', FULL);
  const item = data?.items.find((each) => each.item === open);
  const rows = rowsOf(data?.items ?? [], query['kind']);
  const go = (row: Row) => route(addressOfRow(row, query));
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
                empty="Nothing needs attention. What dueday cannot settle by itself appears here."
              />
            )}
          </Pages>
        </div>
        {open === undefined ? null : (
          <section class="detail" aria-label="Open item">
            {item === undefined && data !== undefined ? (
              <Empty>This item is not on this page of the list. It may be closed.</Empty>
            ) : null}
            {item === undefined ? null : (
              <ItemDetail
                key={item.item}
                item={item}
                next={nextOf(rows, item)}
                listed={data?.items ?? []}
                onNext={go}
              />
            )}
          </section>
        )}
      </div>
    </>
  );
}

/** The row below the open one. */
function nextOf(rows: readonly Row[], { item }: Item): { readonly row: Row; readonly label: string } | null {
  const at = rows.findIndex((row) => row.kind === 'item' && row.item.item === item);
  const row = rows[at + 1];
  return at === -1 || row === undefined ? null : { row, label: labelOf(row) };
}
