import { createHash } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type ChangedPayment, PAYMENT_WORKFLOW, paymentWorkflowId } from '../contract/payments';
import {
  baseQueue,
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  isInteractiveQueue,
  interactiveQueue,
  subscriptionWorkflowId,
} from '../contract/workflows';
import { formatMoney } from '../domain/money';
import { changedSignal, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import type { PaymentInput, Step, SubscriptionInput } from '../contract/steps';
import type { SubscriptionId } from '../domain/ids';
import { ORPHANED } from '../domain/subscription/attention-items';
import { isSettled } from '../domain/payment/payment';
import { isTerminal } from '../domain/subscription/state';
import { SECOND } from '../domain/time';
import {
  acknowledgePayment,
  areManyOrphaned,
  type Frozen,
  getPaymentOfRequest,
  getSubscription,
  isOrphanedPayment,
  type PaymentRecord,
  type SubscriptionRecord,
} from '../ledger';
import { isAlreadyStarted, timeoutsOf, type TemporalDeps, unlessEnded, withTimeout } from './temporal';

/**
 * An id can be used again once its workflow has ended: a request that the service refused leaves nothing in the ledger, and may be
 * repeated with the same id. While a workflow runs, the start fails; the running one is never joined, as its terms may differ.
 */
export const UNLESS_RUNNING = {
  workflowIdConflictPolicy: 'FAIL',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const;

/** A workflow that has ended is started again under its own id; a running one is joined. */
export const OR_JOIN = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const;

/** @throws if Temporal cannot be reached */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Starts a workflow. @returns false if one with its id is already running */
export async function unlessRunning(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}

/** The fields of a subscription that are shown in lists of workflows. */
export type Started = Pick<SubscriptionRecord, 'subscriptionId' | 'repetition' | 'consentAmount'> &
  Partial<Pick<SubscriptionRecord, 'status' | 'standing'>>;

/**
 * How a subscription's workflow is started.
 * @param step its first step; if left out, the workflow reads it from the ledger
 */
export function subscriptionStart(
  { clock }: Pick<TemporalDeps, 'clock'>,
  subscription: Started,
  taskQueue: string,
  step?: Step,
) {
  const { subscriptionId, repetition, consentAmount, status = 'pending_consent', standing = 'good' } = subscription;
  const input: SubscriptionInput = {
    subscriptionId,
    clock: clock.setting,
    ...(step === undefined ? {} : { step }),
    ...(isInteractiveQueue(taskQueue) ? { movesTo: baseQueue(taskQueue) } : {}),
  };
  return {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue,
    args: [input] as [SubscriptionInput],
    ...UNLESS_RUNNING,
    staticSummary: `${repetition} ${formatMoney(consentAmount)}`,
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: status },
      { key: DUEDAY_STANDING, value: standing },
      { key: DUEDAY_REPETITION, value: repetition },
    ],
  };
}

/** The fields of a one-time payment that are shown in lists of workflows. */
type StartedPayment = Pick<PaymentRecord, 'requestId' | 'plan' | 'amount'> & Partial<Pick<PaymentRecord, 'status'>>;

/** How a one-time payment's workflow is started, see {@link subscriptionStart}. */
export function paymentStart(
  { clock, taskQueue }: Pick<TemporalDeps, 'clock' | 'taskQueue'>,
  { requestId, plan, amount, status = 'pending_consent' }: StartedPayment,
  step?: Step,
) {
  const input: PaymentInput = { requestId, clock: clock.setting, ...(step === undefined ? {} : { step }) };
  return {
    workflowId: paymentWorkflowId(requestId),
    taskQueue: interactiveQueue(taskQueue),
    args: [input] as [PaymentInput],
    ...UNLESS_RUNNING,
    staticSummary: `${plan} ${formatMoney(amount)}`,
    typedSearchAttributes: [{ key: DUEDAY_STATUS, value: status }],
  };
}

/** What notifying a workflow needs. */
export type NotifyDeps = Pick<TemporalDeps, 'client' | 'clock' | 'db' | 'taskQueue' | 'timeouts'>;

/**
 * Notifies the workflow of the row's revision. A missing workflow is started, and one with a delayed start is woken, as a signal
 * alone would wait for the end of the delay. A missing workflow is not started for an orphan that an operator must restart, for a
 * subscription that has ended, or while many workflows are missing: those are restarted at a limited rate.
 * @throws if Temporal cannot be reached now.
 */
export async function notifyWorkflow(deps: NotifyDeps, id: SubscriptionId, revision: number): Promise<void> {
  const { client, db, taskQueue } = deps;
  const subscription = await getSubscription(db, id);
  if (subscription === null) return;
  const shouldRun = !isTerminal(subscription.status) && !subscription.attention.includes(ORPHANED);
  const onlySignal = !shouldRun || (await areManyOrphaned(db));
  await withTimeout(deps, timeoutsOf(deps).steerMs, async () => {
    if (onlySignal) {
      const handle = client.workflow.getHandle(subscriptionWorkflowId(id));
      await handle.signal(changedSignal, revision).catch(unlessEnded);
      return;
    }
    const options = { ...subscriptionStart(deps, subscription, taskQueue), ...signalling(revision) };
    await client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, options);
  });
}

/**
 * Notifies the workflow of a one-time payment of its row's revision. If the payment has ended, and its workflow too, the revision is
 * acknowledged in its place. Otherwise a missing workflow is started, with the exceptions of {@link notifyWorkflow} for orphans.
 */
export async function notifyPayment(deps: NotifyDeps, { requestId, revision }: ChangedPayment): Promise<void> {
  const { client, db } = deps;
  const handle = client.workflow.getHandle(paymentWorkflowId(requestId));
  await withTimeout(deps, timeoutsOf(deps).steerMs, async () => {
    try {
      await handle.signal(changedSignal, revision);
    } catch (error) {
      unlessEnded(error);
      const payment = await getPaymentOfRequest(db, requestId);
      if (payment === null) return;
      if (isSettled(payment.status)) return acknowledgePayment(db, requestId, revision);
      if ((await isOrphanedPayment(db, requestId)) || (await areManyOrphaned(db))) return;
      const options = { ...paymentStart(deps, payment), ...signalling(revision) };
      await client.workflow.signalWithStart(PAYMENT_WORKFLOW, options);
    }
  });
}

function signalling(revision: number) {
  return { ...OR_JOIN, signal: changedSignal, signalArgs: [revision] as [number] };
}

/** Ms between a due date and its first attempt: constant for each subscription, evenly spread over all of them. */
export function spreadOf(id: SubscriptionId, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0;
  const hash = createHash('sha256').update(id).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * spreadSeconds * SECOND);
}

/** Settings that are fixed when a subscription is created. */
export function frozenFor(
  { retryPolicy, spreadSeconds }: Pick<TemporalDeps, 'retryPolicy' | 'spreadSeconds'>,
  id: SubscriptionId,
): Frozen {
  return { policy: retryPolicy, spread: spreadOf(id, spreadSeconds) };
}
