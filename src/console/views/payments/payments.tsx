import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useRoute } from 'preact-iso';
import { PAYMENT_PLANS, PAYMENT_STATUSES } from '../../../domain/payment/payment';
import { api, ask } from '../../client';
import { hoursLeft, now, words } from '../../format';
import { type Column, Instant, Money, StatusBadge } from '../../parts';
import { fromDay, throughDay, useAddress } from '../common/address';
import { Metadata } from '../common/facts';
import { type Filter, Filters, SORT_FILTER } from '../common/filters';
import { Listing } from '../common/listing';
import { pairsOf } from '../common/typed';
import type { Payment, QueryOf } from '../common/schemas';
import { PaymentDetail } from './payment-detail';

/** One-time payments, or the one that the address names. */
export default function Payments() {
  const id = useRoute().params['id'];
  return id === undefined || id === '' ? <List /> : <PaymentDetail id={id} />;
}

const FILTERS: readonly Filter[] = [
  { kind: 'search', name: 'q', label: 'Search', hint: 'id, reference, name or e-mail' },
  { kind: 'choice', name: 'status', label: 'Status', values: PAYMENT_STATUSES },
  { kind: 'choice', name: 'plan', label: 'Plan', values: PAYMENT_PLANS },
  { kind: 'day', name: 'dueFrom', label: 'Capture from' },
  { kind: 'day', name: 'dueTo', label: 'Capture through' },
  { kind: 'text', name: 'metadata', label: 'Metadata', hint: 'shop=north' },
  SORT_FILTER,
];

function List() {
  const { query } = useAddress();
  const asked: QueryOf<'listPayments'> = {
    q: query['q'],
    status: query['status'] as Payment['status'] | undefined,
    plan: query['plan'] as Payment['plan'] | undefined,
    dueFrom: fromDay(query['dueFrom']),
    dueTo: throughDay(query['dueTo']),
    metadata: pairsOf(query['metadata']),
    sort: query['sort'] as QueryOf<'listPayments'>['sort'],
    cursor: query['cursor'],
  };
  const page = useQuery({
    queryKey: ['payments', asked],
    queryFn: ({ signal }) => ask(api.GET('/v1/payments', { params: { query: asked }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Payments</h1>
      <Filters of={FILTERS} />
      <Listing
        what="payments"
        page={page}
        columns={COLUMNS}
        keyOf={({ paymentId }) => paymentId}
        hrefOf={({ paymentId }) => `/payments/${paymentId}`}
        empty="No one-time payment is like this."
      />
    </>
  );
}

const COLUMNS: readonly Column<Payment>[] = [
  { head: 'Payment', cell: ({ paymentId }) => <span class="breaks">{paymentId}</span> },
  { head: 'Plan', cell: ({ plan }) => <span class="word">{words(plan).toLowerCase()}</span> },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Left to capture', cell: ({ remaining }) => <Money of={remaining} />, align: 'end' },
  { head: 'Capture by', cell: (payment) => <CaptureBy of={payment} /> },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Metadata', cell: ({ metadata }) => <Metadata of={metadata} /> },
];

/** Only money that can still be captured has a deadline that counts. */
function CaptureBy({ of: { captureBy, remaining } }: { readonly of: Payment }) {
  if (captureBy === undefined) return <>–</>;
  return (
    <>
      <Instant at={captureBy} /> {remaining.value > 0 ? <strong>({hoursLeft(captureBy, now())})</strong> : null}
    </>
  );
}
