import { type Explanation, say } from './event-facts';
import type { PAYMENT_EVENTS } from './event-types';
import { closed, phrase, reasonOf, why } from './explanation-words';

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
