import { toIso } from '../../domain/time';
import type { RefundRecord } from '../../ledger';
import type { RefundOut } from '../schemas/refund';
import { named } from './fields';

export function viewRefund(record: RefundRecord): RefundOut {
  return {
    refundId: record.refundId,
    ...named('cycle', record.cycle),
    amount: record.amount,
    status: refundStatus(record),
    ...named('reason', record.reason),
    createdAt: toIso(record.createdAt),
    captureId: record.captureId,
    ...named('detail', record.state === 'failed' ? record.detail : null),
    ...named('description', record.state === 'failed' ? record.description : null),
  };
}

/** The wire knows fewer words than the ledger: whatever is not final is pending, and is seen to until it is. */
export function refundStatus({ state }: RefundRecord): RefundOut['status'] {
  return state === 'successful' || state === 'failed' ? state : 'pending';
}
