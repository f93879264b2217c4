import { type Column, Instant, Money, Table } from '../../parts';
import { pathTo } from '../common/address';
import { useAnswer } from '../common/answers';
import { Status } from '../common/facts';
import { othersOf } from '../common/subscription';
import type { Subscription } from '../common/schemas';

/** Maximum number of subscriptions that are read. */
const MAX_OTHERS = 50;

interface OthersProps {
  readonly of: Subscription;
  /** The payer's reference. */
  readonly reference: string;
}

/** The other subscriptions of the same payer, identified by the merchant's reference; nothing if there are none. */
export function Others({ of: { subscriptionId }, reference }: OthersProps) {
  const query = { q: reference, limit: MAX_OTHERS };
  const { data } = useAnswer(['subscriptions'], '/v1/subscriptions', { query });
  const others = othersOf(data?.items ?? [], subscriptionId, reference);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others-heading">
      <h2 id="others-heading">Other subscriptions of this payer</h2>
      <Table
        label="Other subscriptions of this payer"
        rows={others}
        columns={COLUMNS}
        keyOf={(each) => each.subscriptionId}
        hrefOf={(each) => pathTo('subscriptions', each.subscriptionId)}
        empty="None."
      />
    </section>
  );
}

const COLUMNS: readonly Column<Subscription>[] = [
  { head: 'Subscription', cell: ({ subscriptionId }) => subscriptionId },
  { head: 'Amount', cell: ({ amount }) => <Money of={amount} />, align: 'end' },
  { head: 'Status', cell: (subscription) => <Status of={subscription} /> },
  { head: 'Next due', cell: ({ nextDueAt }) => (nextDueAt === null ? '–' : <Instant at={nextDueAt} />) },
];
