import { type Explanation, type Facts, say } from './event-facts';
import type { AMOUNT_EVENTS } from './event-types';
import { phrase, reasonOf, why } from './explanation-words';

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
