import { getRefund, type OrderRefundResult, type RefundRecord } from '../ledger';
import type { AdminDeps } from './admin-deps';
import { Problem } from './problems';
import { refundStatus } from './views/refund-view';

/** The refund as it stands once its workflow runs, after a short while. @throws Problem where there is none. */
export async function carryOutRefund(deps: AdminDeps, result: OrderRefundResult): Promise<RefundRecord> {
  const refund = requireOrdered(result);
  if (refundStatus(refund) !== 'pending') return refund;
  const { kind } = await deps.refunds.run(refund);
  if (kind === 'not_ready') throw orderedAndToCome('refund');
  return (await getRefund(deps.db, refund.refundId)) ?? refund;
}

/** What the ledger has ordered is not lost: see orders-left-behind. */
export function orderedAndToCome(what: 'refund' | 'capture'): Problem {
  return new Problem(
    'not_ready',
    `The ${what} is ordered and will be made; repeat the request with the same Idempotency-Key to hear of it.`,
  );
}

function requireOrdered(result: OrderRefundResult): RefundRecord {
  switch (result.kind) {
    case 'ordered':
    case 'exists':
      return result.refund;
    case 'reused':
      throw new Problem('idempotency_key_reused', 'This key was used for another refund.');
    case 'refused': {
      const { message, rule, highestAllowed } = result;
      throw new Problem('refund_not_allowed', message, { rule, highestAllowed });
    }
  }
}
