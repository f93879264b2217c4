import { withAmounts } from '../../format';
import { may } from '../../session';
import { useAnswer } from '../common/answers';

interface ReversedElsewhereProps {
  readonly of: { readonly subscriptionId: string } | { readonly paymentId: string };
  /** The service's ids of the debits that could be refunded; null for every debit of the payment. */
  readonly captures: readonly (string | undefined)[] | null;
}

/** Warns, before a refund, that the debit was reversed outside dueday; empty if the user may not read transactions. */
export function ReversedElsewhere({ of, captures }: ReversedElsewhereProps) {
  const query = { ...of, reversed: 'true', limit: 200 } as const;
  const { data, error } = useAnswer(
    ['transactions'],
    '/v1/transactions',
    { query },
    { enabled: may('listTransactions') },
  );
  if (error !== null)
    return (
      <p class="hint">
        dueday could not check whether this debit was reversed elsewhere. See Transactions before you refund it.
      </p>
    );
  const reversed = (data?.items ?? []).filter(({ captureId }) => captures === null || captures.includes(captureId));
  return (
    <>
      {reversed.map(({ transactionId, advice }) => (
        <p key={transactionId}>
          <strong>{advice === undefined ? null : withAmounts(advice)}</strong>
        </p>
      ))}
    </>
  );
}
