import { type Facts, say, closed, phrase, reasonOf, type Events } from './event';
import * as reference from './reference';
import { COMPARED, IN_VAIN, LOOKING_ON, NOTICE_RULES, quoted } from './rules';

const NOTICES = {
  'payment.failed': 'the notice of a failed payment',
  'payment.increase_announced': 'the notice of an increase',
  'subscription.paused': 'the notice of the pause',
  'subscription.resumed': 'the notice of the resumption',
  'subscription.cancelled': 'the notice of the cancellation',
  'subscription.completed': 'the notice of the completion',
  'consent.failed': 'the message of the failed consent',
  'cycle.missed': 'the message of the missed cycle',
  'cycle.failed': 'the message of the failed cycle',
  'cycle.unresolved': 'the message of the unresolved cycle',
  'capture.deadline_near': 'the message of a deadline',
};

const SENT = { attempt: 'an attempt', capture: 'a capture', refund: 'a refund' };

const SENT_IN_VAIN = { attempt: 'An attempt', capture: 'A capture', refund: 'A refund' };

const CHANNELS = {
  webhook: 'The webhook has accepted',
  email: 'The mail server has accepted',
  trail: 'No webhook for events is configured, and this trail has',
};

export const OPERATION_EVENTS = {
  'notice.delivered': {
    rule: NOTICE_RULES,
    says: (facts) => [
      say`${phrase(facts.text('channel'), CHANNELS)} ${theNotice(facts)}${ofCycle(facts)}: it counts as delivered.`,
    ],
  },
  'notice.undeliverable': {
    rule: NOTICE_RULES,
    says: (facts) => [say`Delivering ${theNotice(facts)}${ofCycle(facts)} was given up.`, reasonOf(facts, 'error')],
  },
  'alert.outcome_unknown': {
    rule: LOOKING_ON,
    says: (facts) => [
      say`What became of ${phrase(facts.text('of'), SENT)}${ofCycle(facts)}, ${facts.money('amount')}, has not been known since ${facts.time('since')} (real time).`,
      'The service is asked on, and nothing is sent again before that is settled.',
    ],
  },
  'alert.sent_in_vain': {
    rule: IN_VAIN,
    says: (facts) => [
      say`${phrase(facts.text('of'), SENT_IN_VAIN)}${ofCycle(facts)} was sent ${facts.number('sends')} times without an answer that can be read, and the service shows none of it.`,
      'It is sent again in pauses that grow to four hours; a person should ask the operator.',
    ],
  },
  'alert.window_closing': {
    rule: quoted(3, reference.FIVE_DAYS),
    says: (facts) => [
      say`The window of ${theDate(facts)} closes on ${facts.time('collectBy')}, and the cycle is still ${phrase(facts.text('status'), {})}.`,
    ],
  },
  'reconciliation.begun': {
    rule: COMPARED,
    says: (facts) => [
      say`${facts.actor} began to compare ledger and service, from ${facts.time('from')} to ${facts.time('to')}.`,
    ],
  },
  'reconciliation.stopped': {
    rule: COMPARED,
    says: (facts) => [
      say`${facts.actor} stopped the comparison of ledger and service from ${facts.time('from')} to ${facts.time('to')}.`,
    ],
  },
  'reconciliation.difference': { rule: COMPARED, says: (facts) => [closed(facts.text('text'))] },
  'halt.begun': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} halted all sending: nothing is debited, captured or refunded until the halt is lifted.`,
      reasonOf(facts),
    ],
  },
  'halt.lifted': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} lifted the halt of ${facts.text('by')}, which had stood since ${facts.time('since')}.`,
      'What is still inside its window is sent.',
      reasonOf(facts),
    ],
  },
  'key.created': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} made the key ${facts.text('name')}, of role ${facts.text('role')}.`,
      reasonOf(facts),
    ],
  },
  'key.revoked': {
    rule: null,
    says: (facts) => [say`${facts.actor} revoked the key ${facts.text('name')}.`, reasonOf(facts)],
  },
} satisfies Events;

function theNotice(facts: Facts): string | null {
  return phrase(facts.text('type'), NOTICES);
}

function theDate({ number, time }: Facts): string | null {
  const cycle = number('cycle');
  return cycle === null ? say`the due date of ${time('dueAt')}` : say`cycle ${cycle}, due on ${time('dueAt')},`;
}

function ofCycle({ number }: Facts): string {
  return say` (cycle ${number('cycle')})` ?? '';
}
