import { proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { PaymentActivities, RefundActivities } from '../src/contract/payments';

/**
 * Activities are repeated until they answer: what they do is safe to repeat, and giving up would lose a date. A dead
 * worker is noticed by its missing heartbeat; the time-out of the whole stays above the sum of an attempt's requests.
 */
const untilAnswered: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

export const { awaitConsent, lookAtConsent, cancelConsent, notifyPayer, announceIncrease, deliverNotice } =
  proxyActivities<Activities>(untilAnswered);

export const { collectPayment } = proxyActivities<Activities>(untilAnswered);

export const { refundPayment } = proxyActivities<RefundActivities>(untilAnswered);

export const { followPayment, capturePayment, releasePayment, announceDeadline, expirePayment } =
  proxyActivities<PaymentActivities>(untilAnswered);

/** A person waits for the answer. */
export const { lookAtPayment, discardPayment } = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** A caller waits for the answer: repeated quickly. The activity itself gives up, as it knows what it has written. */
export const { adoptConsent } = proxyActivities<Activities>({
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Ledger only: short, and repeated quickly, as a person waits for the answer. */
export const { record, readLedger, discardDraft, resolveAttempt } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** A lost `POST /payments` is not repeated: without its redirectURL the payer cannot approve it (rule 18). */
const once: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
};

export const { requestConsent } = proxyActivities<Activities>(once);

export const { requestPayment } = proxyActivities<PaymentActivities>(once);

const daily: ActivityOptions = {
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Daily work over every subscription: for hours if need be, and given up rather than done a day late. */
export const { lookAtConsentsDue, lookForOrphans, removeLeftovers } = proxyActivities<HousekeepingActivities>(daily);

/** It ends by itself where its day does. */
export const { reconcileLedger } = proxyActivities<HousekeepingActivities>({
  ...daily,
  scheduleToCloseTimeout: '30 hours',
});
