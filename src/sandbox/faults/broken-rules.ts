/**
 * Rules of the service that can be broken on purpose, to verify that the conformance kit notices. Each text says what the
 * service then does.
 */
export const BREAKABLE_RULES = {
  'consent-session': 'a consent can be given after the 10 minutes of its session',
  'cancelled-consent': 'a subscription is collected after the merchant cancelled it',
  'token-life': 'an access token works for longer than its 300 seconds',
  'capture-amount': 'a single capture may exceed the authorized amount',
  'capture-total': 'several captures together may exceed the authorized amount',
  'capture-period': 'a capture may be made after the authorization has expired',
  expiry: 'an authorization stays successful when it expires',
  'release-before-capture': 'an authorization can be cancelled after a capture',
  'multiple-needs-partial': 'multipleCapture alone, without partialCapture, permits several captures',
  'final-capture': 'a final capture does not close the payment',
  'longest-time-to-capture': 'timeToCapture may be longer than 864000 seconds',
  'category-maximum': 'merchants of restricted categories may capture more than 50 EUR',
  'refund-total': 'refunds together may exceed the captured amount',
  'refund-names-capture': 'a refund need not name its capture if there are several',
  'first-amount': 'the first payment of a subscription may differ from the consent amount',
  deviation: 'a subscription may be collected more than 120 hours from its date',
  'one-debit-per-date': 'a subscription may be collected again on a date that is already paid, any number of times',
  'three-retries': 'a subscription payment may be retried more than three times',
  'weekly-cap': 'a weekly amount may be raised above its cap',
  'six-months': 'an amount may be raised again within 6 months',
} as const;

export type BreakableRule = keyof typeof BREAKABLE_RULES;

/** The broken rules; empty for a correct service. */
export type BrokenRules = ReadonlySet<BreakableRule>;

export const NONE_BROKEN: BrokenRules = new Set();

export function isBreakableRule(name: string): name is BreakableRule {
  return Object.hasOwn(BREAKABLE_RULES, name);
}
