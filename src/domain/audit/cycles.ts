import { counted } from '../money';
import { type Facts, say, attemptOf, closed, phrase, reasonOf, theAttempt, theCycle, type Events } from './event';
import * as reference from './reference';
import {
  CAPTURE_FAILED,
  COLLECTED,
  CONSENT_ENDED,
  FINAL,
  NOTICE_FIRST,
  PAUSED,
  PAYMENT_LINK,
  PENDING,
  POSTPONED,
  REPLACED,
  RETRY_TIME,
  UNRESOLVED,
  by,
  ours,
  paidRule,
  quoted,
} from './rules';

/** Why a cycle failed, as the end of "… has failed:". */
const FAILED = {
  rejected: 'the refusal is final and may not be retried',
  capture_failed: 'it was authorized, but the debit failed; it is not authorized again automatically',
  retries_used: 'all retries have been used',
  no_time_left: 'no retry fits into the remaining time',
  out_of_time: 'the time for its next attempt has passed',
  notice_undeliverable: 'the payer could not be notified of the failure, which every retry requires',
  paused: 'the time for its next attempt passed during a pause',
  consent_ended: 'the consent has ended',
  window_closed: 'its window has closed',
};

/** Why a retry is planned for its time. */
const PLANNED = {
  planned: 'as planned',
  after_notice: 'a minute after the notice to the payer, which was later than planned',
  after_gap: 'after the minimum gap since the previous attempt, which is later than planned',
  last_chance: 'an hour before the deadline, as no planned retry is left before it',
};

export const CYCLE_EVENTS = {
  'cycle.upcoming': {
    rule: quoted(3, reference.EACH_DUE_DATE),
    says: (facts) => [
      say`Cycle ${facts.number('cycle')} falls due on ${facts.time('dueAt')}: ${facts.money('amount')} will be collected.`,
    ],
  },
  'cycle.collected': {
    rule: COLLECTED,
    says: (facts) => [
      say`${theCycle(facts)} was collected: ${facts.money('amount')}${byAttempt(facts)}.`,
      say`The debit is capture ${facts.text('captureId')}.`,
    ],
  },
  'cycle.collected_late': {
    rule: PENDING,
    says: (facts) => [
      say`${theCycle(facts)} was collected after all: ${facts.money('amount')}.`,
      'Its authorization had been pending when the window closed.',
    ],
  },
  'cycle.dunning': { rule: RETRY_TIME, says: dunning },
  'cycle.skipped': { rule: by('reason', { consent_ended: CONSENT_ENDED, replaced: REPLACED }, PAUSED), says: skipped },
  'cycle.missed': {
    rule: quoted(4, reference.FIVE_DAYS),
    says: (facts) => [
      windowOf(facts) ?? say`The window of cycle ${facts.number('cycle')} has closed.`,
      'No attempt has reached the bank, so it is missed; it is not collected later.',
    ],
  },
  'cycle.failed': {
    rule: by(
      'reason',
      {
        rejected: FINAL,
        capture_failed: CAPTURE_FAILED,
        consent_ended: CONSENT_ENDED,
        retries_used: quoted(15, reference.THREE_ATTEMPTS),
        no_time_left: RETRY_TIME,
        out_of_time: RETRY_TIME,
        notice_undeliverable: NOTICE_FIRST,
        paused: ours(
          23,
          'if the subscription is resumed in time, the cycle continues; otherwise it ends skipped or failed',
        ),
      },
      quoted(3, reference.FIVE_DAYS),
    ),
    says: (facts) => [
      say`${theCycle(facts)} has failed: ${phrase(facts.text('reason'), FAILED)}.`,
      facts.text('reason') === 'capture_failed' ? failedDebit(facts) : lastRefusal(facts.inside('rejection')),
    ],
  },
  'cycle.unresolved': {
    rule: UNRESOLVED,
    says: (facts) => [
      say`It is unknown whether ${attemptOf(facts)} made a debit: ${closed(facts.text('reason'))}`,
      'Nothing later is sent until that is settled. Checking continues, and an admin may resolve it.',
    ],
  },
  'cycle.resolved': {
    rule: UNRESOLVED,
    says: (facts) => [
      say`${facts.actor} resolved cycle ${facts.number('cycle')} as ${facts.text('outcome')}.`,
      say`Evidence: ${closed(facts.text('evidence'))}`,
    ],
  },
  'cycle.skip_requested': {
    rule: PAUSED,
    says: (facts) => [
      say`${facts.actor} asked to skip cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}; it will not be collected.`,
      reasonOf(facts),
    ],
  },
  'cycle.postponed': {
    rule: POSTPONED,
    says: (facts) => [
      say`${facts.actor} postponed the first attempt of cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}, until ${facts.time('postponedUntil')}.` ??
        say`${facts.actor} withdrew the postponement of cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}.`,
      reasonOf(facts),
    ],
  },
  'cycle.retry_requested': {
    rule: NOTICE_FIRST,
    says: (facts) => [
      say`${facts.actor} requested a retry of cycle ${facts.number('cycle')} on ${facts.time('retryAt')}.` ??
        say`${facts.actor} requested an immediate retry of cycle ${facts.number('cycle')}.`,
      say`It is made at least a minute after the notice to the payer, and nothing is sent at or after ${facts.time('retryUntil')}.`,
      reasonOf(facts),
    ],
  },
  'payment_link.created': {
    rule: PAYMENT_LINK,
    says: (facts) => [
      say`${facts.actor} created a link by which the payer can pay the ${facts.money('amount')} of cycle ${facts.number('cycle')}, until ${facts.time('expiresAt')}.`,
      say`It is payment ${facts.text('linkPaymentId')}.`,
      reasonOf(facts),
    ],
  },
  'payment_link.paid': {
    rule: paidRule,
    says: (facts) => [
      say`The payer has paid cycle ${facts.number('cycle')} by link: ${facts.money('amount')}.`,
      say`The debit is capture ${facts.text('captureId')} of payment ${facts.text('linkPaymentId')}.`,
      facts.data['isSecondDebit'] === true
        ? 'The cycle had been collected meanwhile: the payer was debited twice.'
        : null,
    ],
  },
} satisfies Events;

function dunning(facts: Facts): (string | null)[] {
  const attempt = facts.number('attempt');
  const retry = attempt === null ? null : attempt + 1;
  const because = phrase(facts.text('because'), PLANNED);
  return [
    say`${theAttempt(facts)} was refused: ${facts.text('detail')}.`,
    say`The payer is notified, and retry ${retry} is due on ${facts.time('retryAt')}, ${because}.` ??
      say`The payer is notified, and retry ${retry} is due on ${facts.time('retryAt')}.`,
    say`The first failure was on ${facts.time('firstFailureAt')}.`,
    say`No retry is sent at or after ${facts.time('retryUntil')}.`,
  ];
}

/** The end of the sentence "Cycle 3, due on …, was skipped". */
const SKIPPED = {
  skipped_by_request: ' for good, as an operator requested',
  consent_ended: ': the consent ended before anything was sent',
  replaced: ': it is left to the subscription that replaces this one',
};

/** Why a cycle ended uncollected, as named by its entries and its record. */
export const CLOSED_BECAUSE: readonly string[] = [...Object.keys(FAILED), ...Object.keys(SKIPPED)];

function skipped(facts: Facts): (string | null)[] {
  const reason = facts.text('reason');
  if (reason === 'paused') return [inPause(facts), 'It was skipped for good.'];
  return [say`${theCycle(facts)} was skipped${phrase(reason, SKIPPED)}.` ?? say`${theCycle(facts)} was skipped.`];
}

/** The cycle fell due during the pause, or was due before and waited until its window closed (rule 23). */
function inPause(facts: Facts): string | null {
  const [dueAt, since] = [facts.text('dueAt'), facts.inside('pause')?.text('since') ?? null];
  const [cycle, due] = [facts.number('cycle'), facts.time('dueAt')];
  if (since === null || dueAt === null) return say`Cycle ${cycle} was due on ${due} and was stopped by a pause.`;
  if (dueAt >= since) return say`Cycle ${cycle} was due on ${due}, during a pause.`;
  return say`Cycle ${cycle} was due on ${due}; its window closed on ${facts.time('collectBy')} while the subscription was paused.`;
}

function windowOf({ number, time }: Facts): string | null {
  return say`Cycle ${number('cycle')} was due on ${time('dueAt')}; its window closed on ${time('collectBy')}.`;
}

function lastRefusal(rejection: Facts | null): string | null {
  if (rejection === null) return null;
  const attempts = rejection.number('attempt');
  const made = attempts === null ? null : counted(attempts + 1, 'attempt');
  return say`After ${made} the last answer was ${rejection.text('detail')}, on ${rejection.time('at')}.`;
}

/** Names the attempt and the service's answer. */
function failedDebit(facts: Facts): string | null {
  return say`The debit of ${attemptOf(facts)} was answered ${facts.text('detail')}.`;
}

function byAttempt({ number }: Facts): string {
  const attempt = number('attempt');
  if (attempt === null) return '';
  return attempt === 0 ? ', at the first attempt' : `, at retry ${attempt}`;
}
