import { useRoute } from 'preact-iso';
import { PAYMENT_PLANS, PAYMENT_STATUSES } from '../../../domain/payment/payment';
import { words } from '../../format';
import { type ChosenColumn, Instant, Money, StatusBadge, useColumns } from '../../parts';
import { fromDay, pathTo, throughDay, useAddress } from '../common/address';
import { useAnswer } from '../common/answers';
import { Metadata, Named } from '../common/facts';
import { Filters, type FiltersOf, SORT_FILTER, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import { pairsOf } from '../common/typed';
import type { Payment } from '../common/schemas';
import { CaptureBy, PaymentDetail } from './payment-detail';

/** The list of one-time payments, or the payment in the address. */
export default function Payments() {
  const id = useRoute().params['id'];
  return id === undefined || id === '' ? <List /> : <PaymentDetail id={id} />;
}

const FILTERS: FiltersOf<'listPayments'> = [
  { kind: 'search', name: 'q', label: 'Search', hint: 'id, reference, name or e-mail' },
  { kind: 'choice', name: 'status', label: 'Status', values: PAYMENT_STATUSES },
  { kind: 'choice', name: 'plan', label: 'Plan', values: PAYMENT_PLANS },
  { kind: 'day', name: 'dueFrom', label: 'Capture deadline from', read: fromDay },
  { kind: 'day', name: 'dueTo', label: 'Capture deadline through', read: throughDay },
  { kind: 'text', name: 'metadata', label: 'Metadata', hint: 'shop=north', read: pairsOf },
  SORT_FILTER,
];

function List() {
  const address = useAddress().query;
  const isAny = FILTERS.some(({ name }) => address[name] !== undefined && name !== 'sort');
  const query = usePageQuery<'listPayments'>(FILTERS);
  const page = useAnswer(['payments'], '/v1/payments', { query }, { keepsPrevious: true });
  const { shown, menu } = useColumns('payments', COLUMNS);
  return (
    <>
      <header class="heading">
        <h1>Payments</h1>
        {menu}
      </header>
      <Filters of={FILTERS} />
      <Listing
        what="payments"
        page={page}
        columns={shown}
        keyOf={({ paymentId }) => paymentId}
        hrefOf={({ paymentId }) => pathTo('payments', paymentId)}
        empty={isAny ? 'No one-time payment matches. Clear a filter to see more.' : 'There is no one-time payment yet.'}
      />
    </>
  );
}

const COLUMNS: readonly ChosenColumn<Payment>[] = [
  { head: 'Payer', cell: ({ payer, paymentId }) => <Named payer={payer} id={paymentId} />, isFixed: true },
  { head: 'Plan', cell: ({ plan }) => <span class="word">{words(plan).toLowerCase()}</span> },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Left to capture', cell: ({ remaining }) => <Money of={remaining} />, align: 'end' },
  { head: 'Capture by', cell: (payment) => <CaptureBy of={payment} /> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Metadata', cell: ({ metadata }) => <Metadata of={metadata} /> },
];
