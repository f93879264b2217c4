import { WorkflowFailedError } from '@temporalio/client';
import {
  CAPTURE_WORKFLOW,
  type CaptureInput,
  captureWorkflowId,
  REFUND_WORKFLOW,
  type RefundInput,
  refundWorkflowId,
} from '../contract/payments';
import { peopleQueue } from '../contract/workflows';
import { formatMoney } from '../domain/money';
import type { OrderedCapture, RefundRecord } from '../ledger';
import type { NotReady } from './outcomes';
import { OR_JOINED, unlessRunning } from './starts';
import { isNotReady, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** Real ms until an answer is given up. */
const PATIENCE = {
  startMs: 10_000,
  /** For the end: an order that takes longer is answered as pending. */
  endMs: 3_000,
};

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'> & {
  readonly patience?: Partial<typeof PATIENCE>;
};

export type OrderRun =
  /** Its workflow runs, or has ended: the ledger has the order's state. */
  { readonly kind: 'running' } | NotReady;

/** The way from the admin API to the workflows that carry out orders, one for each. */
export interface OrderGateway<Order> {
  /** Starts the workflow of an order, or joins the one that runs, and waits a short while for its end. */
  run(order: Order): Promise<OrderRun>;
  /** Starts it where it does not run, and waits for nothing. */
  start(order: Order): Promise<OrderRun>;
}

export type RefundGateway = OrderGateway<RefundRecord>;
export type CaptureGateway = OrderGateway<OrderedCapture>;

/** How the workflow of an order is started. Its input names the order: a reason is an operator's words (rule 29). */
interface OrderStart {
  readonly type: string;
  readonly workflowId: string;
  readonly input: CaptureInput | RefundInput;
  /** For people. */
  readonly summary: string;
  readonly details: string;
}

export function createRefundGateway(deps: Deps): RefundGateway {
  return createOrderGateway(deps, (refund) => {
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

export function createCaptureGateway(deps: Deps): CaptureGateway {
  return createOrderGateway(deps, ({ orderId, paymentId, amount, finalCapture }) => {
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

function createOrderGateway<Order>(deps: Deps, describe: (order: Order) => OrderStart): OrderGateway<Order> {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    async run(order) {
      const options = describe(order);
      const started = await start(deps, options, patience.startMs);
      if (started.kind === 'running') await waitForEnd(deps, options, patience.endMs);
      return started;
    },
    start: (order) => start(deps, describe(order), patience.startMs),
  };
}

/** Started twice, or again after its end, it does nothing twice: the ledger's rows say what was sent (rule 16). */
function start(deps: Deps, { type, workflowId, input, ...shown }: OrderStart, patienceMs: number): Promise<OrderRun> {
  const options = {
    workflowId,
    taskQueue: peopleQueue(deps.taskQueue),
    args: [input],
    ...OR_JOINED,
    staticSummary: shown.summary,
    staticDetails: shown.details,
  };
  return unlessAway(async () => {
    await unlessRunning(() => withPatience(deps, patienceMs, () => deps.client.workflow.start(type, options)));
    return { kind: 'running' };
  });
}

/** However it ends, and whether it ends in time: the ledger is asked afterwards. */
async function waitForEnd(deps: Deps, { workflowId }: OrderStart, patienceMs: number): Promise<void> {
  const handle = deps.client.workflow.getHandle(workflowId);
  try {
    await withPatience(deps, patienceMs, () => handle.result());
  } catch (error) {
    if (!isNotReady(error) && !(error instanceof WorkflowFailedError)) throw error;
  }
}
