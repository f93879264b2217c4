import { useLocation, useRoute } from 'preact-iso';
import { hoursLeft, now } from '../../format';
import { type Column, Empty, Instant, Money } from '../../parts';
import { addressOf, useAddress } from '../common/address';
import { useAnswer, useStill } from '../common/answers';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import { pathTo } from '../common/paths';
import type { Attention as Item } from '../common/schemas';
import { ItemDetail } from './item-detail';

const NOBODY = 'nobody';

const FILTERS: FiltersOf<'listAttention'> = [
  { kind: 'text', name: 'kind', label: 'Kind', hint: 'unresolved' },
  // The API's word for items without an assignee is an empty one, which no address keeps.
  { kind: 'text', name: 'assignee', label: 'Assignee', hint: NOBODY, read: (name) => (name === NOBODY ? '' : name) },
  {
    kind: 'choice',
    name: 'sort',
    label: 'Order',
    values: ['since', 'deadline', '-amount'],
    none: 'newest first',
    says: { since: 'oldest first', deadline: 'deadline soonest first', '-amount': 'largest amount first' },
  },
];

/** What waits for a person: the list, and beside it the one that is open. */
export default function Attention() {
  const { query } = useAddress();
  const { route } = useLocation();
  const open = useRoute().params['item'];
  const asked = usePageQuery<'listAttention'>(FILTERS);
  const page = useAnswer(['attention'], '/v1/attention', { query: asked }, { keepsPrevious: true });
  const shown = useStill(page.data);
  const item = shown?.items.find((each) => each.item === open);
  return (
    <>
      <h1>Attention</h1>
      <Filters of={FILTERS} />
      <div class={open === undefined ? 'list-only' : 'list-detail'}>
        <div>
          <Listing
            what="what waits for a person"
            page={page}
            columns={COLUMNS}
            keyOf={(each) => each.item}
            onOpen={(each) => route(addressOf(pathTo('attention', each.item), query))}
            isOpen={(each) => each.item === open}
            empty="Nothing waits for a person."
          />
        </div>
        {open === undefined ? null : (
          <section class="detail" aria-label="The open item">
            {item === undefined && shown !== undefined ? (
              <Empty>This item is not on this page of the list. It may be over.</Empty>
            ) : null}
            {item === undefined ? null : <ItemDetail key={item.item} item={item} />}
          </section>
        )}
      </div>
    </>
  );
}

const COLUMNS: readonly Column<Item>[] = [
  { head: 'What', cell: ({ title }) => title },
  {
    head: 'About',
    cell: ({ subscriptionId, paymentId, endpointId }) =>
      subscriptionId ?? paymentId ?? endpointId ?? 'the installation',
  },
  { head: 'Amount', cell: ({ amount }) => (amount === null ? '–' : <Money of={amount} />), align: 'end' },
  { head: 'Since', cell: ({ since }) => <Instant at={since} /> },
  { head: 'Time left', cell: ({ deadline }) => (deadline === null ? 'no end' : <Left until={deadline} />) },
  { head: 'Assignee', cell: ({ assignee }) => assignee ?? 'nobody' },
];

function Left({ until }: { readonly until: string }) {
  return <span title={until}>{hoursLeft(until, now())}</span>;
}
