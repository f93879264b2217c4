import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { CONSENT_CHECK_WORKFLOW, PAYMENT_CHECK_WORKFLOW } from '../contract/messages';
import type { ConsentChecked, PaymentRef } from '../contract/activities';
import type { PaymentChecked, PaymentReference } from '../contract/payments';
import { interactiveQueue } from '../contract/workflows';
import { consentCheckWorkflowId, paymentCheckWorkflowId } from '../contract/workflow-ids';
import type { SubscriptionId } from '../domain/ids';
import { isTerminal } from '../domain/subscription/state';
import { scaledTimeout, SECOND } from '../domain/time';
import { getSubscription, type PaymentRecord, type SubscriptionRecord } from '../ledger';
import type { RequestOutcome } from './outcomes';
import { OR_JOIN } from './starts';
import { type TemporalDeps, unlessUnavailable, withTimeout } from './temporal';

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'db' | 'taskQueue'>;

/** A check is given up if the service has not answered within this time. */
const MAX_CHECK_TIME = 60 * SECOND;

/** Checks of one consent that are requested within this time after the start of a check share the next check. Real ms. */
const SHARED_WITHIN = 5 * SECOND;

/** Real ms. */
export interface CheckTimeouts {
  /** Wait until Temporal has accepted the check. */
  readonly startMs: number;
  /** Wait for the service's answer: a slower check stores its result in the ledger. */
  readonly answerMs: number;
}

/** Reads the consent in a short workflow, which writes any change to the ledger before it ends. */
export async function checkConsent(deps: Deps, id: SubscriptionId, timeouts: CheckTimeouts): Promise<RequestOutcome> {
  const subscription = await getSubscription(deps.db, id);
  if (subscription === null || isTerminal(subscription.status)) return { kind: 'done' };
  return check(deps, timeouts, () => startConsentCheck(deps, subscription));
}

async function startConsentCheck(deps: Deps, { subscriptionId, paymentId }: SubscriptionRecord) {
  const { client, taskQueue } = deps;
  if (paymentId === null) throw new Error(`the subscription ${subscriptionId} has no payment`);
  return client.workflow.start<(reference: PaymentRef) => Promise<ConsentChecked>>(CONSENT_CHECK_WORKFLOW, {
    ...(await joining(deps, consentCheckWorkflowId(subscriptionId))),
    taskQueue: interactiveQueue(taskQueue),
    args: [{ subscriptionId, paymentId }],
    staticSummary: `check the consent of ${subscriptionId}`,
  });
}

/** Reads a one-time payment in a short workflow, which writes any change to the ledger before it ends. */
export async function checkPayment(
  deps: Deps,
  { requestId, paymentId }: PaymentRecord,
  timeouts: CheckTimeouts,
): Promise<RequestOutcome> {
  const { client, taskQueue } = deps;
  return check(deps, timeouts, async () =>
    client.workflow.start<(reference: PaymentReference) => Promise<PaymentChecked>>(PAYMENT_CHECK_WORKFLOW, {
      ...(await joining(deps, paymentCheckWorkflowId(requestId))),
      taskQueue: interactiveQueue(taskQueue),
      args: [{ paymentId }],
      staticSummary: `check the consent of payment ${paymentId}`,
    }),
  );
}

/**
 * The options with which a check is started: a check that waits or runs is joined, and one that is requested soon after another
 * first waits, so that later requests can join it.
 */
async function joining(deps: Deps, workflowId: string) {
  const startDelay = await delayOf(deps, workflowId);
  const shared = { workflowId, ...OR_JOIN, workflowExecutionTimeout: MAX_CHECK_TIME };
  return { ...shared, ...(startDelay > 0 ? { startDelay } : {}) };
}

/** Real ms until the next check may start. */
async function delayOf({ client, clock }: Deps, workflowId: string): Promise<number> {
  try {
    const { startTime, executionTime = startTime } = await client.workflow.getHandle(workflowId).describe();
    const wait = scaledTimeout(clock.setting, SHARED_WITHIN);
    return Math.max(0, Math.min(wait, executionTime.getTime() + wait - clock.realNow()));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 0;
    throw error;
  }
}

interface StartedCheck {
  result(): Promise<ConsentChecked | PaymentChecked>;
}

function check(
  deps: Deps,
  { startMs, answerMs }: CheckTimeouts,
  start: () => Promise<StartedCheck>,
): Promise<RequestOutcome> {
  return unlessUnavailable(async () => {
    const started = await withTimeout(deps, startMs, start);
    const checked = await unlessUnavailable(() => withTimeout(deps, answerMs, () => resultOf(started)));
    if (checked === null) return { kind: 'not_ready' };
    const reason = 'unavailable' in checked ? checked.unavailable : undefined;
    return reason === undefined ? { kind: 'done' } : { kind: 'unavailable', reason };
  });
}

/** Null if the check ended without an answer: it was given up, see {@link MAX_CHECK_TIME}, or ended by an operator. */
async function resultOf(started: StartedCheck): Promise<ConsentChecked | PaymentChecked | null> {
  try {
    return await started.result();
  } catch (error) {
    if (error instanceof WorkflowFailedError) return null;
    throw error;
  }
}
