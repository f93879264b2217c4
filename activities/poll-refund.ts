import type { RefundSendRecord } from '../src/ledger';
import { type ApplicationFailure } from '@temporalio/common';
import { growingPause, tryAgain } from './failures';
import { recordRefund, REFUND_MOVED, type Refunding, type RefundPhase } from './refunding';
import { describe, retryAfter } from './service-answers';

/** Asks until the refund is final. Pending is never sent again or counted as failed, however long it takes (decisions 10, 18). */
export async function pollRefund(refunding: Refunding, row: RefundSendRecord): Promise<RefundPhase> {
  const { deps, input, progress } = refunding;
  const { serviceRefundId } = row;
  progress('refund', { serviceRefundId });
  const listed = await deps.service.listRefunds(input.paymentId);
  if (listed.kind !== 'accepted') throw stillPending(refunding, row, describe(listed), retryAfter(listed));
  const refund = listed.value.find((each) => each.refundId === serviceRefundId);
  switch (refund?.status) {
    case undefined:
      throw stillPending(refunding, row, 'the service does not list it');
    case 'pending':
      throw stillPending(refunding, row, 'the service says pending');
    case 'successful':
      await recordRefund(refunding, row, {
        state: 'successful',
        serviceRefundId: refund.refundId,
        createdAt: refund.createdAt,
      });
      return REFUND_MOVED;
    case 'failed': {
      const { refundId, createdAt, detail = 'REFUND_FAILED', description = '' } = refund;
      await recordRefund(refunding, row, {
        ...{ state: 'failed', detail, description },
        ...{ serviceRefundId: refundId, createdAt },
      });
      return REFUND_MOVED;
    }
  }
}

function stillPending(refunding: Refunding, row: RefundSendRecord, why: string, atLeast = 0): ApplicationFailure {
  const age = refunding.deps.clock.realNow() - row.sendingRealAt;
  const message = `refund ${row.serviceRefundId ?? ''}: ${why}`;
  return tryAgain('pending', message, Math.max(growingPause(age), atLeast));
}
