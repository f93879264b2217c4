import { findUnknownRefunds } from '../src/domain/refund-rules';
import { beginRefundSend, knownRefunds, type RefundSendRef } from '../src/ledger';
import type { Refund, ServiceResult } from '../src/payment-service';
import { growingPause, type Stop, tryAgain } from './failures';
import { checksHoldFor, longestLeap, startStopwatch } from './freshness';
import { alertOfRefund, recordRefund, REFUND_MOVED, type Refunding, type RefundPhase } from './refunding';
import { describe, retryAfter } from './service-answers';

/** Looks before the leap, commits the "sending" row, and sends (decisions 16, 18). */
export async function sendRefund(refunding: Refunding): Promise<RefundPhase> {
  const { deps } = refunding;
  const sinceLook = startStopwatch(deps.clock);
  const knownIds = await lookBeforeTheLeap(refunding);
  return send(refunding, knownIds, () => sinceLook() < checksHoldFor(deps.settings));
}

/**
 * Every id that the service lists right now.
 * @throws ApplicationFailure where one of them stops the POST, or none may leave for now.
 */
async function lookBeforeTheLeap(refunding: Refunding): Promise<readonly string[]> {
  const { deps, input, progress } = refunding;
  const { paymentId, refundId, captureId, orderedAt } = input;
  progress('look before the leap');
  const listed = await deps.service.listRefunds(paymentId);
  if (listed.kind !== 'accepted') {
    const why = describe(listed);
    await alertOfRefund(refunding, 'refunds.unreadable', { reason: why });
    throw later(refunding, 'service_unreadable', `refunds: ${why}`, retryAfter(listed));
  }
  const known = await knownRefunds(deps.ledger, paymentId, refundId);
  if (known.otherInDoubt) throw later(refunding, 'blocked', 'another refund of this payment is in doubt');
  const strange = findUnknownRefunds(listed.value, captureId, known.ids, orderedAt);
  if (strange.length > 0) {
    const reason = `the service lists ${strange.map((each) => each.refundId).join(', ')}, which the ledger lacks`;
    await alertOfRefund(refunding, 'refund.stopped', { reason });
    throw later(refunding, 'outcome_unknown', reason);
  }
  return listed.value.map((each) => each.refundId);
}

/**
 * Commits the row and sends. A process frozen since before its row was committed must not send once it wakes: by then
 * others may have settled the row as never sent.
 */
async function send(refunding: Refunding, knownIds: readonly string[], lookHolds: () => boolean): Promise<RefundPhase> {
  const { deps, input, progress } = refunding;
  // Begun before the row: the answer to its commit may be what a frozen process wakes to.
  const sinceRow = startStopwatch(deps.clock);
  const begun = await beginRefundSend(deps.ledger, {
    ...{ refundId: input.refundId, knownIds, owner: deps.settings.owner },
    ...{ at: deps.clock.now(), realAt: deps.clock.realNow() },
  });
  if (begun.kind === 'blocked') throw later(refunding, 'blocked', 'another refund of this payment is under way');
  progress('refund', { send: begun.send.send });
  const beforeSend = () => sinceRow() < longestLeap(deps.settings) && lookHolds();
  const order = { amount: input.amount, captureId: input.captureId };
  const answer = await deps.service.refund(input.paymentId, order, { beforeSend });
  return recordAnswer(refunding, begun.send, answer);
}

async function recordAnswer(
  refunding: Refunding,
  ref: RefundSendRef,
  answer: ServiceResult<Refund>,
): Promise<RefundPhase> {
  switch (answer.kind) {
    case 'accepted': {
      const { refundId: serviceRefundId, createdAt } = answer.value;
      await recordRefund(refunding, ref, { state: 'pending', serviceRefundId, createdAt });
      return REFUND_MOVED;
    }
    case 'rejected': {
      const { detail, description } = answer.failure;
      const seen =
        answer.value === undefined ? {} : { serviceRefundId: answer.value.refundId, createdAt: answer.value.createdAt };
      await recordRefund(refunding, ref, { state: 'failed', detail, description, ...seen });
      return REFUND_MOVED;
    }
    case 'not_sent':
      await recordRefund(refunding, ref, { state: 'not_sent', reason: answer.reason });
      await alertOfRefund(refunding, 'refund.cannot_be_sent', { reason: answer.reason });
      throw later(refunding, 'not_sent', answer.reason, retryAfter(answer));
    case 'unknown': {
      const sinceReal = refunding.deps.clock.realNow();
      await recordRefund(refunding, ref, { state: 'unknown', reason: answer.reason, sinceReal });
      return REFUND_MOVED;
    }
  }
}

/** A refund has no window: it is tried until the service has taken or refused it. */
function later(refunding: Refunding, stop: Stop, message: string, atLeast = 0): Error {
  return tryAgain(stop, message, Math.max(growingPause(refunding.age()), atLeast));
}
