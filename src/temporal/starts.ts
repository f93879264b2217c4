import { createHash } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type ChangedPayment, PAYMENT_WORKFLOW, paymentWorkflowId } from '../contract/payments';
import {
  baseQueue,
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  isPeopleQueue,
  peopleQueue,
  subscriptionWorkflowId,
} from '../contract/workflows';
import { formatMoney } from '../domain/money';
import { changedSignal, SUBSCRIPTION_WORKFLOW } from '../contract/messages';
import type { PaymentInput, Step, SubscriptionInput } from '../contract/steps';
import type { SubscriptionId } from '../domain/ids';
import { ORPHANED } from '../domain/subscription/pauses';
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
import { isAlreadyStarted, patienceOf, type TemporalGatewayDeps, unlessEnded, withPatience } from './temporal';

/**
 * A workflow that has ended is begun anew under its own id: a request that was refused left nothing, and may come again. One
 * that runs is left alone and never joined: its terms may be others.
 */
export const WHERE_NONE_RUNS = {
  workflowIdConflictPolicy: 'FAIL',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const;

/** A workflow that has ended is begun anew under its own id; one that runs is joined. */
export const OR_JOINED = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
} as const;

/** @throws where Temporal cannot be asked. */
export async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** False where the start found that a workflow of this id runs. */
export async function unlessRunning(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (isAlreadyStarted(error)) return false;
    throw error;
  }
}

/** What of a subscription is shown where its workflow is listed. */
export type Started = Pick<SubscriptionRecord, 'subscriptionId' | 'repetition' | 'consentAmount'> &
  Partial<Pick<SubscriptionRecord, 'status' | 'standing'>>;

/**
 * How a subscription's workflow is started. It asks the ledger what is next.
 * @param step the first one, if it is known
 */
export function subscriptionStart(
  { clock }: Pick<TemporalGatewayDeps, 'clock'>,
  subscription: Started,
  taskQueue: string,
  step?: Step,
) {
  const { subscriptionId, repetition, consentAmount, status = 'pending_consent', standing = 'good' } = subscription;
  const input: SubscriptionInput = {
    subscriptionId,
    clock: clock.setting,
    ...(step === undefined ? {} : { step }),
    ...(isPeopleQueue(taskQueue) ? { movesTo: baseQueue(taskQueue) } : {}),
  };
  return {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue,
    args: [input] as [SubscriptionInput],
    ...WHERE_NONE_RUNS,
    staticSummary: `${repetition} ${formatMoney(consentAmount)}`,
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: status },
      { key: DUEDAY_STANDING, value: standing },
      { key: DUEDAY_REPETITION, value: repetition },
    ],
  };
}

/** What of a one-time payment is shown where its workflow is listed. */
type StartedPayment = Pick<PaymentRecord, 'requestId' | 'plan' | 'amount'> & Partial<Pick<PaymentRecord, 'status'>>;

/** How a one-time payment's workflow is started, see {@link subscriptionStart}. */
export function paymentStart(
  { clock, taskQueue }: Pick<TemporalGatewayDeps, 'clock' | 'taskQueue'>,
  { requestId, plan, amount, status = 'pending_consent' }: StartedPayment,
  step?: Step,
) {
  const input: PaymentInput = { requestId, clock: clock.setting, ...(step === undefined ? {} : { step }) };
  return {
    workflowId: paymentWorkflowId(requestId),
    taskQueue: peopleQueue(taskQueue),
    args: [input] as [PaymentInput],
    ...WHERE_NONE_RUNS,
    staticSummary: `${plan} ${formatMoney(amount)}`,
    typedSearchAttributes: [{ key: DUEDAY_STATUS, value: status }],
  };
}

/** Where a workflow is notified. */
export type NotifyDeps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'db' | 'taskQueue' | 'patience'>;

/**
 * Notifies the workflow of the revision that the row has; one that is missing is started, and one whose start is delayed is
 * woken: a signal alone would wait for the end of the delay. Of an orphan that an operator has to
 * restart, and of one that has ended, a missing workflow is left alone; where many are missing, that is left to their restart.
 * @throws if Temporal cannot be reached now.
 */
export async function notifyWorkflow(deps: NotifyDeps, id: SubscriptionId, revision: number): Promise<void> {
  const { client, db, taskQueue } = deps;
  const subscription = await getSubscription(db, id);
  if (subscription === null) return;
  const isToRun = !isTerminal(subscription.status) && !subscription.attention.includes(ORPHANED);
  const signalAlone = !isToRun || (await areManyOrphaned(db));
  await withPatience(deps, patienceOf(deps).steerMs, async () => {
    if (signalAlone) {
      const handle = client.workflow.getHandle(subscriptionWorkflowId(id));
      await handle.signal(changedSignal, revision).catch(unlessEnded);
      return;
    }
    const options = { ...subscriptionStart(deps, subscription, taskQueue), ...signalling(revision) };
    await client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, options);
  });
}

/** The same of a one-time payment. Of one that has ended, nothing is left that its workflow would act on. */
export async function notifyPayment(deps: NotifyDeps, { requestId, revision }: ChangedPayment): Promise<void> {
  const { client, db } = deps;
  const handle = client.workflow.getHandle(paymentWorkflowId(requestId));
  await withPatience(deps, patienceOf(deps).steerMs, async () => {
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
  return { ...OR_JOINED, signal: changedSignal, signalArgs: [revision] as [number] };
}

/** Ms after a due date before its first attempt: the same for a subscription always, even over all of them. */
export function spreadOf(id: SubscriptionId, spreadSeconds: number): number {
  if (spreadSeconds === 0) return 0;
  const hash = createHash('sha256').update(id).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * spreadSeconds * SECOND);
}

/** What a subscription is begun with, and keeps. */
export function frozenFor(
  { retryPolicy, spreadSeconds }: Pick<TemporalGatewayDeps, 'retryPolicy' | 'spreadSeconds'>,
  id: SubscriptionId,
): Frozen {
  return { policy: retryPolicy, spread: spreadOf(id, spreadSeconds) };
}
