/**
 * Rules of the service that can be broken on purpose: to see that a check of such a service notices. Each says what
 * the service then does.
 */
export const BREAKABLE_RULES = {
  'consent-session': 'a consent can be given after the 10 minutes of its session',
  'cancelled-consent': 'a subscription is collected after the merchant cancelled it',
  'token-life': 'an access token works for longer than its 300 seconds',
  'capture-amount': 'a single capture may be larger than what is authorized',
  'capture-total': 'several captures may together be larger than what is authorized',
  'capture-period': 'a capture may be made after the validity has ended',
  expiry: 'an authorization stays successful when its validity ends',
  'release-before-capture': 'an authorization can be cancelled after a capture',
  'multiple-needs-partial': 'multipleCapture alone, without partialCapture, permits several captures',
  'final-capture': 'a final capture does not close the payment',
  'longest-time-to-capture': 'timeToCapture may be longer than 864000 seconds',
  'category-maximum': 'merchants of restricted categories may capture more than 50 EUR',
  'refund-total': 'refunds may together be larger than what was captured',
  'refund-names-capture': 'a refund need not name its capture where there are several',
  'first-amount': 'the first payment of a subscription may be of another amount than its consent',
  deviation: 'a subscription may be collected further than 120 hours from its date',
  'one-debit-per-date': 'a subscription may be collected again on a date that is paid, as often as it is asked for',
  'three-retries': 'a subscription payment may be tried more than three times again',
  'weekly-cap': 'a weekly amount may be raised above its cap',
  'six-months': 'an amount may be raised again within 6 months',
} as const;

export type BreakableRule = keyof typeof BREAKABLE_RULES;

/** The rules that are broken; none in a service as it should be. */
export type BrokenRules = ReadonlySet<BreakableRule>;

export const NONE_BROKEN: BrokenRules = new Set();

export function isBreakableRule(name: string): name is BreakableRule {
  return Object.hasOwn(BREAKABLE_RULES, name);
}
