import { type Events, type Facts, phrase, reasonOf, say } from './event';

/** Names of the calls that a second person approves. Any other call is named by its operation. */
const CALLS = {
  refundCycle: 'a refund',
  refundPayment: 'a refund',
  capturePayment: 'a capture',
  changeAmount: 'a change of amount',
  resolveCycle: 'the resolution of an unresolved attempt',
  resolveCapture: 'the resolution of an unresolved capture',
  resolveRefund: 'the resolution of an unresolved refund',
  importSubscriptions: 'an import of mandates',
  bulk: 'a bulk action on subscriptions',
  createKey: 'an admin key',
  rotateKey: "the rotation of another person's admin key",
};

export const APPROVAL_EVENTS = {
  'approval.requested': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} (${facts.text('holder')}) asked for ${theCall(facts)}: a second person must approve it before ${facts.time('expiresAt')} (real time).`,
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
