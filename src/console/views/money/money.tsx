import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { api, ask } from '../../client';
import { now, words } from '../../format';
import { type Column, Instant, Money as Amount, StatusBadge } from '../../parts';
import { dayFrom, fromDay, throughDay, useAddress } from '../common/address';
import { type Filter, Filters } from '../common/filters';
import { Listing } from '../common/listing';
import type { PageOf, QueryOf, Transaction } from '../common/schemas';
import { CsvButton } from './csv-button';
import { Days } from './days';

const FILTERS: readonly Filter[] = [
  { kind: 'day', name: 'from', label: 'From' },
  { kind: 'day', name: 'to', label: 'Through' },
  { kind: 'choice', name: 'type', label: 'Type', values: ['debit', 'capture', 'refund'] },
  { kind: 'choice', name: 'status', label: 'Status', values: ['pending', 'successful', 'failed'] },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
  { kind: 'text', name: 'reference', label: 'Payer’s reference' },
];

const DAYS_SHOWN = 29;

/** Totals by day, and every movement of money; both of the span that the address names, of 30 days where it names none. */
export default function Money() {
  const { query } = useAddress();
  const today = dayFrom(now(), 0);
  const from = query['from'] ?? dayFrom(Date.parse(`${today}T00:00:00Z`), -DAYS_SHOWN);
  const to = query['to'] ?? today;
  const asked: QueryOf<'listTransactions'> = {
    from: fromDay(from),
    to: throughDay(to),
    type: query['type'] as Transaction['type'] | undefined,
    status: query['status'] as Transaction['status'] | undefined,
    subscriptionId: query['subscriptionId'],
    paymentId: query['paymentId'],
    reference: query['reference'],
  };
  const listed = { ...asked, cursor: query['cursor'] };
  const page = useQuery({
    queryKey: ['transactions', listed],
    queryFn: async ({ signal }) => {
      const answer = await ask(api.GET('/v1/transactions', { params: { query: listed }, signal }));
      // A text only where CSV was asked for.
      return answer as PageOf<Transaction>;
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>Money</h1>
      <Filters of={FILTERS} />
      <Days from={asked.from ?? ''} to={asked.to ?? ''} />
      <h2>Movements</h2>
      <CsvButton of={asked} />
      <Listing
        what="movements of money"
        page={page}
        columns={COLUMNS}
        keyOf={({ transactionId }) => transactionId}
        empty="No money moved like this."
      />
    </>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  { head: 'Type', cell: ({ type }) => <span class="word">{type}</span> },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Amount', cell: ({ amount }) => <Amount of={amount} />, align: 'end' },
  { head: 'Booked', cell: ({ bookedAt }) => (bookedAt === null ? '–' : <Instant at={bookedAt} />) },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Plan', cell: ({ plan }) => <span class="word">{words(plan).toLowerCase()}</span> },
  { head: 'Of', cell: (transaction) => <Of of={transaction} /> },
  { head: 'Reference', cell: ({ reference }) => <span class="breaks">{reference}</span> },
  { head: 'Detail', cell: ({ detail }) => <span class="breaks">{detail}</span> },
];

function Of({ of: { subscriptionId, paymentId, cycle, attempt } }: { readonly of: Transaction }) {
  if (subscriptionId === undefined) return <a href={`/payments/${paymentId}`}>{paymentId}</a>;
  const where = cycle === undefined ? '' : `, cycle ${cycle}`;
  return (
    <>
      <a href={`/subscriptions/${subscriptionId}`}>{subscriptionId}</a>
      {where}
      {attempt === undefined || attempt === 0 ? '' : `, retry ${attempt}`}
    </>
  );
}
