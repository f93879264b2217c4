import { type Events, type Facts, phrase, reasonOf, say } from './event';

/** Of calls that a second person approves. Any other call is named by its operation. */
const CALLS = {
  refundCycle: 'a refund',
  refundPayment: 'a refund',
  capturePayment: 'a capture',
  changeAmount: 'a change of amount',
  resolveCycle: 'a word on an attempt that is unresolved',
  resolveCapture: 'a word on a capture that is unresolved',
  resolveRefund: 'a word on a refund that is unresolved',
  importSubscriptions: 'an import of mandates',
  bulk: 'one action for many subscriptions',
  createKey: 'an admin key',
  rotateKey: "a new key in the place of another person's admin key",
};

export const APPROVAL_EVENTS = {
  'approval.requested': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} (${facts.text('holder')}) asked for ${theCall(facts)}: a second person must approve it until ${facts.time('expiresAt')} (real time).`,
    ],
  },
  'approval.approved': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} (${facts.text('holder')}) approved what ${facts.text('requestedBy')} asked for: ${theCall(facts)}.`,
      reasonOf(facts),
    ],
  },
  'approval.rejected': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} rejected what ${facts.text('requestedBy')} asked for: ${theCall(facts)}.`,
      reasonOf(facts),
    ],
  },
  'approval.used': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} used the approval of ${facts.text('decidedBy')} for ${theCall(facts)}. It permits no other request.`,
    ],
  },
} satisfies Events;

/** `a refund of 5.00 EUR (approval 0a1b)`. */
function theCall(facts: Facts): string | null {
  const amount = say` of ${facts.money('amount')}` ?? '';
  return say`${phrase(facts.text('operation'), CALLS)}${amount} (approval ${facts.text('approvalId')})`;
}
