/** The subject of a write, from the event stream: neither id if it concerns no subscription and no payment. */
export interface Change {
  readonly subscriptionId?: string;
  readonly paymentId?: string;
}

/** Stream events that report a write. The second is for writes without a subject, such as a halt or a key. */
export const CHANGE_EVENTS = ['change', 'installation_change'] as const;

/** Collections that any write can change. */
const ALWAYS = [
  'attention',
  'reports',
  'audit',
  'notices',
  'transactions',
  'webhook-endpoints',
  'approvals',
  'keys',
  'holds',
];

/** What is out of date after the change: collections, and single records such as `payment/pay_a`. */
export function outdatedBy({ subscriptionId, paymentId }: Change): readonly string[] {
  return [
    ...(subscriptionId === undefined ? [] : [`subscription/${subscriptionId}`, 'subscriptions']),
    ...(paymentId === undefined ? [] : [`payment/${paymentId}`, 'payments']),
    ...ALWAYS,
  ];
}
