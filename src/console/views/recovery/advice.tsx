import { count, money } from '../../format';
import { type Column, Table } from '../../parts';
import { Shown, useAnswer } from '../common/answers';
import type { RetryAdvice } from '../common/schemas';
import { ofHowMany } from './rate';

type Offset = RetryAdvice['items'][number];

/** The probable results of retries at other times, from what is known of the declined cycles. */
export function Advice({ from, to }: { readonly from: string; readonly to: string }) {
  const report = useAnswer(['reports'], '/v1/reports/retry-advice', { query: { from, to } });
  return (
    <section aria-labelledby="advice-heading">
      <h2 id="advice-heading">Other times for a retry</h2>
      <p class="hint">
        What your past retries suggest about retrying at other times. Each row counts the payments that the bank
        declined at first. “Collected by then”: a retry had collected the payment within that many hours of the first
        decline. “Still declined”: an attempt at that time or later was declined. “Not known”: no attempt was made at a
        time that shows either. This is an estimate; with few payments it means little.
      </p>
      <Shown what="other times for a retry" of={report}>
        {({ items, refused }) => (
          <Table
            label="Other times for a retry"
            rows={refused.count === 0 ? [] : items}
            columns={COLUMNS}
            keyOf={({ offsetHours }) => String(offsetHours)}
            empty="No cycle of this period was declined in a way that allows a retry."
          />
        )}
      </Shown>
    </section>
  );
}

const COLUMNS: readonly Column<Offset>[] = [
  { head: 'After the first decline', cell: ({ offsetHours }) => `${count(offsetHours)} h` },
  { head: 'Collected by then', cell: ({ met }) => figure(met), align: 'end' },
  { head: 'Still declined', cell: ({ refused }) => figure(refused), align: 'end' },
  { head: 'Not known', cell: ({ unknown }) => figure(unknown), align: 'end' },
  {
    head: 'Share collected by then',
    cell: ({ met, refused, unknown }) => ofHowMany(met.count, met.count + refused.count + unknown.count),
    align: 'end',
  },
  {
    head: 'Retries made within 3 hours of that time',
    cell: ({ tried, collected }) => (tried === 0 ? '–' : `${count(collected)} of ${count(tried)} collected`),
    align: 'end',
  },
];

function figure({ amount, count: n }: Offset['met']): string {
  return n === 0 ? '–' : `${money(amount)} (${count(n)})`;
}
