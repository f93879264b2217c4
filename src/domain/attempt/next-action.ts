import { type Action, alertOf, answer, check, retryLater } from './action';
import { afterSend } from './after-send';
import { type Attempt, type Facts, isDebit, isOver, isToBeSent, type Send } from './attempt';
import { beforeSend, checkAgain } from './before-send';
import { growingWaitUntil } from './waits';
import { pollDebit } from './pending-debit';
import { pollOrder } from './pending-order';
import { settleUnknown } from './unknown-outcome';

/**
 * The state machine of an attempt: the next action follows from the attempt, its row and the facts requested in this pass.
 * Missing facts are requested first. Only an attempt that has created nothing is ever sent (rules 16 to 18).
 */
export function nextAction(attempt: Attempt, facts: Facts): Action {
  const { send, sent, reopened } = facts;
  if (sent !== null) return afterSend(attempt, facts, sent);
  if (send === null || isToBeSent(send)) {
    if (reopened !== null) return { kind: 'follow_reopened' };
    return attempt.settleOnly ? checkAgain(attempt, facts) : beforeSend(attempt, facts);
  }
  switch (send.state) {
    case 'sending':
    case 'unknown':
    case 'unresolved':
      return settleUnknown(attempt, facts, send);
    case 'pending':
      return isDebit(attempt) ? pollDebit(attempt, facts, send) : pollOrder(attempt, facts, send);
    case 'rejected':
    case 'rejected_retryable':
      return reopened === null ? refused(attempt, facts, send) : { kind: 'follow_reopened' };
    case 'successful':
      // The cycle is collected: an attempt that is listed again does not delay the result.
      return reopened === 'pending' && !facts.done.has('reopened')
        ? { kind: 'poll_reopened' }
        : answer({ kind: 'stored' });
    case 'capture_failed':
    case 'failed':
    case 'not_sent':
      return answer({ kind: 'stored' });
  }
}

/** The service's code for a refusal because of the state of the consent. */
export const CONSENT_NOT_VALID = 'CONSENT_NOT_VALID';

/** A refusal recorded in the ledger. The reason may be that the consent has ended (rule 12). */
function refused(attempt: Attempt, facts: Facts, { state, detail, isResolved, wasRefused }: Send): Action {
  if (isResolved || wasRefused || state !== 'rejected') return answer({ kind: 'stored' });
  if (!facts.done.has('alert')) {
    return { kind: 'side_effect', sideEffect: alertOf('attempt.rejected_finally', { detail: detail ?? 'UNKNOWN' }) };
  }
  return detail === CONSENT_NOT_VALID ? afterConsentNotValid(attempt, facts) : answer({ kind: 'stored' });
}

/** After CONSENT_NOT_VALID the consent is read first: if it has ended, so has the subscription (rules 7 and 12). */
function afterConsentNotValid(attempt: Attempt, facts: Facts): Action {
  const { consent, age } = facts;
  switch (consent?.kind) {
    case undefined:
      return check('consent');
    case 'consent_ended':
      return answer(consent);
    case 'unreadable': {
      // The refusal is final in any case; the next cycle reads the consent before it sends anything.
      if (isOver(attempt, facts)) return answer({ kind: 'stored' });
      const wait = growingWaitUntil(facts, attempt.endsAt, age, consent.retryAfter);
      return retryLater('service_unreadable', `the consent cannot be read: ${consent.why}`, wait);
    }
    case 'granted':
    case 'pending':
      return answer({ kind: 'stored' });
  }
}
