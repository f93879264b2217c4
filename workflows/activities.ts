import {
  ActivityCancellationType,
  type ActivityInterfaceFor,
  type ActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import { type Activities, LONGEST_REQUEST_TIMEOUT } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { OrderActivities, PaymentActivities } from '../src/contract/payments';

type All = Activities & PaymentActivities & OrderActivities & HousekeepingActivities;

/**
 * Activities with the same options, each with a summary: Temporal's Web UI shows it beside the activity, unless its
 * caller gives a more specific one.
 */
function proxyEach<Name extends keyof All>(
  options: ActivityOptions,
  summaries: Readonly<Record<Name, string>>,
): Pick<ActivityInterfaceFor<All>, Name> {
  const each = Object.entries<string>(summaries) as [Name, string][];
  const proxies = each.map(([name, summary]) => [name, proxyActivities<All>({ ...options, summary })[name]]);
  return Object.fromEntries(proxies) as Pick<ActivityInterfaceFor<All>, Name>;
}

/**
 * Of one run: the token, which may be asked for twice, the checks before a send, the send, and the polls in place; with room
 * for a list that comes in pages.
 */
const REQUESTS_OF_A_RUN = 12;

/**
 * Activities are repeated until they answer: what they do is safe to repeat, and giving up would lose a date. A dead
 * worker is noticed by its missing heartbeat; the time-out of the whole stays above the sum of a run's requests, whatever
 * time-out a request is configured to have.
 */
const untilAnswered: ActivityOptions = {
  // One with a request on the wire ends with its result, which is in the ledger.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  startToCloseTimeout: REQUESTS_OF_A_RUN * LONGEST_REQUEST_TIMEOUT,
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

export const {
  awaitConsent,
  checkConsent,
  cancelConsent,
  collectPayment,
  followAttempt,
  refundPayment,
  followPayment,
  capturePayment,
  releasePayment,
} = proxyEach(untilAnswered, {
  awaitConsent: "wait for the payer's answer",
  checkConsent: 'check the consent at the service',
  cancelConsent: 'cancel the consent at the service',
  collectPayment: 'collect',
  followAttempt: 'follow the attempt to its outcome',
  refundPayment: 'refund',
  followPayment: 'poll the payment',
  capturePayment: 'capture',
  releasePayment: 'release what was authorized',
});

/** A caller waits for the answer. */
export const { checkPayment } = proxyEach(
  {
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
  { checkPayment: 'check the payment at the service' },
);

/** Ledger only: short, and repeated quickly, as a caller waits for the answer. */
export const { decide, decidePayment, decideDaily } = proxyEach(
  {
    startToCloseTimeout: '30 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
  {
    decide: 'decide the next step',
    decidePayment: 'decide the next step',
    decideDaily: 'decide the next step',
  },
);

/** The same within the workflow task: no event of its own, and no retry. */
export const { decide: decideHere, decidePayment: decidePaymentHere } = proxyLocalActivities<
  Pick<All, 'decide' | 'decidePayment'>
>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
  summary: 'decide the next step',
});

/** A lost `POST /payments` is not repeated: without its redirectURL the payer cannot approve it (rule 18). */
const once: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
};

export const { requestConsent, requestPayment } = proxyEach(once, {
  requestConsent: 'request a consent session from the service',
  requestPayment: 'request a consent session from the service',
});

const daily: ActivityOptions = {
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Daily work over every subscription: it may take hours, and is given up rather than done a day late. */
export const { checkDueConsents, findOrphans, removeLeftovers } = proxyEach(daily, {
  checkDueConsents: 'check the consents of subscriptions that fall due',
  findOrphans: 'find subscriptions and payments without a workflow',
  removeLeftovers: 'remove what is no longer needed',
});

/** It ends by itself at the end of its day. */
export const { reconcileLedger } = proxyEach(
  { ...daily, scheduleToCloseTimeout: '30 hours' },
  { reconcileLedger: 'compare the ledger with the service' },
);
