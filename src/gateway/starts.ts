import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type CaptureInput, type PaymentInput, type PaymentState, paymentWorkflowId } from '../contract/payments';
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
import type { Step, SubscriptionInput } from '../contract/steps';
import type { SubscriptionId } from '../domain/ids';
import { ORPHANED } from '../domain/subscription/pauses';
import { isTerminal } from '../domain/subscription/state';
import {
  areManyOrphaned,
  getSubscription,
  type OrderedCapture,
  type PaymentRecord,
  type SubscriptionRecord,
} from '../ledger';
import {
  isAlreadyStarted,
  patienceOf,
  surroundingsOf,
  type TemporalGatewayDeps,
  unlessEnded,
  withPatience,
} from './temporal';

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

type Surrounded = Pick<TemporalGatewayDeps, 'clock' | 'consoleUrl'>;

/** What of a subscription is shown where its workflow is listed. */
export type Started = Pick<SubscriptionRecord, 'subscriptionId' | 'repetition' | 'consentAmount'> &
  Partial<Pick<SubscriptionRecord, 'status' | 'standing'>>;

/**
 * How a subscription's workflow is started. It asks the ledger what is next.
 * @param step the first one, if it is known
 */
export function subscriptionStart(
  { clock }: Pick<Surrounded, 'clock'>,
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

/** How a one-time payment's workflow is begun from a state. */
export function paymentStart(deps: Surrounded & Pick<TemporalGatewayDeps, 'taskQueue'>, state: PaymentState) {
  const { requestId, plan, amount } = state.terms;
  const input: PaymentInput = { state, ...surroundingsOf(deps) };
  return {
    workflowId: paymentWorkflowId(requestId),
    taskQueue: peopleQueue(deps.taskQueue),
    args: [input] as [PaymentInput],
    ...WHERE_NONE_RUNS,
    staticSummary: `${plan} ${formatMoney(amount)}`,
    typedSearchAttributes: [{ key: DUEDAY_STATUS, value: state.status }],
  };
}

/**
 * A capture as its workflow is told of it.
 * @param transit ms before the deadline from which on nothing is sent any more
 * @throws where the payment was never authorized, of which the ledger takes no capture.
 */
export function captureInputOf(
  { captureBy }: Pick<PaymentRecord, 'captureBy'>,
  { orderId, paymentId, amount, finalCapture, createdAt }: OrderedCapture,
  transit: number,
): CaptureInput {
  if (captureBy === null) throw new Error(`the capture ${orderId} is of a payment without a deadline`);
  return { orderId, paymentId, amount, finalCapture, orderedAt: createdAt, captureBy, transit };
}

/**
 * Notifies the workflow of the revision that the row has; one that is missing is started, and one whose start is delayed is
 * woken: a signal alone would wait for the end of the delay. Of an orphan that an operator has to
 * restart, and of one that has ended, a missing workflow is left alone; where many are missing, that is left to their restart.
 * @throws if Temporal cannot be reached now.
 */
export async function notifyWorkflow(
  deps: Pick<TemporalGatewayDeps, 'client' | 'db' | 'taskQueue' | 'clock' | 'patience'>,
  id: SubscriptionId,
  revision: number,
): Promise<void> {
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
    const signalled = { ...OR_JOINED, signal: changedSignal, signalArgs: [revision] as [number] };
    const options = { ...subscriptionStart(deps, subscription, taskQueue), ...signalled };
    await client.workflow.signalWithStart(SUBSCRIPTION_WORKFLOW, options);
  });
}
