import { type Facts, say, attemptOf, closed, phrase, reasonOf, stateOf, theAttempt, type Events } from './event';
import * as reference from './reference';
import {
  ABSENT,
  ADOPTED,
  ASKED,
  CAPTURE_FAILED,
  CLOCKS,
  COLLECTED,
  FINAL,
  HALTED,
  HANDED_OVER,
  CHECKING_CONTINUES,
  PRE_SEND_CHECK,
  NOT_SENT,
  OURS_OR_UNRESOLVED,
  PENDING,
  REOPENED,
  RETRY_TIME,
  quoted,
} from './rules';

/** Why an attempt is made at this time. */
const NOW = {
  due: 'its cycle has fallen due',
  spread: 'its cycle has fallen due, and so has its share of the spread',
  postponed: 'its cycle was postponed until now',
  increase_free: 'its cycle has fallen due, and the increased amount is allowed from now on',
  hold_ended: 'its cycle has fallen due, and the hold that stopped it has ended',
  planned: 'its planned time has come',
  after_notice: 'the planned time had passed, and the payer was notified at least a minute ago',
  after_gap: 'the planned time had passed, and so has the minimum gap since the previous attempt',
  last_chance: 'it is the last hour in which a retry is allowed',
  requested: 'an operator requested it, and the payer has been notified',
};

export const ATTEMPT_EVENTS = {
  'attempt.sending': {
    rule: ({ attempt }) => (attempt === 0 ? quoted(3, reference.EACH_DUE_DATE) : RETRY_TIME),
    says: sending,
  },
  'attempt.pending': {
    rule: quoted(10, reference.QUERY_REPEATEDLY),
    says: (facts) => [
      say`The service has ${attemptOf(facts)} as authorization ${facts.text('authorizationId')}; the bank has not decided yet.`,
      'It is polled until it is final.',
    ],
  },
  'attempt.successful': {
    rule: COLLECTED,
    says: (facts) => [
      say`${theAttempt(facts)} succeeded: authorization ${facts.text('authorizationId')} went through, and so did its debit, ${facts.text('captureId')}.`,
    ],
  },
  'attempt.rejected_retryable': {
    rule: quoted(12, reference.RETRYABLE),
    says: (facts) => [
      say`${theAttempt(facts)} was refused with ${facts.text('detail')}, which may be retried once the payer has been notified.`,
      say`The service says: ${closed(facts.text('description'))}`,
    ],
  },
  'attempt.rejected': {
    rule: FINAL,
    says: (facts) => [
      say`${theAttempt(facts)} was refused with ${facts.text('detail')}, which is final.`,
      say`The service says: ${closed(facts.text('description'))}`,
    ],
  },
  'attempt.rejected_finally': {
    rule: FINAL,
    says: (facts) => [
      say`${theAttempt(facts)} was refused with ${facts.text('detail')}: it may not be retried, and operators are alerted.`,
    ],
  },
  'attempt.capture_failed': {
    rule: CAPTURE_FAILED,
    says: (facts) => [
      say`${theAttempt(facts)} was authorized, but its debit failed: ${facts.text('detail')}.`,
      'It is not authorized again automatically.',
    ],
  },
  'attempt.not_sent': {
    rule: NOT_SENT,
    says: (facts) => [say`${theAttempt(facts)} did not reach the bank.`, reasonOf(facts)],
  },
  'attempt.unknown': {
    rule: ASKED,
    says: (facts) => [
      say`Whether ${attemptOf(facts)} reached the bank is not known.`,
      'The service is asked for the outcome; nothing is sent again until it is settled.',
      reasonOf(facts),
    ],
  },
  'attempt.unresolved': {
    rule: OURS_OR_UNRESOLVED,
    says: (facts) => [
      say`The outcome of ${attemptOf(facts)} cannot be determined from the service's answers.`,
      reasonOf(facts),
    ],
  },
  'attempt.contradicted': {
    rule: OURS_OR_UNRESOLVED,
    says: (facts) => [
      say`${theAttempt(facts)} is ${stateOf(facts, 'recorded')} in the ledger, and the service now says ${stateOf(facts, 'found')}.`,
      'The recorded state is kept; an operator must review it.',
    ],
  },
  'attempt.pending_past_window': {
    rule: PENDING,
    says: (facts) => [
      say`${theAttempt(facts)} is still pending as its window closes, on ${facts.time('collectBy')}.`,
      'Polling continues, and later cycles are not held up.',
    ],
  },
  'attempt.unknown_past_window': {
    rule: CHECKING_CONTINUES,
    says: (facts) => [
      say`The outcome of ${attemptOf(facts)} is still unknown as its window closes, on ${facts.time('collectBy')}.`,
      'Checking continues, and no later cycle is sent until it is settled.',
    ],
  },
  'attempt.settled_absent': {
    rule: ABSENT,
    says: (facts) => [
      say`${theAttempt(facts)} is settled: the service has no such debit.`,
      'The next step is decided as if it had not been sent.',
    ],
  },
  'attempt.recovered': {
    rule: OURS_OR_UNRESOLVED,
    says: (facts) => [
      say`The ledger was restored and lacked ${attemptOf(facts)}, ${facts.money('amount')}: the service has it as authorization ${facts.text('authorizationId')}, made on ${facts.time('createdAt')}.`,
      'It is recorded as the service has it, and not sent again.',
    ],
  },
  'attempt.adopted': {
    rule: ADOPTED,
    says: (facts) => [
      say`Another system has collected cycle ${facts.number('cycle')}, ${facts.money('amount')}: the service lists authorization ${facts.text('authorizationId')}, created on ${facts.time('createdAt')}.`,
      'It counts as the debit of this cycle; dueday sends none.',
    ],
  },
  'attempt.reopened': {
    rule: REOPENED,
    says: (facts) => [
      say`${theAttempt(facts)} had been refused, and the service now shows authorization ${facts.text('authorizationId')} as ${facts.inside('found')?.text('status') ?? null}.`,
      'It is followed again; nothing else is sent for its cycle meanwhile.',
    ],
  },
  'attempt.refused_again': {
    rule: REOPENED,
    says: (facts) => [
      say`${theAttempt(facts)} was refused again: authorization ${facts.text('authorizationId')}.`,
      'Dunning continues from its first refusal.',
    ],
  },
  'attempt.unlisted': {
    rule: HANDED_OVER,
    says: (facts) => [
      say`The service no longer lists authorization ${facts.text('authorizationId')} of ${attemptOf(facts)}, which is pending.`,
      'It is still polled and holds up no later cycle; an admin may resolve it.',
    ],
  },
  'attempt.unknown_status': {
    rule: HANDED_OVER,
    says: (facts) => [
      facts.text('captureId') === null
        ? say`The service lists authorization ${facts.text('authorizationId')} of ${attemptOf(facts)} with the unknown status ${facts.text('status')}.`
        : say`The service lists capture ${facts.text('captureId')} of ${attemptOf(facts)} with the unknown status ${facts.text('status')}.`,
      'It counts as pending.',
    ],
  },
  'attempt.clocks_differ': {
    rule: CLOCKS,
    says: (facts) => [
      say`${theAttempt(facts)} waits: ${closed(facts.text('reason'))}`,
      'Nothing is sent until both clocks agree to within a minute.',
    ],
  },
  'attempt.halted': {
    rule: HALTED,
    says: (facts) => [
      say`${theAttempt(facts)} waits: all sending is halted.`,
      'It is made once the halt is lifted, if its window allows.',
    ],
  },
  'authorizations.unreadable': {
    rule: PRE_SEND_CHECK,
    says: (facts) => [
      say`${theAttempt(facts)} waits: the service's list of authorizations cannot be read, so nothing may be sent.`,
      reasonOf(facts),
    ],
  },
  'consent.unreadable': {
    rule: quoted(7, reference.CONSENT_CHECK),
    says: (facts) => [
      say`${theAttempt(facts)} waits: the consent cannot be read as successful, so nothing may be sent.`,
      reasonOf(facts),
    ],
  },
} satisfies Events;

function sending(facts: Facts): (string | null)[] {
  const why = facts.inside('why');
  return [
    say`${theAttempt(facts)} is sent now, for ${facts.money('amount')}: ${phrase(why?.text('because') ?? null, NOW)}.` ??
      say`${theAttempt(facts)} is sent now, for ${facts.money('amount')}.`,
    say`Its cycle was due on ${facts.time('dueAt')}; nothing is sent at or after ${facts.time('sendBefore')}.`,
    say`The payer was notified of the previous failure on ${why?.time('noticeAt') ?? null}.`,
    say`The consent was read as successful on ${facts.time('consentReadAt')}, and nothing that the service listed prevented it.`,
    sentAgain(facts.number('send')),
  ];
}

function sentAgain(send: number | null): string | null {
  if (send === null || send === 0) return null;
  return 'An earlier request never reached the bank.';
}
