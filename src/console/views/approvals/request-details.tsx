import { asText, words } from '../../format';
import { Money } from '../../parts';
import { Facts, Id } from '../common/facts';
import type { Approval } from '../common/schemas';

export interface OfApproval {
  readonly of: Approval;
}

/** The request that awaits approval, without its amount. */
export function RequestSummary({ of: { approvalId, call, facts } }: OfApproval) {
  return (
    <>
      <code>{call}</code>
      <Facts of={Object.entries(facts).map(([name, value]) => [words(name), asText(value)])} />
      <Id of={approvalId} />
    </>
  );
}

/** Everything about the request, for the decision. */
export function RequestDetails({ of }: OfApproval) {
  const { amount } = of;
  return (
    <>
      {amount === undefined ? null : <Facts of={[['Amount', <Money of={amount} />]]} />}
      <RequestSummary of={of} />
    </>
  );
}
