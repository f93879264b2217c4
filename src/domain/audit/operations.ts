import { type Facts, say, closed, ofCycle, phrase, reasonOf, type Events, fromAddress } from './event';
import * as reference from './reference';
import {
  ATTENTION,
  COMPARED,
  ERASED,
  WITHOUT_ANSWER,
  CHECKING_CONTINUES,
  NOTICE_RULES,
  ON_HOLD,
  ONE_NAMESPACE,
  PERSONAL_DATA,
  quoted,
  RESTORED,
} from './rules';

const NOTICES = {
  'payment.failed': 'the notice of a failed payment',
  'payment.increase_announced': 'the notice of an increase',
  'payment.upcoming': 'the notice of a coming payment',
  'subscription.paused': 'the notice of the pause',
  'subscription.resumed': 'the notice of the resumption',
  'subscription.cancelled': 'the notice of the cancellation',
  'subscription.completed': 'the notice of the completion',
  'consent.failed': 'the message about the failed consent',
  'cycle.missed': 'the message about the missed cycle',
  'cycle.failed': 'the message about the failed cycle',
  'cycle.unresolved': 'the message about the unresolved cycle',
  'capture.deadline_near': 'the message about a deadline',
};

const SENT = { attempt: 'an attempt', capture: 'a capture', refund: 'a refund' };

const SENT_KINDS = { attempt: 'An attempt', capture: 'A capture', refund: 'A refund' };

/** Every other channel reads like `The webhook has accepted`. */
const CHANNELS: Readonly<Record<string, string>> = {
  email: 'The mail server has accepted',
  audit_log: 'No webhook for events is configured, and the audit log has recorded',
};

export const OPERATION_EVENTS = {
  'notice.delivered': {
    rule: NOTICE_RULES,
    says: (facts) => [
      facts.time('toldAt') === null
        ? say`${channelOf(facts)} ${theNotice(facts)}${ofCycle(facts)}: it counts as delivered.`
        : say`${facts.actor} recorded that the payer was notified on ${facts.time('toldAt')} (${facts.text('channel')}) of what ${theNotice(facts)}${ofCycle(facts)} says: it counts as delivered at that time.`,
      facts.time('toldAt') === null ? null : reasonOf(facts, 'evidence'),
    ],
  },
  'notice.resend_requested': {
    rule: NOTICE_RULES,
    says: (facts) => [say`${facts.actor} asked for ${theNotice(facts)}${ofCycle(facts)} to be delivered again.`],
  },
  'payer.changed': {
    rule: PERSONAL_DATA,
    says: (facts) => [say`${facts.actor} changed the payer's data: ${facts.list('fields')}.`],
  },
  'payer.erased': {
    rule: ERASED,
    says: (facts) => [
      say`${facts.actor} erased a payer (subscriptions: ${facts.number('subscriptions')}, one-time payments: ${facts.number('payments')}).` ??
        say`${facts.actor} erased the payer's data.`,
      say`Everything had ended ${facts.number('retentionDays')} days before.`,
      'Records of money are kept.',
      reasonOf(facts),
    ],
  },
  'notice.undeliverable': {
    rule: NOTICE_RULES,
    says: (facts) => [say`Delivery of ${theNotice(facts)}${ofCycle(facts)} was given up.`, reasonOf(facts, 'error')],
  },
  'alert.outcome_unknown': {
    rule: CHECKING_CONTINUES,
    says: (facts) => [
      say`The outcome of ${phrase(facts.text('of'), SENT)}${ofCycle(facts)}, ${facts.money('amount')}, has been unknown since ${facts.time('since')} (real time).`,
      'Checking continues, and nothing is sent again until it is settled.',
    ],
  },
  'alert.sent_without_answer': {
    rule: WITHOUT_ANSWER,
    says: (facts) => [
      say`${phrase(facts.text('of'), SENT_KINDS)}${ofCycle(facts)} was sent ${facts.number('sends')} times without a readable answer, and the service has not listed any of these sends.`,
      'A third such send of one attempt is its last: dueday then only asks the service. Ask the payment service provider.',
    ],
  },
  'alert.window_closing': {
    rule: quoted(3, reference.FIVE_DAYS),
    says: (facts) => [
      say`The window of ${theDate(facts)} closes on ${facts.time('collectBy')}, and the cycle is still ${phrase(facts.text('status'), {})}.`,
    ],
  },
  'reconciliation.started': {
    rule: COMPARED,
    says: (facts) => [
      say`${facts.actor} started to compare ledger and service, from ${facts.time('from')} to ${facts.time('to')}.`,
    ],
  },
  'reconciliation.stopped': {
    rule: COMPARED,
    says: (facts) => [
      say`${facts.actor} stopped the comparison of ledger and service from ${facts.time('from')} to ${facts.time('to')}.`,
    ],
  },
  'reconciliation.difference': { rule: COMPARED, says: (facts) => [closed(facts.text('text'))] },
  'attention.assigned': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} assigned ${theItem(facts)} to ${facts.text('assignee')}.` ??
        say`${facts.actor} removed the assignee of ${theItem(facts)}.`,
    ],
  },
  'attention.noted': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} noted on ${theItem(facts)}: ${closed(facts.text('note'))}` ??
        say`${facts.actor} removed the note on ${theItem(facts)}.`,
    ],
  },
  'attention.closed': {
    rule: ATTENTION,
    says: (facts) => [say`${facts.actor} closed ${theItem(facts)}.`, reasonOf(facts)],
  },
  'bulk.started': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} asked for ${phrase(facts.text('action'), {})} of ${facts.number('total')} subscriptions at once.`,
      say`It is job ${facts.text('jobId')}; the audit log of each subscription shows the outcome.`,
      fromAddress(facts),
    ],
  },
  'bulk.stopped': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} stopped job ${facts.text('jobId')} after ${facts.number('done')} of ${facts.number('total')} subscriptions.`,
    ],
  },
  'metadata.changed': {
    rule: null,
    says: (facts) => [say`${facts.actor} changed the metadata: ${facts.list('keys')}.`],
  },
  'halt.started': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} halted all sending: nothing is debited, captured or refunded until the halt is lifted.`,
      reasonOf(facts),
    ],
  },
  'halt.lifted': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} lifted the halt of ${facts.text('by')}, which had been in force since ${facts.time('since')}.`,
      'What is still inside its window is sent.',
      reasonOf(facts),
    ],
  },
  'hold.created': {
    rule: ON_HOLD,
    says: (facts) => [
      say`${facts.actor} put ${facts.number('matched')} subscriptions on hold until ${facts.time('until')}.`,
      'No attempt of theirs begins before; their due dates remain.',
      reasonOf(facts),
    ],
  },
  'hold.lifted': {
    rule: ON_HOLD,
    says: (facts) => [
      say`${facts.actor} lifted the hold ${facts.text('holdId')}.`,
      'What is still inside its window is sent.',
      reasonOf(facts),
    ],
  },
  'hold.ended': {
    rule: ON_HOLD,
    says: (facts) => [say`The hold ${facts.text('holdId')} ended automatically on ${facts.time('until')}.`],
  },
  'ledger.copied': {
    rule: RESTORED,
    says: (facts) => [
      say`${facts.actor} declared this ledger a copy: ${facts.number('endpoints')} endpoints were deleted, ${facts.number('notices')} notices closed, and the credentials of the original are refused.`,
      reasonOf(facts),
    ],
  },
  'temporal.accepted': {
    rule: ONE_NAMESPACE,
    says: (facts) => [
      say`${facts.actor} accepted the Temporal namespace ${facts.text('namespaceId')} as the one in which the workflows of this ledger run.`,
      say`Before, it was ${facts.text('was')}.`,
      reasonOf(facts),
    ],
  },
  'key.created': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} created the key ${facts.text('name')} with the role ${facts.text('role')}.`,
      say`Its holder is ${facts.text('holder')}.`,
      say`Its scopes are: ${facts.list('scopes')}.`,
      say`It may refund up to ${facts.money('refundPerDay')} in 24 hours.`,
      say`It may change an amount by up to ${facts.money('changePerCall')} in one call.`,
      say`It expires on ${facts.time('expiresAt')} (real time).`,
      reasonOf(facts),
      fromAddress(facts),
    ],
  },
  'key.rotated': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} rotated the key ${facts.text('name')}; the previous one expires on ${facts.time('until')} (real time).`,
      reasonOf(facts),
      fromAddress(facts),
    ],
  },
  'key.revoked': {
    rule: null,
    says: (facts) => [say`${facts.actor} revoked the key ${facts.text('name')}.`, reasonOf(facts), fromAddress(facts)],
  },
  'key.superseded': {
    rule: null,
    says: (facts) => [
      say`The key ${facts.text('name')} expires on ${facts.time('expiresAt')} (real time): there is another admin key.`,
      'Remove ADMIN_BOOTSTRAP_KEY.',
    ],
  },
  'session.opened': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} signed in to the console with the role ${facts.text('role')}.`,
      say`Session ${facts.text('session')} ends on ${facts.time('endsAt')} (real time) at the latest.`,
      fromAddress(facts),
    ],
  },
  'session.ended': {
    rule: null,
    says: (facts) => [
      facts.text('reason') === 'signed_out'
        ? say`${facts.actor} signed out of the console: session ${facts.text('session')} has ended.`
        : say`Session ${facts.text('session')} of ${facts.text('name')} ended on ${facts.time('endedAt')} (real time): ${phrase(facts.text('reason'), SESSION_ENDS)}.`,
      fromAddress(facts),
    ],
  },
} satisfies Events;

/** How sessions end other than by signing out. */
const SESSION_ENDS = {
  idle: 'it was idle for too long',
  time: 'its maximum lifetime had passed',
  key_revoked: 'its key was revoked',
  key_ended: 'its key had expired',
};

function channelOf(facts: Facts): string | null {
  const channel = facts.text('channel');
  return channel === null ? null : (CHANNELS[channel] ?? `The ${channel} has accepted`);
}

function theNotice(facts: Facts): string | null {
  return phrase(facts.text('type'), NOTICES);
}

/** `refund unresolved (att_0a1b)`. */
function theItem({ text }: Facts): string | null {
  return say`${text('kind')?.replaceAll('_', ' ') ?? null} (${text('item')})`;
}

function theDate({ number, time }: Facts): string | null {
  const cycle = number('cycle');
  return cycle === null ? say`the due date of ${time('dueAt')}` : say`cycle ${cycle}, due on ${time('dueAt')},`;
}
