import type { Activities } from './activities';
import type { HousekeepingActivities } from './housekeeping';
import type { PaymentActivities } from './payments';
import type { RefundActivities } from './refunds';

export type AllActivities = Activities & RefundActivities & PaymentActivities & HousekeepingActivities;

/**
 * Work that must not wait for other work has a queue and slots of its own (rule 31): what only writes to the ledger; what
 * people and payers wait for; and what collects, however much of it is due at once.
 */
export const QUEUES = ['ledger', 'people', 'collecting'] as const;
export type Queue = (typeof QUEUES)[number];

/** @param taskQueue of the workflows, which carry no activity of their own any more */
export function queueName(taskQueue: string, queue: Queue): string {
  return `${taskQueue}/${queue}`;
}

export const QUEUE_OF: Readonly<Record<keyof AllActivities, Queue>> = {
  record: 'ledger',
  readLedger: 'ledger',
  discardDraft: 'ledger',
  discardPayment: 'ledger',
  resolveAttempt: 'ledger',
  announceDeadline: 'ledger',
  requestConsent: 'people',
  adoptConsent: 'people',
  awaitConsent: 'people',
  lookAtConsent: 'people',
  cancelConsent: 'people',
  requestPayment: 'people',
  followPayment: 'people',
  lookAtPayment: 'people',
  capturePayment: 'people',
  releasePayment: 'people',
  expirePayment: 'people',
  refundPayment: 'people',
  collectPayment: 'collecting',
  notifyPayer: 'collecting',
  announceIncrease: 'collecting',
  deliverNotice: 'collecting',
  lookAtConsentsDue: 'collecting',
  lookForOrphans: 'collecting',
  reconcileLedger: 'collecting',
  removeLeftovers: 'collecting',
};

export function isKnownActivity(type: string): type is keyof AllActivities {
  return Object.hasOwn(QUEUE_OF, type);
}
