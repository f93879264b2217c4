import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { CYCLES_PER_RUN, type SubscriptionInput } from '../contract/messages';
import { type CaptureInput, type PaymentInput, type PaymentState, paymentWorkflowId } from '../contract/payments';
import {
  DUEDAY_REPETITION,
  DUEDAY_STANDING,
  DUEDAY_STATUS,
  peopleQueue,
  subscriptionWorkflowId,
} from '../contract/workflows';
import { formatMoney, type Money } from '../domain/money';
import { standingOf, type SubscriptionState } from '../domain/subscription/state';
import type { OrderedCapture, PaymentRecord } from '../ledger';
import { isAlreadyStarted, surroundingsOf, type TemporalGatewayDeps } from './temporal';

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

/**
 * How a subscription's workflow is begun from a state.
 * @param shown the amount that people see in Temporal's Web UI
 */
export function subscriptionStart(deps: Surrounded, state: SubscriptionState, taskQueue: string, shown: Money) {
  const { subscriptionId, repetition } = state.terms;
  const input: SubscriptionInput = { state, ...surroundingsOf(deps), cyclesPerRun: CYCLES_PER_RUN };
  return {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue,
    args: [input] as [SubscriptionInput],
    ...WHERE_NONE_RUNS,
    staticSummary: `${repetition} ${formatMoney(shown)}`,
    typedSearchAttributes: [
      { key: DUEDAY_STATUS, value: state.status },
      { key: DUEDAY_STANDING, value: standingOf(state.standing) },
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
