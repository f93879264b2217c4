import type { RefundInput, RefundResult } from '../src/contract/refunds';
import { latestRefundSend, type RefundSendRecord } from '../src/ledger';
import type { Dependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';
import { pollRefund } from './poll-refund';
import { reconcileRefund } from './reconcile-refund';
import type { Refunding, RefundPhase } from './refunding';
import { sendRefund } from './send-refund';

/**
 * One refund whole, safe to run any number of times: the ledger's row says how far it came, and a row without an outcome
 * is asked about, never sent again (decisions 16, 18).
 * @param scheduledAt real time at which the workflow asked for it, epoch ms
 */
export function refundPayment(deps: Dependencies, input: RefundInput, scheduledAt: number): Promise<RefundResult> {
  const age = () => deps.clock.realNow() - scheduledAt;
  return withHeartbeat((progress) => refund({ deps, input, progress, age }));
}

async function refund(refunding: Refunding): Promise<RefundResult> {
  for (;;) {
    const phase = await nextPhase(refunding);
    if (phase.kind !== 'moved') return phase;
  }
}

/** Takes the refund on from where its row stands. */
async function nextPhase(refunding: Refunding): Promise<RefundPhase> {
  const row = await latestRefundSend(refunding.deps.ledger, refunding.input.refundId);
  switch (row?.state) {
    case undefined:
    case 'not_sent':
      return sendRefund(refunding);
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return reconcileRefund(refunding, row);
    case 'pending':
      return pollRefund(refunding, row);
    case 'successful':
    case 'failed':
      return storedRefund(row);
  }
}

/** The outcome that the ledger holds, as the workflow hears it, however often it asks. */
function storedRefund(row: RefundSendRecord): RefundResult {
  const { serviceRefundId, detail, description } = row;
  if (row.state === 'successful' && serviceRefundId !== null) {
    return { kind: 'successful', serviceRefundId, at: row.serviceCreatedAt ?? row.outcomeAt ?? row.at };
  }
  return { kind: 'failed', detail: detail ?? 'UNKNOWN', description: description ?? '' };
}
