import {
  type Explanation,
  type Facts,
  say,
  type REFUND_EVENTS,
  closed,
  reasonOf,
  stateOf,
  why,
  type CAPTURE_EVENTS,
  type PAYMENT_EVENTS,
  phrase,
} from './event';

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

export const CAPTURE_WORDS: Readonly<Record<(typeof CAPTURE_EVENTS)[number], Explanation>> = {
  'capture.requested': (facts) => [
    say`${facts.actor} ordered a capture of ${facts.money('amount')}.`,
    facts.data['finalCapture'] === true ? 'It is the final one: what is left is released.' : null,
  ],
  'capture.refused': (facts) => [
    say`${facts.actor} asked to capture ${facts.money('amount')}; it was refused${why(facts)}`,
  ],
  'capture.sending': (facts) => [
    say`The capture of ${facts.money('amount')} is sent now.`,
    'Nothing that the service listed stood in the way.',
  ],
  'capture.pending': (facts) => [say`The service has the capture as ${facts.text('captureId')}, and it is pending.`],
  'capture.successful': (facts) => [say`The capture was made: ${facts.money('amount')}.`],
  'capture.failed': (facts) => [
    say`The capture has failed: ${facts.text('detail')}.`,
    say`The service says: ${closed(facts.text('description'))}`,
  ],
  'capture.not_sent': (facts) => ['The capture did not reach the service.', reasonOf(facts)],
  'capture.unknown': (facts) => [
    'Whether the capture reached the service is not known.',
    'The service is asked; nothing is sent again before that is settled.',
    reasonOf(facts),
  ],
  'capture.unresolved': (facts) => ['What the service says does not tell what became of the capture.', reasonOf(facts)],
  'capture.contradicted': (facts) => [
    say`The capture is ${stateOf(facts, 'stands')} in the ledger, and the service now says ${stateOf(facts, 'found')}.`,
    'What stands is kept; a person must look.',
  ],
  'capture.stopped': (facts) => [
    say`The capture is stopped: ${closed(facts.text('reason'))}`,
    'It could be the same capture made twice.',
  ],
  'capture.cannot_be_sent': (facts) => ['The capture cannot be sent at present, and is tried again.', reasonOf(facts)],
  'capture.clocks_differ': (facts) => [
    say`The capture waits: ${closed(facts.text('reason'))}`,
    'Nothing is sent until both agree to a minute.',
  ],
  'capture.halted': () => [
    'The capture waits: all sending is halted.',
    'It is made once the halt is lifted, if its deadline allows.',
  ],
  'captures.unreadable': (facts) => [
    "The capture waits: the service's list of captures cannot be read.",
    reasonOf(facts),
  ],
};

const PLANS = { SINGLE: 'Single Immediate', EVENT_DEPENDENT: 'Event Dependent' };

export const PAYMENT_WORDS: Readonly<Record<(typeof PAYMENT_EVENTS)[number], Explanation>> = {
  'payment.requested': (facts) => [
    say`${facts.actor} requested a payment of ${facts.money('amount')}, ${phrase(facts.text('plan'), PLANS)}.`,
  ],
  'payment.consent_granted': () => ['The payer has given consent.'],
  'payment.consent_failed': (facts) => ['The payer has not given consent.', reasonOf(facts)],
  'payment.authorized': (facts) => [
    say`The payer's bank has authorized ${facts.money('amount')}.`,
    say`Captures are taken before ${facts.time('captureBy')}.`,
  ],
  'payment.failed': (facts) => [
    say`The payment has failed: ${facts.text('detail')}.`,
    say`The service says: ${closed(facts.text('description'))}`,
  ],
  'payment.captured': (facts) => [say`The service has booked the payment: ${facts.money('amount')}.`],
  'payment.deadline_near': (facts) => [
    say`${facts.money('remaining')} are not captured yet, and can be until ${facts.time('captureBy')}.`,
  ],
  'payment.release_requested': (facts) => [
    say`${facts.actor} ordered the release of ${facts.money('amount')}: nothing will be captured.`,
    reasonOf(facts),
  ],
  'payment.release_refused': (facts) => [say`${facts.actor} asked for a release; it was refused${why(facts)}`],
  'payment.released': () => ['The service has released the authorization: the payer is not debited.'],
  'payment.expired': (facts) => [
    say`The deadline of ${facts.time('captureBy')} has passed: nothing more can be captured.`,
    say`${facts.money('captured')} were captured.`,
  ],
  'payment.orphaned': () => ['No workflow runs for the payment, though it is not over. Restart it.'],
  'payment.restarted': (facts) => [
    say`${facts.actor} restarted the workflow of the payment from the ledger.`,
    reasonOf(facts),
  ],
};
