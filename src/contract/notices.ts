/** Notices about the current state of a subscription. */
export const STATE_NOTICES = [
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancelled',
  'subscription.completed',
] as const;

/** Notices to the payer: only these may carry a payer's name, and only on delivery. */
export const PAYER_NOTICES = [
  'payment.failed',
  'payment.increase_announced',
  'payment.upcoming',
  ...STATE_NOTICES,
] as const;

/** Notices to the merchant. */
export const MERCHANT_NOTICES = [
  'consent.failed',
  'cycle.missed',
  'cycle.failed',
  'cycle.unresolved',
  'capture.deadline_near',
] as const;

export type NoticeKind = (typeof PAYER_NOTICES)[number] | (typeof MERCHANT_NOTICES)[number];

/** The languages of notices to payers; the first is the default. */
export const LANGUAGES = ['en', 'de', 'fr', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isForPayer(kind: NoticeKind): kind is (typeof PAYER_NOTICES)[number] {
  return (PAYER_NOTICES as readonly NoticeKind[]).includes(kind);
}
