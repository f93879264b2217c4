import { type Action, alertOf, answer, type RetryLater, type Settled } from './action';
import { type Attempt, type Facts, isDebit, type SendResult } from './attempt';
import { whileHalted, typeOf } from './before-send';
import { OTHER_UNKNOWN } from './evidence-before-send';
import { later } from './waits';

/** The next action after the transaction refused the row "sending", or after the POST, answered or not. */
export function afterSend(attempt: Attempt, facts: Facts, sent: SendResult): Action {
  switch (sent.kind) {
    case 'stopped':
      return answer({ kind: 'stopped' });
    case 'no_notice':
      return answer({ kind: 'stopped', why: 'no_notice' });
    case 'halted':
      return whileHalted(attempt, facts);
    case 'probing':
      return later(attempt, facts, 'not_sent', PROBING, { atLeast: sent.wait });
    case 'blocked':
      return later(attempt, facts, 'blocked', underWay(attempt));
    case 'other_unknown':
      return later(attempt, facts, 'blocked', OTHER_UNKNOWN);
    case 'closed':
      return later(attempt, facts, 'blocked', `the ledger has its cycle or subscription as ${sent.status} already`);
    case 'accepted':
    case 'rejected':
    case 'unknown':
      return { kind: 'settle', outcome: outcomeOfAnswer(facts, sent) };
    case 'not_sent':
      return {
        kind: 'settle',
        outcome: { state: 'not_sent', reason: sent.reason },
        then: notSent(attempt, facts, sent),
        // This process has sent nothing, even if another one has settled the row meanwhile.
        evenIfNotWritten: true,
      };
  }
}

function underWay(attempt: Attempt): string {
  return isDebit(attempt) ? 'another attempt of this payment is open' : 'another order of this payment is under way';
}

/** Shown to operators while POSTs are sent only as probes. */
const PROBING = 'the service has answered none of the last POSTs readably: POSTs are sent at intervals, as probes';

function outcomeOfAnswer(
  { realNow }: Facts,
  sent: Extract<SendResult, { kind: 'accepted' | 'rejected' | 'unknown' }>,
): Settled {
  switch (sent.kind) {
    case 'accepted':
      return { state: 'accepted', made: sent.made };
    case 'rejected': {
      const { detail, description, retryable, made } = sent;
      return { state: 'refused', detail, description, retryable, made };
    }
    case 'unknown':
      return { state: 'unknown', reason: sent.reason, sinceReal: realNow, accepted: sent.accepted };
  }
}

/**
 * The request was not sent, or its answer means that it counts as not sent: it may be sent again after a wait (rules
 * 12, 17).
 */
function notSent(
  attempt: Attempt,
  facts: Facts,
  { reason, retryAfter }: Extract<SendResult, { kind: 'not_sent' }>,
): RetryLater {
  const sideEffects = [alertOf(typeOf(attempt, 'not_sent'), { reason })];
  return later(attempt, facts, 'not_sent', reason, { atLeast: retryAfter, sideEffects });
}
