/** Whose a write is, as the stream says it: neither where it concerns no subscription and no payment. */
export interface Change {
  readonly subscriptionId?: string;
  readonly paymentId?: string;
}

/** The stream's events that tell of a write. The second is of what has no subject, such as a halt or a key. */
export const CHANGE_EVENTS = ['change', 'installation_change'] as const;

/** What shows something of every subject, and of what has none. */
const ALWAYS = ['attention', 'reports', 'audit', 'notices', 'transactions', 'webhook-endpoints', 'approvals', 'keys'];

/** What is out of date after it: collections, and single things of them such as `payment/pay_a`. */
export function outdatedBy({ subscriptionId, paymentId }: Change): readonly string[] {
  return [
    ...(subscriptionId === undefined ? [] : [`subscription/${subscriptionId}`, 'subscriptions']),
    ...(paymentId === undefined ? [] : [`payment/${paymentId}`, 'payments']),
    ...ALWAYS,
  ];
}
