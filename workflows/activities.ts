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
import { type Activities, MAX_REQUEST_TIMEOUT } from '../src/contract/activities';
import type { HousekeepingActivities } from '../src/contract/housekeeping';
import type { OrderActivities, PaymentActivities } from '../src/contract/payments';
import { type ClockSetting, scaledTimeout } from '../src/contract/steps';
import { baseQueue, type Queue, queueName } from '../src/contract/workflows';

type All = Activities & PaymentActivities & OrderActivities & HousekeepingActivities;

/**
 * Requests of one run of an activity: the token, possibly twice, the checks before a send, the send, and the polls that
 * it makes without leaving its slot, with some room for lists of several pages.
 */
const REQUESTS_PER_RUN = 12;

const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;
/** The retry policy of activities whose answer a caller waits for. */
const QUICK_RETRY = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
} as const;

/**
 * Activities are repeated until they return: repeating them is safe, and giving up would miss a due date. A dead worker is
 * detected by its missing heartbeat. The overall time-out exceeds the total of a run's requests for every configurable request
 * time-out.
 */
const UNTIL_ANSWERED: ActivityOptions = {
  // A cancelled activity with a request on the wire still ends with its result, which is in the ledger.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  startToCloseTimeout: REQUESTS_PER_RUN * MAX_REQUEST_TIMEOUT,
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
};

/** Options of activities that need only the ledger. */
const DECISION: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: QUICK_RETRY,
};

/**
 * Options of requests for a consent. A lost `POST /payments` is not repeated: the payer could not approve it without its redirectURL
 * (rule 18).
 */
const ONCE: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { ...RETRY, maximumAttempts: 1 },
};

/** Options of daily work over all subscriptions: it may take hours, and is given up rather than done a day late. */
const DAILY: ActivityOptions = { scheduleToCloseTimeout: '12 hours', heartbeatTimeout: '20 seconds', retry: RETRY };
/** Options of the daily comparison, which ends by itself at the end of its day. */
const COMPARISON: ActivityOptions = { ...DAILY, scheduleToCloseTimeout: '30 hours' };
/** Options of a single check, for which an operator may wait. */
const CHECK: ActivityOptions = { startToCloseTimeout: '2 minutes', retry: QUICK_RETRY };

interface ActivityDefinition {
  /**
   * Work that must not wait for other work has its own queue and slots (rule 31). Long work over many payments shares the queue
   * of collecting.
   */
  readonly queue: Queue;
  readonly options: ActivityOptions;
  /** Shown beside the activity in Temporal's Web UI, unless the caller gives a more specific text. */
  readonly summary: string;
}

const on = (queue: Queue, options: ActivityOptions, summary: string): ActivityDefinition => ({
  queue,
  options,
  summary,
});

/** The options of each activity. */
export const ACTIVITIES: Readonly<Record<keyof All, ActivityDefinition>> = {
  decide: on('ledger', DECISION, 'decide the next step'),
  decidePayment: on('ledger', DECISION, 'decide the next step'),
  decideDaily: on('ledger', DECISION, 'decide the next step'),
  requestConsent: on('interactive', ONCE, 'request a consent session from the service'),
  requestPayment: on('interactive', ONCE, 'request a consent session from the service'),
  awaitConsent: on('interactive', UNTIL_ANSWERED, "wait for the payer's answer"),
  checkConsent: on('interactive', UNTIL_ANSWERED, 'check the consent at the service'),
  cancelConsent: on('interactive', UNTIL_ANSWERED, 'cancel the consent at the service'),
  followPayment: on('interactive', UNTIL_ANSWERED, 'poll the payment'),
  checkPayment: on('interactive', CHECK, 'check the payment at the service'),
  capturePayment: on('interactive', UNTIL_ANSWERED, 'capture'),
  releasePayment: on('interactive', UNTIL_ANSWERED, 'release what was authorized'),
  refundPayment: on('interactive', UNTIL_ANSWERED, 'refund'),
  collectPayment: on('collecting', UNTIL_ANSWERED, 'collect'),
  followAttempt: on('collecting', UNTIL_ANSWERED, 'follow the attempt to its outcome'),
  checkDueConsents: on('collecting', DAILY, 'check the consents of subscriptions that fall due'),
  findOrphans: on('collecting', DAILY, 'find subscriptions and payments without a workflow'),
  removeLeftovers: on('collecting', DAILY, 'remove what is no longer needed'),
  reconcileLedger: on('collecting', COMPARISON, 'compare the ledger with the service'),
};

export const activities = Object.fromEntries(
  Object.entries(ACTIVITIES).map(([name, { options, summary }]) => [
    name,
    proxyActivities<All>({ ...options, summary })[name as keyof All],
  ]),
) as ActivityInterfaceFor<All>;

/** Decisions within the workflow task: each adds a single event to the history, and none is retried. */
export const localActivities = proxyLocalActivities<Pick<All, 'decide' | 'decidePayment'>>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
  summary: 'decide the next step',
});

/**
 * An attempt within the workflow task. The activity itself hands over to the queue: a time-out would only end the wait, not the
 * attempt, and so cause a second attempt.
 */
export const localCollecting = proxyLocalActivities<Pick<All, 'collectPayment'>>({
  startToCloseTimeout: REQUESTS_PER_RUN * MAX_REQUEST_TIMEOUT,
  retry: { maximumAttempts: 1 },
  summary: 'collect',
});

/**
 * Sends each activity to the queue of its kind. On a test clock that runs fast, its time-out and the longest wait between its tries
 * are shorter: see {@link scaledTimeout}. The options of an activity are not part of a history's order of commands, so histories
 * with other options can be replayed.
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

/** An activity that this release does not know stays on the queue of its workflow. */
function onQueueOf(activityType: string): Pick<ActivityOptions, 'taskQueue'> {
  if (!Object.hasOwn(ACTIVITIES, activityType)) return {};
  const { queue } = ACTIVITIES[activityType as keyof All];
  return { taskQueue: queueName(baseQueue(workflowInfo().taskQueue), queue) };
}

/** Milliseconds, or a text such as `20 seconds`. */
type Wait = string | number;

type Waits = Readonly<Partial<Record<'heartbeatTimeout' | 'startToCloseTimeout', Wait>>> & {
  readonly retry: { readonly maximumInterval: Wait };
};

/** An activity with a heartbeat may take long; the death of one without is detected by its time-out. */
function scaled(options: ActivityOptions, clock: ClockSetting): ActivityOptions {
  const { heartbeatTimeout, startToCloseTimeout, retry } = options as Waits;
  const short = (wait: Wait = 0) => scaledTimeout(clock, msToNumber(wait));
  const timeout =
    heartbeatTimeout === undefined
      ? { startToCloseTimeout: short(startToCloseTimeout) }
      : { heartbeatTimeout: short(heartbeatTimeout) };
  return { ...options, ...timeout, retry: { ...retry, maximumInterval: short(retry.maximumInterval) } };
}
