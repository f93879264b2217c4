import { WorkflowFailedError } from '@temporalio/client';
import { CAPTURE_WORKFLOW, type CaptureInput, REFUND_WORKFLOW, type RefundInput } from '../contract/payments';
import { interactiveQueue } from '../contract/workflows';
import { captureWorkflowId, refundWorkflowId } from '../contract/workflow-ids';
import { formatMoney } from '../domain/money';
import type { OrderedCapture, RefundRecord } from '../ledger';
import type { NotReady } from './outcomes';
import { OR_JOIN, unlessRunning } from './starts';
import { isNotReady, type TemporalDeps, unlessUnavailable, withTimeout } from './temporal';

/** Time-outs in real ms. */
const TIMEOUTS = {
  startMs: 10_000,
  /** Wait for the end of an order: a slower one is returned as pending. */
  endMs: 3_000,
};

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'taskQueue'> & {
  readonly timeouts?: Partial<typeof TIMEOUTS>;
};

export type OrderRun =
  /** The order's workflow runs, or has ended: the ledger has the order's state. */
  { readonly kind: 'running' } | NotReady;

/** Connects the admin API to the workflows that carry out orders, one for each order. */
export interface OrderWorkflows<Order> {
  /** Starts the workflow of an order, or joins the running one, and waits briefly for its end. */
  run(order: Order): Promise<OrderRun>;
  /** Starts the workflow of an order unless it is running, without waiting for its end. */
  start(order: Order): Promise<OrderRun>;
}

export type RefundWorkflows = OrderWorkflows<RefundRecord>;
export type CaptureWorkflows = OrderWorkflows<OrderedCapture>;

/** How the workflow of an order is started. Its input contains ids only, as a reason is an operator's free text (rule 29). */
interface OrderStart {
  readonly type: string;
  readonly workflowId: string;
  readonly input: CaptureInput | RefundInput;
  /** Shown by Temporal. */
  readonly summary: string;
  readonly details: string;
}

export function createRefundWorkflows(deps: Deps): RefundWorkflows {
  return createOrderWorkflows(deps, (refund) => {
    const { refundId, subscriptionId, paymentId, cycle, captureId } = refund;
    const whose = cycle === null ? `payment ${paymentId}` : `cycle ${cycle} of ${subscriptionId}`;
    const amount = formatMoney(refund.amount);
    return {
      type: REFUND_WORKFLOW,
      workflowId: refundWorkflowId(refundId),
      input: { refundId, subscriptionId, paymentId },
      summary: `refund ${amount}, ${whose}`,
      details: `- ${amount} of ${whose}\n- Capture ${captureId}`,
    };
  });
}

export function createCaptureWorkflows(deps: Deps): CaptureWorkflows {
  return createOrderWorkflows(deps, ({ orderId, paymentId, amount, finalCapture }) => {
    const what = `${formatMoney(amount)}${finalCapture ? ', final' : ''}`;
    return {
      type: CAPTURE_WORKFLOW,
      workflowId: captureWorkflowId(orderId),
      input: { orderId, paymentId },
      summary: `capture ${what}, payment ${paymentId}`,
      details: `- ${what}\n- Payment ${paymentId}`,
    };
  });
}

function createOrderWorkflows<Order>(deps: Deps, describe: (order: Order) => OrderStart): OrderWorkflows<Order> {
  const timeouts = { ...TIMEOUTS, ...deps.timeouts };
  return {
    async run(order) {
      const options = describe(order);
      const started = await start(deps, options, timeouts.startMs);
      if (started.kind === 'running') await waitForEnd(deps, options, timeouts.endMs);
      return started;
    },
    start: (order) => start(deps, describe(order), timeouts.startMs),
  };
}

/** Safe to repeat, even after the end of the workflow: the ledger's rows record what was sent (rule 16). */
function start(deps: Deps, { type, workflowId, input, ...shown }: OrderStart, timeoutMs: number): Promise<OrderRun> {
  const options = {
    workflowId,
    taskQueue: interactiveQueue(deps.taskQueue),
    args: [input],
    ...OR_JOIN,
    staticSummary: shown.summary,
    staticDetails: shown.details,
  };
  return unlessUnavailable(async () => {
    await unlessRunning(() => withTimeout(deps, timeoutMs, () => deps.client.workflow.start(type, options)));
    return { kind: 'running' };
  });
}

/** Waits for the end of the workflow, or until the time-out; the result is read from the ledger afterwards. */
async function waitForEnd(deps: Deps, { workflowId }: OrderStart, timeoutMs: number): Promise<void> {
  const handle = deps.client.workflow.getHandle(workflowId);
  try {
    await withTimeout(deps, timeoutMs, () => handle.result());
  } catch (error) {
    if (!isNotReady(error) && !(error instanceof WorkflowFailedError)) throw error;
  }
}
