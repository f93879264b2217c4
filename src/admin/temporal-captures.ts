import { WorkflowNotFoundError, WorkflowUpdateFailedError, type WorkflowUpdateHandle } from '@temporalio/client';
import { type CaptureInput, type CaptureResult, captureUpdate } from '../contract/payments';
import type { OrderedCapture, PaymentRecord } from '../ledger';
import type { OrderRun } from './payment-gateway';
import { isNotReady, readSteerError } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock'> & { readonly transit: number };

export type BegunCapture =
  | { readonly kind: 'running'; readonly update: WorkflowUpdateHandle<CaptureResult> }
  | Exclude<OrderRun, { kind: 'running' }>;

/** Begun twice, it is one update; begun after its end, it does nothing twice: the ledger's rows say what was sent (decisions 16). */
export async function beginCapture(
  deps: Deps,
  payment: PaymentRecord,
  capture: OrderedCapture,
  patienceMs: number,
): Promise<BegunCapture> {
  const handle = deps.client.workflow.getHandle(payment.workflowId);
  const [input, updateId] = [captureInputOf(deps, payment, capture), capture.orderId];
  try {
    const update = await withPatience(deps, patienceMs, () =>
      handle.startUpdate(captureUpdate, { args: [input], updateId, waitForStage: 'ACCEPTED' }),
    );
    return { kind: 'running', update };
  } catch (error) {
    const outcome = readSteerError(error);
    if (outcome?.kind === 'finished' || outcome?.kind === 'not_ready') return outcome;
    throw error;
  }
}

/** However it ends, and whether it ends in time: the ledger is asked afterwards. */
export async function waitForCapture(
  deps: Deps,
  update: WorkflowUpdateHandle<CaptureResult>,
  patienceMs: number,
): Promise<void> {
  try {
    await withPatience(deps, patienceMs, () => update.result());
  } catch (error) {
    const isOver = error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError;
    if (!isOver && !isNotReady(error)) throw error;
  }
}

/** @throws where the payment was never authorized, of which the ledger takes no capture. */
function captureInputOf(
  { transit }: Deps,
  { captureBy }: PaymentRecord,
  { orderId, paymentId, amount, finalCapture, createdAt }: OrderedCapture,
): CaptureInput {
  if (captureBy === null) throw new Error(`the capture ${orderId} is of a payment without a deadline`);
  return { orderId, paymentId, amount, finalCapture, orderedAt: createdAt, captureBy, transit };
}
