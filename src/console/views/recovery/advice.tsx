import { count, money, share } from '../../format';
import { type Column, Table } from '../../parts';
import { Shown, useAnswer } from '../common/answers';
import type { RetryAdvice } from '../common/schemas';

type Offset = RetryAdvice['items'][number];

/** The probable results of retries at other times, from what is known of the declined cycles. */
export function Advice({ from, to }: { readonly from: string; readonly to: string }) {
  const report = useAnswer(['reports'], '/v1/reports/retry-advice', { query: { from, to } });
  return (
    <section aria-labelledby="advice-heading">
      <h2 id="advice-heading">Other times for a retry</h2>
      <p class="hint">
        For each number of hours after the bank first declined: the cycles that a retry had collected by then, those
        that were still declined then, and those for which neither is known.
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
  { head: 'Hours after the first decline', cell: ({ offsetHours }) => count(offsetHours) },
  { head: 'Would be collected', cell: ({ met }) => figure(met), align: 'end' },
  { head: 'Would be declined', cell: ({ refused }) => figure(refused), align: 'end' },
  { head: 'Not known', cell: ({ unknown }) => figure(unknown), align: 'end' },
  {
    head: 'Share collected',
    cell: ({ met, refused }) => share(met.count, met.count + refused.count),
    align: 'end',
  },
  {
    head: 'Tried then',
    cell: ({ tried, collected }) => (tried === 0 ? '–' : `${count(collected)} of ${count(tried)} collected`),
    align: 'end',
  },
];

function figure({ amount, count: n }: Offset['met']): string {
  return n === 0 ? '–' : `${money(amount)} (${count(n)})`;
}
