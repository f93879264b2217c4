import { matchSentRefund } from '../src/domain/refund-rules';
import { knownRefunds, recordRefundLook, type RefundSendRecord } from '../src/ledger';
import { AGREEING_LOOKS, doubtBegins, untilNextLook } from './doubt';
import { growingPause, tryAgain } from './failures';
import { alertOfRefund, recordRefund, REFUND_MOVED, type Refunding, type RefundPhase } from './refunding';
import { describe, retryAfter } from './service-answers';

/** Sent, or perhaps sent, with an outcome that nobody knows: asks what became of it, and never sends (decisions 17, 18). */
export async function reconcileRefund(refunding: Refunding, row: RefundSendRecord): Promise<RefundPhase> {
  const { deps, input, progress } = refunding;
  if (row.state === 'sending') return markUnknown(refunding, row);
  progress('reconciling', { send: row.send });
  const listed = await deps.service.listRefunds(input.paymentId);
  if (listed.kind !== 'accepted') {
    const why = `the service cannot be asked: ${describe(listed)}`;
    const age = deps.clock.realNow() - row.sendingRealAt;
    if (age >= deps.settings.settle) await alertOfRefund(refunding, 'refunds.unreadable', { reason: why });
    throw tryAgain('outcome_unknown', why, Math.max(growingPause(age), retryAfter(listed)));
  }
  const { ids: otherIds } = await knownRefunds(deps.ledger, input.paymentId, input.refundId);
  const match = matchSentRefund(listed.value, row.captureId, { ...row, otherIds });
  switch (match.kind) {
    case 'found': {
      const { refundId: serviceRefundId, createdAt } = match.record;
      await recordRefund(refunding, row, { state: 'pending', serviceRefundId, createdAt });
      return REFUND_MOVED;
    }
    case 'unclear': {
      const ids = match.records.map((each) => each.refundId).join(', ');
      return unclear(refunding, row, `the service lists ${ids}, which do not fit`);
    }
    case 'absent':
      return absent(refunding, row);
  }
}

async function markUnknown(refunding: Refunding, row: RefundSendRecord): Promise<RefundPhase> {
  const { clock, settings } = refunding.deps;
  const sinceReal = doubtBegins(row.sendingRealAt, clock.realNow(), settings);
  await recordRefund(refunding, row, { state: 'unknown', reason: 'no outcome was recorded', sinceReal });
  return REFUND_MOVED;
}

/** For a person; the asking goes on, and while it lasts no other refund of the payment is sent (decisions 18). */
async function unclear(refunding: Refunding, row: RefundSendRecord, reason: string): Promise<RefundPhase> {
  await recordRefundLook(refunding.deps.ledger, row, { absent: false });
  if (row.state !== 'unresolved') await recordRefund(refunding, row, { state: 'unresolved', reason });
  throw tryAgain('outcome_unknown', reason, growingPause(refunding.age()));
}

/** Not there. Only after the settle time, and twice in a row, does that mean that it was never made. */
async function absent(refunding: Refunding, row: RefundSendRecord): Promise<RefundPhase> {
  const { deps } = refunding;
  const now = deps.clock.realNow();
  const settledAt = (row.unknownSinceReal ?? now) + deps.settings.settle;
  const looked = await recordRefundLook(deps.ledger, row, { absent: now >= settledAt });
  if (looked !== null && looked.absentLooks >= AGREEING_LOOKS) {
    const reason = 'absent after the settle time, twice in a row';
    await recordRefund(refunding, row, { state: 'not_sent', reason });
    return REFUND_MOVED;
  }
  const pause = untilNextLook(growingPause(now - row.sendingRealAt), now, settledAt);
  throw tryAgain('outcome_unknown', 'the service does not list what was sent', pause);
}
