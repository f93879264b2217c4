import { utcDay, withAmounts, words } from '../../format';
import { type ChosenColumn, CsvButton, Instant, Money as Amount, StatusBadge, useColumns } from '../../parts';
import { fromDay, throughDay } from '../common/address';
import { useAnswer } from '../common/answers';
import { isShort, Subject } from '../common/facts';
import { Filters, type FiltersOf, usePageQuery } from '../common/filters';
import { Listing } from '../common/listing';
import { pastRanges } from '../common/periods';
import { Ranges } from '../common/ranges';
import type { Transaction } from '../common/schemas';
import { Compared } from './compared';
import { type CsvName, readAll, readCsv } from './csv';
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

const DAYS_BACK = 29;

/** Totals by day, and every transaction; for the period in the address, by default 30 days. */
export default function Money() {
  const {
    from = fromDay(utcDay(-DAYS_BACK)),
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
  const { shown, menu } = useColumns('transactions', COLUMNS);
  return (
    <>
      <h1>Transactions</h1>
      <Ranges of={pastRanges()} from={from} to={to} />
      <Filters of={FILTERS} />
      <Days from={from} to={to} />
      <Compared from={from} to={to} />
      <header class="heading">
        <h2>All transactions</h2>
        <span class="row-actions">
          {menu}
          <CsvButton
            name="transactions.csv"
            read={() =>
              readCsv(
                filter,
                shown.flatMap(({ csv }) => csv),
              )
            }
          />
          <CsvButton name="transactions-all-columns.csv" label="All columns as CSV" read={() => readAll(filter)} />
        </span>
      </header>
      <Listing
        what="transactions"
        page={page}
        columns={shown}
        keyOf={({ transactionId }) => transactionId}
        empty="No transaction matches. Clear a filter or widen the dates."
      />
    </>
  );
}

interface TransactionColumn extends ChosenColumn<Transaction> {
  /** The columns of the CSV file that contain its values. */
  readonly csv: readonly CsvName[];
}

const COLUMNS: readonly TransactionColumn[] = [
  {
    head: 'Type',
    cell: ({ type }) => <span class="word">{type}</span>,
    isFixed: true,
    csv: ['transactionId', 'type'],
  },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} />, csv: ['status'] },
  {
    head: 'Amount',
    cell: ({ amount }) => <Amount of={amount} />,
    align: 'end',
    csv: ['amount', 'currency', 'amountDecimal'],
  },
  {
    head: 'Booked',
    cell: ({ bookedAt }) => (bookedAt === null ? '–' : <Instant at={bookedAt} />),
    csv: ['bookedAt'],
  },
  { head: 'Created', cell: ({ createdAt }) => <Instant at={createdAt} />, csv: ['createdAt'] },
  { head: 'Plan', cell: ({ plan }) => <span class="word">{words(plan).toLowerCase()}</span>, csv: ['plan'] },
  {
    head: 'For',
    cell: (transaction) => (
      <>
        <Subject of={transaction} />
        {transaction.attempt ? `, retry ${transaction.attempt}` : ''}
      </>
    ),
    csv: ['subscriptionId', 'paymentId', 'cycle', 'attempt'],
  },
  {
    head: 'Reference',
    cell: ({ reference }) => reference && <span class={isShort(reference) ? 'number' : undefined}>{reference}</span>,
    csv: ['reference'],
  },
  { head: 'Detail', cell: ({ detail }) => <Detail of={detail} />, csv: ['detail'] },
  {
    head: 'Reversed elsewhere',
    cell: ({ reversedAt, advice }) =>
      reversedAt === undefined ? null : (
        <>
          <Instant at={reversedAt} /> <strong>{advice === undefined ? null : withAmounts(advice)}</strong>
        </>
      ),
    csv: ['reversedAt', 'reversedAmount', 'reversedAmountDecimal', 'advice'],
  },
];

/** A code of the payment service: broken only at its underscores. */
function Detail({ of }: { readonly of: Transaction['detail'] }) {
  if (of == null) return null;
  const [first, ...rest] = of.split('_');
  return (
    <span class="coded">
      {first}
      {rest.map((word) => (
        <>
          _<wbr />
          {word}
        </>
      ))}
    </span>
  );
}
