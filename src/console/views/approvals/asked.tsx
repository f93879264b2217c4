import { words } from '../../format';
import { Money } from '../../parts';
import { Facts, Id } from '../common/facts';
import type { Approval } from '../common/schemas';

export interface OfApproval {
  readonly of: Approval;
}

/** The request that waits, beside its amount. */
export function What({ of: { approvalId, call, facts } }: OfApproval) {
  return (
    <>
      <code>{call}</code>
      <Facts of={Object.entries(facts).map(([name, value]) => [words(name), said(value)])} />
      <Id of={approvalId} />
    </>
  );
}

/** The whole of it, where somebody decides on it. */
export function Asked({ of }: OfApproval) {
  const { amount } = of;
  return (
    <>
      {amount === undefined ? null : <Facts of={[['Amount', <Money of={amount} />]]} />}
      <What of={of} />
    </>
  );
}

/** A value of any form, as text. */
export function said(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
