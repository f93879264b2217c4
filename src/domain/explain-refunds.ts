import { type Explanation, type Facts, say } from './event-facts';
import type { REFUND_EVENTS } from './event-types';
import { closed, reasonOf, stateOf, why } from './explanation-words';

export const REFUND_WORDS: Readonly<Record<(typeof REFUND_EVENTS)[number], Explanation>> = {
  'refund.requested': (facts) => [
    say`${facts.actor} ordered a refund of ${facts.money('amount')}${ofCycle(facts)}.`,
    reasonOf(facts),
  ],
  'refund.refused': (facts) => [
    say`${facts.actor} asked to refund ${facts.money('amount')}${ofCycle(facts)}; it was refused${why(facts)}`,
  ],
  'refund.sending': (facts) => [
    say`${theRefund(facts)} of ${facts.money('amount')} is sent now, for capture ${facts.text('captureId')}.`,
    'Nothing that the service listed stood in the way.',
  ],
  'refund.pending': (facts) => [
    say`The service has the refund${ofCycle(facts)} as ${facts.text('serviceRefundId')}, and it is pending.`,
  ],
  'refund.successful': (facts) => [say`${theRefund(facts)} was made: ${facts.money('amount')}.`],
  'refund.failed': (facts) => [
    say`${theRefund(facts)} has failed: ${facts.text('detail')}.`,
    say`The service says: ${closed(facts.text('description'))}`,
  ],
  'refund.not_sent': (facts) => [say`${theRefund(facts)} did not reach the service.`, reasonOf(facts)],
  'refund.unknown': (facts) => [
    say`Whether the refund${ofCycle(facts)} reached the service is not known.`,
    'The service is asked; nothing is sent again before that is settled.',
    reasonOf(facts),
  ],
  'refund.unresolved': (facts) => [
    say`What the service says does not tell what became of the refund${ofCycle(facts)}.`,
    reasonOf(facts),
  ],
  'refund.contradicted': (facts) => [
    say`${theRefund(facts)} is ${stateOf(facts, 'stands')} in the ledger, and the service now says ${stateOf(facts, 'found')}.`,
    'What stands is kept; a person must look.',
  ],
  'refund.stopped': (facts) => [
    say`${theRefund(facts)} is stopped: ${closed(facts.text('reason'))}`,
    'It could be the same refund made twice.',
  ],
  'refund.cannot_be_sent': (facts) => [
    say`${theRefund(facts)} cannot be sent at present, and is tried again.`,
    reasonOf(facts),
  ],
  'refund.clocks_differ': (facts) => [
    say`${theRefund(facts)} waits: ${closed(facts.text('reason'))}`,
    'Nothing is sent until both agree to a minute.',
  ],
  'refund.halted': (facts) => [
    say`${theRefund(facts)} waits: all sending is halted.`,
    'It is made once the halt is lifted.',
  ],
  'refunds.unreadable': (facts) => [
    say`${theRefund(facts)} waits: the service's list of refunds cannot be read.`,
    reasonOf(facts),
  ],
};

function theRefund(facts: Facts): string | null {
  return `The refund${ofCycle(facts)}`;
}

/** A refund of a one-time payment has no cycle. */
function ofCycle({ number }: Facts): string {
  return say` of cycle ${number('cycle')}` ?? '';
}
