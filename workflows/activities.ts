import { msToNumber } from '@temporalio/common/lib/time';
import {
  ActivityCancellationType,
  type ActivityInterfaceFor,
  type ActivityOptions,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { type Activities, LONGEST_REQUEST_TIMEOUT } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { OrderActivities, PaymentActivities } from '../src/contract/payments';
import { type ClockSetting, scaledTimeout } from '../src/contract/steps';
import { baseQueue, queueName, queueOf } from '../src/contract/workflows';

type All = Activities & PaymentActivities & OrderActivities & HousekeepingActivities;

/**
 * Of one run: the token, which may be asked for twice, the checks before a send, the send, and the polls in place; with room
 * for a list that comes in pages.
 */
const REQUESTS_OF_A_RUN = 12;

const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
/** A caller waits for the answer. */
const QUICK_RETRY = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
} as const;

/**
 * Activities are repeated until they answer: what they do is safe to repeat, and giving up would lose a date. A dead
 * worker is noticed by its missing heartbeat; the time-out of the whole stays above the sum of a run's requests, whatever
 * time-out a request is configured to have.
 */
const UNTIL_ANSWERED: ActivityOptions = {
  // One with a request on the wire ends with its result, which is in the ledger.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  startToCloseTimeout: REQUESTS_OF_A_RUN * LONGEST_REQUEST_TIMEOUT,
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
};

/** Ledger only. */
const DECISION: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: QUICK_RETRY,
};

/** A lost `POST /payments` is not repeated: without its redirectURL the payer cannot approve it (rule 18). */
const ONCE: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 1 },
};

/** Daily work over every subscription: it may take hours, and is given up rather than done a day late. */
const DAILY: ActivityOptions = { scheduleToCloseTimeout: '12 hours', heartbeatTimeout: '20 seconds', retry: RETRY };

/** The options of each activity, and the summary that Temporal's Web UI shows beside it unless its caller gives a more specific one. */
const OPTIONS: Readonly<Record<keyof All, readonly [ActivityOptions, summary: string]>> = {
  decide: [DECISION, 'decide the next step'],
  decidePayment: [DECISION, 'decide the next step'],
  decideDaily: [DECISION, 'decide the next step'],
  requestConsent: [ONCE, 'request a consent session from the service'],
  requestPayment: [ONCE, 'request a consent session from the service'],
  awaitConsent: [UNTIL_ANSWERED, "wait for the payer's answer"],
  checkConsent: [UNTIL_ANSWERED, 'check the consent at the service'],
  cancelConsent: [UNTIL_ANSWERED, 'cancel the consent at the service'],
  collectPayment: [UNTIL_ANSWERED, 'collect'],
  followAttempt: [UNTIL_ANSWERED, 'follow the attempt to its outcome'],
  refundPayment: [UNTIL_ANSWERED, 'refund'],
  followPayment: [UNTIL_ANSWERED, 'poll the payment'],
  capturePayment: [UNTIL_ANSWERED, 'capture'],
  releasePayment: [UNTIL_ANSWERED, 'release what was authorized'],
  checkPayment: [{ startToCloseTimeout: '2 minutes', retry: QUICK_RETRY }, 'check the payment at the service'],
  checkDueConsents: [DAILY, 'check the consents of subscriptions that fall due'],
  findOrphans: [DAILY, 'find subscriptions and payments without a workflow'],
  removeLeftovers: [DAILY, 'remove what is no longer needed'],
  // It ends by itself at the end of its day.
  reconcileLedger: [{ ...DAILY, scheduleToCloseTimeout: '30 hours' }, 'compare the ledger with the service'],
};

export const activities = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, [options, summary]]) => [
    name,
    proxyActivities<All>({ ...options, summary })[name as keyof All],
  ]),
) as ActivityInterfaceFor<All>;

/** Within the workflow task: no event of its own, and no retry. */
export const here = proxyLocalActivities<Pick<All, 'decide' | 'decidePayment'>>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
  summary: 'decide the next step',
});

/**
 * Sends each activity to the queue of its kind. On a test clock that runs ahead, the waits of all activities are shorter: see
 * {@link scaledTimeout}. Which options an activity has is no part of a history's order of commands: histories in which they were
 * others replay.
 */
export function interceptors(): WorkflowInterceptors {
  let clock: ClockSetting | null = null;
  return {
    inbound: [
      {
        execute(input, next) {
          const [first] = input.args as [{ readonly clock?: ClockSetting | null }?];
          clock = first?.clock ?? null;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          const options = clock === null ? input.options : scaled(input.options, clock);
          return next({ ...input, options: { ...options, ...onQueueOf(input.activityType) } });
        },
      },
    ],
  };
}

function onQueueOf(activityType: string): Pick<ActivityOptions, 'taskQueue'> {
  const queue = queueOf(activityType);
  return queue === null ? {} : { taskQueue: queueName(baseQueue(workflowInfo().taskQueue), queue) };
}

/** Milliseconds, or a text such as `20 seconds`. */
type Wait = string | number;

interface Waits {
  readonly heartbeatTimeout?: Wait;
  readonly startToCloseTimeout?: Wait;
  readonly retry?: { readonly maximumInterval?: Wait };
}

/** An activity with a heartbeat may take long; one without is found dead by its time-out. */
function scaled(options: ActivityOptions, clock: ClockSetting): ActivityOptions {
  const short = (wait: Wait) => scaledTimeout(clock, msToNumber(wait));
  const { heartbeatTimeout: beat, startToCloseTimeout: whole, retry } = options as Waits;
  return {
    ...options,
    ...(beat === undefined ? {} : { heartbeatTimeout: short(beat) }),
    ...(beat !== undefined || whole === undefined ? {} : { startToCloseTimeout: short(whole) }),
    ...(retry?.maximumInterval === undefined
      ? {}
      : { retry: { ...options.retry, maximumInterval: short(retry.maximumInterval) } }),
  };
}
