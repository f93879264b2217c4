import { type Facts, say, attentionItemsOf, ofCycle, phrase, reasonOf, why, type Events } from './event';
import * as reference from './reference';
import {
  AMOUNT_RULES,
  ATTENTION,
  CONSENT_NOT_GIVEN,
  DROPPED,
  INCREASE,
  NOTICE_FIRST,
  PAUSED,
  REPLACED,
  ALWAYS_HAS_WORKFLOW,
  ON_HOLD,
  STATE_RULES,
  NOTIFIED_AHEAD,
  UNFROZEN,
  amountRule,
  by,
  ours,
  quoted,
} from './rules';

export const NOT_GIVEN = {
  timeout: 'The payer did not answer within 10 minutes',
  declined: 'The payer declined the consent',
  aborted: 'The payer aborted the consent',
};

/** The requests about a subscription, as they follow "asked". */
const REQUESTS = {
  pause: 'to pause the subscription',
  resume: 'to resume the subscription',
  cancel: 'to cancel the subscription',
  skip: 'to skip the cycle',
  postpone: 'to postpone the cycle',
  retry: 'for a retry',
  payment_link: 'for a payment link',
  resolve: 'to resolve the cycle',
  change_amount: 'to change the amount',
  withdraw_change: 'to withdraw the change of amount',
  check_consent: 'to check the consent',
  acknowledge: 'to acknowledge the attention items',
  restart: 'to restart its workflow',
};

export type Asked = keyof typeof REQUESTS;

export const SUBSCRIPTION_EVENTS = {
  'subscription.requested': {
    rule: ours(2, 'firstPaymentAt is not before now and not before startAt.'),
    says: (facts) => [
      say`${facts.actor} requested a ${repetition(facts)} subscription of ${facts.money('amount')}, first due on ${facts.time('firstPaymentAt')}.`,
      say`It ends at ${facts.time('endAt')}.`,
      say`It replaces ${facts.text('replaces')}.`,
    ],
  },
  'subscription.imported': {
    rule: ours(7, 'Only successful permits the POST.'),
    says: (facts) => [
      say`${facts.actor} took over a consent that was granted elsewhere: ${repetition(facts)}, ${facts.money('amount')}.`,
      say`The first cycle collected here is cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}.`,
    ],
  },
  'subscription.paused': {
    rule: PAUSED,
    says: (facts) => [
      say`${facts.actor} paused the subscription until ${facts.time('until') ?? 'it is resumed'}.`,
      'Cycles that fall due during the pause are skipped for good.',
      reasonOf(facts),
    ],
  },
  'subscription.resumed': {
    rule: ours(23, 'Due dates inside are skipped for good, without arrears, and the calendar stays.'),
    says: (facts) => [
      say`${facts.actor} resumed the subscription, paused since ${facts.time('since')}.`,
      say`Cycles due from ${facts.time('at')} on are collected; nothing is collected for those skipped.`,
      reasonOf(facts),
    ],
  },
  'subscription.cancel_requested': {
    rule: ours(24, 'Cancelling stops new attempts at once.'),
    says: (facts) => [
      say`${facts.actor} asked to cancel the subscription.`,
      'No new attempt starts from now on, and the consent is being ended at the service.',
      reasonOf(facts),
    ],
  },
  'subscription.cancelled': {
    rule: by('cancelledBy', { payer: quoted(7, reference.FOUND_BY_CHECKING) }, quoted(24, reference.NOTHING_FURTHER)),
    says: (facts) => [
      say`The consent has been ended by the ${facts.text('cancelledBy')}; the subscription is cancelled.`,
      'Nothing further is collected.',
      reasonOf(facts),
    ],
  },
  'subscription.completed': {
    rule: ours(5, 'A subscription is completed when its last cycle is final and nothing is open.'),
    says: (facts) => [
      say`Every cycle is final and nothing is open: after ${facts.number('cycles')} cycles the subscription is completed.`,
    ],
  },
  'subscription.replacement_requested': {
    rule: REPLACED,
    says: (facts) => [
      say`Subscription ${facts.text('by')} is to replace this one.`,
      say`Cycles due from ${facts.time('from')} on are left to it.`,
    ],
  },
  'subscription.replacement_failed': {
    rule: REPLACED,
    says: (facts) => [
      say`Subscription ${facts.text('by')} was cancelled, or its consent was not given, so it does not replace this one.`,
    ],
  },
  'subscription.replaced': {
    rule: REPLACED,
    says: (facts) => [
      say`Subscription ${facts.text('by')} is active and replaces this one from ${facts.time('from')} on.`,
      'This one is cancelled.',
    ],
  },
  'subscription.held': {
    rule: ON_HOLD,
    says: (facts) => [
      say`${facts.actor} put the subscription on hold until ${facts.time('until')}, with others that a filter matched.`,
      'No attempt begins before; its due dates remain.',
      say`It is ${facts.text('holdId')}, whose entry has the reason.`,
    ],
  },
  'subscription.hold_lifted': {
    rule: ON_HOLD,
    says: (facts) => [say`${facts.actor} lifted the hold ${facts.text('holdId')}.`],
  },
  'subscription.orphaned': {
    rule: ALWAYS_HAS_WORKFLOW,
    says: () => ['No workflow is running for the subscription, though it has not ended. Restart it.'],
  },
  'subscription.restarted': {
    rule: ALWAYS_HAS_WORKFLOW,
    says: (facts) => [say`${facts.actor} restarted the workflow of the subscription from the ledger.`, reasonOf(facts)],
  },
  'consent.requested': {
    rule: quoted(6, reference.APPROVAL_ONLY),
    says: (facts) => [
      say`The service has opened the consent session of payment ${facts.text('paymentId')}.`,
      'The payer has 10 minutes to answer.',
    ],
  },
  'consent.granted': {
    rule: quoted(6, reference.MANDATE_STANDS),
    says: (facts) => [
      'The payer has given the consent: the subscription is active.',
      say`The first payment of ${facts.money('amount')} is due on ${facts.time('dueAt')}.`,
    ],
  },
  'consent.failed': {
    rule: by('reason', { timeout: quoted(6, reference.CONSENT_TIMEOUT) }, CONSENT_NOT_GIVEN),
    says: (facts) => [
      say`${phrase(facts.text('reason'), NOT_GIVEN)}: the consent was not given.`,
      'A new subscription is needed.',
    ],
  },
  'attention.changed': {
    rule: ATTENTION,
    says: (facts) => [
      say`Needs attention now: ${attentionItemsOf(facts, 'is')}.` ?? 'Nothing needs attention any more.',
      say`Before: ${attentionItemsOf(facts, 'was')}.`,
    ],
  },
  'attention.acknowledged': {
    rule: ATTENTION,
    says: (facts) => [
      say`${facts.actor} acknowledged the attention items: ${attentionItemsOf(facts, 'items')}.`,
      reasonOf(facts),
    ],
  },
  'request.refused': {
    rule: (data) => (data['code'] === 'retry_not_allowed' ? NOTICE_FIRST : STATE_RULES(data)),
    says: (facts) => [
      say`${facts.actor} asked ${phrase(facts.text('request'), REQUESTS)}${ofCycle(facts)}; it was refused${why(facts)}`,
    ],
  },
} satisfies Events;

function repetition(facts: Facts): string | null {
  return facts.text('repetition')?.toLowerCase().replaceAll('_', '-') ?? null;
}

const DROPPED_BECAUSE = {
  not_announced: 'the payer could not be notified of the increase in time',
  first_payment: 'no payment has been collected yet, and the first must equal the consent amount',
  cap: 'it exceeds the maximum amount for an increase with this repetition',
  consent_above_cap: 'the consent amount exceeds the maximum amount for an increase with this repetition',
  six_months: 'the last increase was less than six months ago',
};

export const AMOUNT_EVENTS = {
  'amount_change.accepted': {
    rule: amountRule,
    says: (facts) => [
      say`${facts.actor} changed the amount from ${facts.money('previousAmount')} to ${facts.money('amount')}${fromCycle(facts)}.`,
      facts.data['countsAsIncrease'] === true
        ? 'It is an increase that counts: the next is allowed six months later.'
        : null,
      facts.inside('replaces') === null ? null : 'It replaces the pending change.',
      reasonOf(facts),
    ],
  },
  'amount_change.withdrawn': {
    rule: UNFROZEN,
    says: (facts) => [
      say`${facts.actor} withdrew the change to ${facts.money('amount')}${fromCycle(facts)}.`,
      say`${facts.money('previousAmount')} is collected as before.`,
      reasonOf(facts),
    ],
  },
  'amount_change.dropped': {
    rule: by('reason', AMOUNT_RULES, DROPPED),
    says: (facts) => [
      say`The change to ${facts.money('amount')} was dropped when cycle ${facts.number('cycle')} was about to collect it: ${phrase(facts.text('reason'), DROPPED_BECAUSE)}.`,
      say`${facts.money('previousAmount')} is collected, and operators are alerted.`,
    ],
  },
  'amount_change.applied': {
    rule: ours(21, 'The current amount is the last one collected'),
    says: (facts) => [
      say`Cycle ${facts.number('cycle')} was collected at ${facts.money('amount')}; the amount before was ${facts.money('previousAmount')}.`,
    ],
  },
  'amount_change.refused': {
    rule: by('rule', AMOUNT_RULES, INCREASE),
    says: (facts) => [
      say`${facts.actor} asked for ${facts.money('amount')}${fromCycle(facts)}; it was refused${why(facts)}`,
    ],
  },
  'amount_change.announcing': {
    rule: NOTIFIED_AHEAD,
    says: (facts) => [
      say`The payer is being notified that cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}, collects ${facts.money('amount')} instead of ${facts.money('previousAmount')}.`,
    ],
  },
  'amount_change.notice_delivered': {
    rule: NOTIFIED_AHEAD,
    says: (facts) => [
      say`The payer was notified of the increase to ${facts.money('amount')}${fromCycle(facts)}; the notice was delivered on ${facts.time('at')}.`,
    ],
  },
  'amount_change.notice_undeliverable': {
    rule: DROPPED,
    says: (facts) => [
      say`The payer could not be notified of the increase to ${facts.money('amount')}${fromCycle(facts)}, so it will not be collected.`,
      reasonOf(facts),
    ],
  },
} satisfies Events;

function fromCycle(facts: Facts): string {
  return (
    say` from cycle ${facts.number('fromCycle')} on, due on ${facts.time('effectiveAt')}` ??
    say` from cycle ${facts.number('fromCycle')} on` ??
    ''
  );
}
