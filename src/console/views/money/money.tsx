import { api, ask } from '../../client';
import { utcDay, words } from '../../format';
import { type Column, CsvButton, Instant, Money as Amount, StatusBadge } from '../../parts';
import { fromDay, throughDay } from '../common/address';
import { useAnswer } from '../common/answers';
import { Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import { pastRanges } from '../common/periods';
import { Ranges } from '../common/ranges';
import type { QueryOf, Transaction } from '../common/schemas';
import { Compared } from './compared';
import { Days } from './days';

const FILTERS: FiltersOf<'listTransactions'> = [
  { kind: 'day', name: 'from', label: 'From', read: fromDay },
  { kind: 'day', name: 'to', label: 'Through', read: throughDay },
  { kind: 'choice', name: 'type', label: 'Type', values: ['debit', 'capture', 'refund'] },
  { kind: 'choice', name: 'status', label: 'Status', values: ['pending', 'successful', 'failed'] },
  { kind: 'text', name: 'subscriptionId', label: 'Subscription' },
  { kind: 'text', name: 'paymentId', label: 'Payment' },
  { kind: 'text', name: 'reference', label: 'Payer’s reference' },
  {
    kind: 'choice',
    name: 'reversed',
    label: 'Reversed elsewhere',
    values: ['true', 'false'],
    says: { true: 'yes', false: 'no' },
  },
];

const DAYS_SHOWN = 29;

/** Totals by day, and every transaction; for the period in the address, by default 30 days. */
export default function Money() {
  const {
    from = fromDay(utcDay(-DAYS_SHOWN)),
    to = throughDay(utcDay()),
    cursor,
    ...chosen
  } = usePageQuery<'listTransactions'>(FILTERS);
  const filter = { ...chosen, from, to };
  const page = useAnswer(
    ['transactions'],
    '/v1/transactions',
    { query: { ...filter, cursor } },
    { keepsPrevious: true },
  );
  return (
    <>
      <h1>Transactions</h1>
      <Ranges of={pastRanges()} from={from} to={to} />
      <Filters of={FILTERS} />
      <Days from={from} to={to} />
      <Compared from={from} to={to} />
      <h2>All transactions</h2>
      <p>
        <CsvButton name="transactions.csv" read={() => readCsv(filter)} />
      </p>
      <Listing
        what="transactions"
        page={page}
        columns={COLUMNS}
        keyOf={({ transactionId }) => transactionId}
        empty="No transaction matches. Clear a filter or widen the dates."
      />
    </>
  );
}

/** By a request, because a link cannot set the Accept header. */
function readCsv(query: QueryOf<'listTransactions'>): Promise<BlobPart> {
  return ask(api.GET('/v1/transactions', { params: { query }, headers: { accept: 'text/csv' }, parseAs: 'blob' }));
}

const COLUMNS: readonly Column<Transaction>[] = [
  { head: 'Type', cell: ({ type }) => <span class="word">{type}</span> },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Amount', cell: ({ amount }) => <Amount of={amount} />, align: 'end' },
  { head: 'Booked', cell: ({ bookedAt }) => (bookedAt === null ? '–' : <Instant at={bookedAt} />) },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} /> },
  { head: 'Plan', cell: ({ plan }) => <span class="word">{words(plan).toLowerCase()}</span> },
  {
    head: 'For',
    cell: (transaction) => (
      <>
        <Subject of={transaction} />
        {transaction.attempt ? `, retry ${transaction.attempt}` : ''}
      </>
    ),
  },
  { head: 'Reference', cell: ({ reference }) => reference },
  { head: 'Detail', cell: ({ detail }) => detail },
  {
    head: 'Reversed elsewhere',
    cell: ({ reversedAt, advice }) =>
      reversedAt === undefined ? null : (
        <>
          <Instant at={reversedAt} /> <strong>{advice}</strong>
        </>
      ),
  },
];
