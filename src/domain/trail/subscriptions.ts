import {
  type Explanation,
  type Facts,
  say,
  type SUBSCRIPTION_EVENTS,
  mattersOf,
  phrase,
  reasonOf,
  why,
  type AMOUNT_EVENTS,
} from './event';

const REPETITIONS = {
  WEEKLY: 'weekly',
  MONTHLY: 'monthly',
  QUARTERLY: 'quarterly',
  HALF_YEARLY: 'half-yearly',
  YEARLY: 'yearly',
};

const NOT_GIVEN = {
  timeout: 'The payer did not answer within 10 minutes',
  declined: 'The payer declined the consent',
  aborted: 'The payer broke off before giving the consent',
};

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
};

export const SUBSCRIPTION_WORDS: Readonly<Record<(typeof SUBSCRIPTION_EVENTS)[number], Explanation>> = {
  'subscription.requested': (facts) => [
    say`${facts.actor} asked for a ${repetition(facts)} subscription of ${facts.money('amount')}, first due on ${facts.time('firstPaymentAt')}.`,
    say`It ends at ${facts.time('endAt')}.`,
    say`It is to take the place of ${facts.text('replaces')}.`,
  ],
  'subscription.imported': (facts) => [
    say`${facts.actor} took over a consent that was granted elsewhere: ${repetition(facts)}, ${facts.money('amount')}.`,
    say`The first cycle collected here is cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}.`,
  ],
  'subscription.paused': (facts) => [
    say`${facts.actor} paused the subscription until ${facts.time('until') ?? 'somebody resumes it'}.`,
    'Cycles that fall due in the pause are skipped, for good.',
    reasonOf(facts),
  ],
  'subscription.resumed': (facts) => [
    say`${facts.actor} resumed the subscription, paused since ${facts.time('since')}.`,
    say`Cycles due from ${facts.time('at')} on are collected; nothing is collected for those skipped.`,
    reasonOf(facts),
  ],
  'subscription.cancel_requested': (facts) => [
    say`${facts.actor} asked to cancel the subscription.`,
    'No new attempt begins from now on, and the consent is being ended at the service.',
    reasonOf(facts),
  ],
  'subscription.cancelled': (facts) => [
    say`The consent has been ended by the ${facts.text('cancelledBy')}; the subscription is cancelled.`,
    'Nothing further is collected.',
    reasonOf(facts),
  ],
  'subscription.orphaned': () => ['No workflow runs for the subscription, though it is not over. Restart it.'],
  'subscription.restarted': (facts) => [
    say`${facts.actor} restarted the workflow of the subscription from the ledger.`,
    reasonOf(facts),
  ],
  'subscription.completed': (facts) => [
    say`Every cycle is final and nothing is open: after ${facts.number('cycles')} cycles the subscription is completed.`,
  ],
  'subscription.replacement_requested': (facts) => [
    say`Subscription ${facts.text('by')} is to take the place of this one.`,
    say`Cycles due from ${facts.time('from')} on are left to it.`,
  ],
  'subscription.replacement_failed': (facts) => [
    say`Subscription ${facts.text('by')} was cancelled, or its consent not given, so it does not take the place of this one.`,
  ],
  'subscription.replaced': (facts) => [
    say`Subscription ${facts.text('by')} is active and takes the place of this one from ${facts.time('from')} on.`,
    'This one is cancelled.',
  ],
  'consent.requested': (facts) => [
    say`The service has opened the consent session of payment ${facts.text('paymentId')}.`,
    'The payer has 10 minutes to answer.',
  ],
  'consent.granted': (facts) => [
    'The payer has given the consent: the subscription is active.',
    say`The first payment of ${facts.money('amount')} is due on ${facts.time('dueAt')}.`,
  ],
  'consent.failed': (facts) => [
    say`${phrase(facts.text('reason'), NOT_GIVEN)}: the consent was not given.`,
    'A new subscription is needed.',
  ],
  'attention.changed': (facts) => [
    say`Waits for a person now: ${mattersOf(facts, 'is')}.` ?? 'Nothing waits for a person any more.',
    say`Before: ${mattersOf(facts, 'was')}.`,
  ],
  'attention.acknowledged': (facts) => [
    say`${facts.actor} has seen what waited for a person: ${mattersOf(facts, 'matters')}.`,
    reasonOf(facts),
  ],
  'request.refused': (facts) => [
    say`${facts.actor} asked ${phrase(facts.text('request'), REQUESTS)}${ofCycle(facts)}; it was refused${why(facts)}`,
  ],
};

function repetition(facts: Facts): string | null {
  return phrase(facts.text('repetition'), REPETITIONS);
}

function ofCycle(facts: Facts): string {
  return say` (cycle ${facts.number('cycle')})` ?? '';
}

const DROPPED = {
  not_announced: 'the payer could not be told of the increase in time',
  first_payment: 'no payment has been collected yet, and the first must equal the consent amount',
  cap: 'it is above the maximum amount for an increase with this repetition',
  consent_above_cap: 'the consent amount is above the maximum amount for an increase with this repetition',
  six_months: 'the last increase is less than six months ago',
};

export const AMOUNT_WORDS: Readonly<Record<(typeof AMOUNT_EVENTS)[number], Explanation>> = {
  'amount_change.accepted': (facts) => [
    say`${facts.actor} changed the amount from ${facts.money('previousAmount')} to ${facts.money('amount')}${fromCycle(facts)}.`,
    facts.data['countsAsIncrease'] === true
      ? 'It is an increase that counts: the next is allowed six months later.'
      : null,
    facts.inside('replaces') === null ? null : 'The change that was pending is taken back.',
    reasonOf(facts),
  ],
  'amount_change.withdrawn': (facts) => [
    say`${facts.actor} took back the change to ${facts.money('amount')}${fromCycle(facts)}.`,
    say`${facts.money('previousAmount')} is collected as before.`,
    reasonOf(facts),
  ],
  'amount_change.dropped': (facts) => [
    say`The change to ${facts.money('amount')} was dropped as cycle ${facts.number('cycle')} was to collect it: ${phrase(facts.text('reason'), DROPPED)}.`,
    say`${facts.money('previousAmount')} is collected, and people are alerted.`,
  ],
  'amount_change.refused': (facts) => [
    say`${facts.actor} asked for ${facts.money('amount')}${fromCycle(facts)}; it was refused${why(facts)}`,
  ],
  'amount_change.announcing': (facts) => [
    say`The payer is being told that cycle ${facts.number('cycle')}, due on ${facts.time('dueAt')}, collects ${facts.money('amount')} instead of ${facts.money('previousAmount')}.`,
  ],
  'amount_change.notice_delivered': (facts) => [
    say`The payer was told of the increase to ${facts.money('amount')}${fromCycle(facts)}; the notice was delivered on ${facts.time('at')}.`,
  ],
  'amount_change.notice_undeliverable': (facts) => [
    say`The payer could not be told of the increase to ${facts.money('amount')}${fromCycle(facts)}, so it will not be collected.`,
    reasonOf(facts),
  ],
};

function fromCycle(facts: Facts): string {
  return (
    say` from cycle ${facts.number('fromCycle')} on, due on ${facts.time('effectiveAt')}` ??
    say` from cycle ${facts.number('fromCycle')} on` ??
    ''
  );
}
