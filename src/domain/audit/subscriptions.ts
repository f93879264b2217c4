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
  STANDS_BY,
  STATE_RULES,
  TOLD_AHEAD,
  UNFROZEN,
  amountRule,
  by,
  ours,
  quoted,
} from './rules';

export const NOT_GIVEN = {
  timeout: 'The payer did not answer within 10 minutes',
  declined: 'The payer declined the consent',
  aborted: 'The payer broke off before giving the consent',
};

/** What may be asked of a subscription, and how it reads behind "asked". */
const REQUESTS = {
  pause: 'to pause the subscription',
  resume: 'to resume the subscription',
  cancel: 'to cancel the subscription',
  skip: 'to skip the cycle',
  retry: 'for the next attempt at once',
  resolve: 'to settle the cycle',
  change_amount: 'to change the amount',
  withdraw_change: 'to take back the change of amount',
  check_consent: 'to look at the consent',
  acknowledge: 'to clear what needs attention',
  restart: 'to begin its workflow anew',
};

export type Asked = keyof typeof REQUESTS;

export const SUBSCRIPTION_EVENTS = {
  'subscription.requested': {
    rule: ours(2, 'firstPaymentAt is not before now and not before startAt.'),
    says: (facts) => [
      say`${facts.actor} asked for a ${repetition(facts)} subscription of ${facts.money('amount')}, first due on ${facts.time('firstPaymentAt')}.`,
      say`It ends at ${facts.time('endAt')}.`,
      say`It is to take the place of ${facts.text('replaces')}.`,
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
      'Cycles that fall due in the pause are skipped, for good.',
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
      'No new attempt begins from now on, and the consent is being ended at the service.',
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
      say`Subscription ${facts.text('by')} is to take the place of this one.`,
      say`Cycles due from ${facts.time('from')} on are left to it.`,
    ],
  },
  'subscription.replacement_failed': {
    rule: REPLACED,
    says: (facts) => [
      say`Subscription ${facts.text('by')} was cancelled, or its consent not given, so it does not take the place of this one.`,
    ],
  },
  'subscription.replaced': {
    rule: REPLACED,
    says: (facts) => [
      say`Subscription ${facts.text('by')} is active and takes the place of this one from ${facts.time('from')} on.`,
      'This one is cancelled.',
    ],
  },
  'subscription.orphaned': {
    rule: STANDS_BY,
    says: () => ['No workflow runs for the subscription, though it is not over. Restart it.'],
  },
  'subscription.restarted': {
    rule: STANDS_BY,
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
      say`Waits for a person now: ${attentionItemsOf(facts, 'is')}.` ?? 'Nothing waits for a person any more.',
      say`Before: ${attentionItemsOf(facts, 'was')}.`,
    ],
  },
  'attention.acknowledged': {
    rule: ATTENTION,
    says: (facts) => [
      say`${facts.actor} has seen what waited for a person: ${attentionItemsOf(facts, 'matters')}.`,
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
  not_announced: 'the payer could not be told of the increase in time',
  first_payment: 'no payment has been collected yet, and the first must equal the consent amount',
  cap: 'it is above the maximum amount for an increase with this repetition',
  consent_above_cap: 'the consent amount is above the maximum amount for an increase with this repetition',
  six_months: 'the last increase is less than six months ago',
};

export const AMOUNT_EVENTS = {
  'amount_change.accepted': {
    rule: amountRule,
    says: (facts) => [
      say`${facts.actor} changed the amount from ${facts.money('previousAmount')} to ${facts.money('amount')}${fromCycle(facts)}.`,
      facts.data['countsAsIncrease'] === true
        ? 'It is an increase that counts: the next is allowed six months later.'
        : null,
      facts.inside('replaces') === null ? null : 'The change that was pending is taken back.',
      reasonOf(facts),
    ],
  },
  'amount_change.withdrawn': {
    rule: UNFROZEN,
    says: (facts) => [
      say`${facts.actor} took back the change to ${facts.money('amount')}${fromCycle(facts)}.`,
      say`${facts.money('previousAmount')} is collected as before.`,
      reasonOf(facts),
    ],
  },
  'amount_change.dropped': {
    rule: by('reason', AMOUNT_RULES, DROPPED),
    says: (facts) => [
      say`The change to ${facts.money('amount')} was dropped as cycle ${facts.number('cycle')} was to collect it: ${phrase(facts.text('reason'), DROPPED_BECAUSE)}.`,
      say`${facts.money('previousAmount')} is collected, and people are alerted.`,
    ],
  },
  'amount_change.applied': {
    rule: ours(21, 'The current amount is the last one collected'),
    says: (facts) => [
      say`Cycle ${facts.number('cycle')} was collected at ${facts.money('amount')}, after ${facts.money('previousAmount')} before.`,
    ],
  },
  'amount_change.refused': {
    rule: by('rule', AMOUNT_RULES, INCREASE),
    says: (facts) => [
      say`${facts.actor} asked for ${facts.money('amount')}${fromCycle(facts)}; it was refused${why(facts)}`,
    ],
  },
  'amount_change.announcing': {
    rule: TOLD_AHEAD,
    says: (facts) => [
      say`The payer is being told that cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}, collects ${facts.money('amount')} instead of ${facts.money('previousAmount')}.`,
    ],
  },
  'amount_change.notice_delivered': {
    rule: TOLD_AHEAD,
    says: (facts) => [
      say`The payer was told of the increase to ${facts.money('amount')}${fromCycle(facts)}; the notice was delivered on ${facts.time('at')}.`,
    ],
  },
  'amount_change.notice_undeliverable': {
    rule: DROPPED,
    says: (facts) => [
      say`The payer could not be told of the increase to ${facts.money('amount')}${fromCycle(facts)}, so it will not be collected.`,
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
