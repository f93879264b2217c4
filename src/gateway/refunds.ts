import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { REFUND_WORKFLOW, type RefundInput, refundWorkflowId } from '../contract/payments';
import { peopleQueue } from '../contract/workflows';
import { formatMoney } from '../domain/money';
import type { RefundRecord } from '../ledger';
import type { NotReady } from './outcomes';
import { OR_JOINED, unlessRunning } from './starts';
import { isNotReady, type TemporalGatewayDeps, unlessAway, withPatience } from './temporal';

/** Real ms until an answer is given up. */
const PATIENCE = {
  startMs: 10_000,
  /** For the end: a refund that takes longer is answered as pending. */
  endMs: 3_000,
};

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'> & {
  readonly patience?: Partial<typeof PATIENCE>;
};

export type RefundRun =
  /** Its workflow runs, or has ended: the ledger has the refund's state. */
  { readonly kind: 'running' } | NotReady;

/** The way from the admin API to the workflows that make refunds. */
export interface RefundGateway {
  /** Starts the workflow of an ordered refund, or joins the one that runs, and waits a short while for its end. */
  run(refund: RefundRecord): Promise<RefundRun>;
  /** Starts it where it does not run, and waits for nothing. */
  start(refund: RefundRecord): Promise<RefundRun>;
}

/** Makes refunds by workflows of their own. */
export function createRefundGateway(deps: Deps): RefundGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    async run(refund) {
      const started = await start(deps, refund, patience.startMs);
      if (started.kind === 'running') await waitForEnd(deps, refund, patience.endMs);
      return started;
    },
    start: (refund) => start(deps, refund, patience.startMs),
  };
}

/** Started twice, or again after its end, it does nothing twice: the ledger's rows say what was sent (rule 16). */
function start(deps: Deps, refund: RefundRecord, patienceMs: number): Promise<RefundRun> {
  return unlessAway(async () => {
    await unlessRunning(() => withPatience(deps, patienceMs, () => startWorkflow(deps, refund)));
    return { kind: 'running' };
  });
}

function startWorkflow(deps: Deps, refund: RefundRecord): Promise<WorkflowHandle> {
  return deps.client.workflow.start(REFUND_WORKFLOW, {
    workflowId: refundWorkflowId(refund.refundId),
    taskQueue: peopleQueue(deps.taskQueue),
    args: [inputOf(refund)],
    ...OR_JOINED,
    staticSummary: `refund ${formatMoney(refund.amount)}, ${whose(refund)}`,
  });
}

function whose({ subscriptionId, cycle, paymentId }: RefundRecord): string {
  return cycle === null ? `payment ${paymentId}` : `cycle ${cycle} of ${subscriptionId}`;
}

/** However it ends, and whether it ends in time: the ledger is asked afterwards. */
async function waitForEnd(deps: Deps, { refundId }: RefundRecord, patienceMs: number): Promise<void> {
  const handle = deps.client.workflow.getHandle(refundWorkflowId(refundId));
  try {
    await withPatience(deps, patienceMs, () => handle.result());
  } catch (error) {
    if (!isNotReady(error) && !(error instanceof WorkflowFailedError)) throw error;
  }
}

/** What the history keeps: not the reason, which is a person's words (rule 29). */
function inputOf(refund: RefundRecord): RefundInput {
  const { refundId, subscriptionId, paymentId, cycle, captureId, amount, createdAt } = refund;
  return { refundId, subscriptionId, paymentId, cycle, captureId, amount, orderedAt: createdAt };
}
