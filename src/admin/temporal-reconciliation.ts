import type { WorkflowHandle } from '@temporalio/client';
import {
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  type ReconciliationResult,
  reconciliationWorkflowId,
} from '../contract/housekeeping';
import { toIso } from '../domain/instant';
import type { Span } from '../domain/span';
import type { ReconciliationGateway, ReconciliationRun } from './reconciliation-gateway';
import { isNotReady } from './temporal-answers';
import { type TemporalGatewayDeps, withPatience } from './temporal-deps';

/** Real ms until an answer is given up. */
export interface ReconciliationPatience {
  readonly startMs: number;
  readonly endMs: number;
  /** For a service that cannot be asked, within the run. */
  readonly serviceMs: number;
}

const PATIENCE: ReconciliationPatience = { startMs: 10_000, endMs: 50_000, serviceMs: 5_000 };

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'> & {
  readonly patience?: Partial<ReconciliationPatience>;
};

/** Reconciles by a workflow. */
export function createReconciliationGateway(deps: Deps): ReconciliationGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    async run(span, actor) {
      const input: ReconciliationInput = { span, actor, patience: patience.serviceMs, announce: false };
      try {
        const handle = await withPatience(deps, patience.startMs, () => start(deps, input));
        return answerOf(await withPatience(deps, patience.endMs, () => handle.result()));
      } catch (error) {
        if (isNotReady(error)) return { kind: 'not_ready' };
        throw error;
      }
    },
  };
}

/** Asked for again while it runs, the same span is not compared twice. */
function start(
  { client, taskQueue }: Deps,
  input: ReconciliationInput,
): Promise<WorkflowHandle<(input: ReconciliationInput) => Promise<ReconciliationResult>>> {
  return client.workflow.start(RECONCILIATION_WORKFLOW, {
    workflowId: reconciliationWorkflowId(taskQueue, input.span),
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: describeSpan(input.span),
  });
}

function describeSpan({ from, to }: Span): string {
  return `ledger and service, ${toIso(from)} to ${toIso(to)}`;
}

function answerOf(result: ReconciliationResult): ReconciliationRun {
  return result.kind === 'compared' ? { kind: 'compared', runId: result.runId } : { kind: 'service_unavailable' };
}
