import type { WorkflowExecutionDescription } from '@temporalio/client';
import { RECONCILIATION_WORKFLOW, type ReconciliationInput, reconciliationWorkflowId } from '../contract/housekeeping';
import { MINUTE, toIso, type Span } from '../domain/time';
import type { Actor } from '../domain/audit/event';
import { readReconciliation } from '../ledger';
import type { NotReady } from './outcomes';
import { WHERE_NONE_RUNS } from './starts';
import { isAlreadyStarted, type TemporalGatewayDeps, unlessAway, unlessEnded, withPatience } from './temporal';

/** Real ms until an answer is given up. */
const PATIENCE = {
  startMs: 10_000,
  /** For a service that cannot be asked, within the run. */
  serviceMs: 10 * MINUTE,
};
export type ReconciliationPatience = Readonly<typeof PATIENCE>;

/** The one that runs may end at any moment: then another may begin. */
const TRIES = 5;

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'db' | 'taskQueue'> & {
  readonly patience?: Partial<ReconciliationPatience>;
};

export type OrderedReconciliation =
  /** It runs; `runId` names it in the ledger too. */
  | { readonly kind: 'begun'; readonly runId: string }
  /** One of the same span runs already. */
  | { readonly kind: 'joined'; readonly runId: string }
  /** One of another span runs: there is one at a time. */
  | { readonly kind: 'busy'; readonly runId: string; readonly span: Span }
  | NotReady;

/** The way from the admin API to the workflow that holds the ledger against the payment service. */
export interface ReconciliationGateway {
  /** Begins one, or joins the one of the same span that runs. It does not wait for its end. */
  order(span: Span, by: Actor): Promise<OrderedReconciliation>;
}

/** Reconciles by a workflow. Its id lets no second one run beside it. */
export function createReconciliationGateway(deps: Deps): ReconciliationGateway {
  const patience = { ...PATIENCE, ...deps.patience };
  return {
    async order(span, by) {
      const input: ReconciliationInput = { ...by, span, patience: patience.serviceMs, announce: false };
      return unlessAway(() => withPatience(deps, patience.startMs, () => order(deps, input)));
    },
  };
}

async function order(deps: Deps, input: ReconciliationInput): Promise<OrderedReconciliation> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const begun = await start(deps, input);
    if (begun !== null) return begun;
    const running = await findRunning(deps);
    if (running === null) continue;
    const { runId, span } = running;
    return { kind: isSame(span, input.span) ? 'joined' : 'busy', runId, span };
  }
  return { kind: 'not_ready' };
}

/** Null where one runs. */
async function start({ client, taskQueue }: Deps, input: ReconciliationInput): Promise<OrderedReconciliation | null> {
  const [from, to] = [toIso(input.span.from), toIso(input.span.to)];
  try {
    const { firstExecutionRunId: runId } = await client.workflow.start(RECONCILIATION_WORKFLOW, {
      workflowId: reconciliationWorkflowId(taskQueue),
      taskQueue,
      args: [input],
      memo: { from, to },
      ...WHERE_NONE_RUNS,
      staticSummary: `ledger and service, ${from} to ${to}`,
    });
    return { kind: 'begun', runId };
  } catch (error) {
    if (isAlreadyStarted(error)) return null;
    throw error;
  }
}

/** The one that runs; null where it has ended by now, or was stopped and has only not noticed yet. */
async function findRunning({ client, db, taskQueue }: Deps): Promise<{ runId: string; span: Span } | null> {
  const workflowId = reconciliationWorkflowId(taskQueue);
  const description = await client.workflow.getHandle(workflowId).describe();
  if (description.status.name !== 'RUNNING') return null;
  const { runId } = description;
  const onRecord = await readReconciliation(db, runId);
  // The worker may not have begun it yet.
  if (onRecord === null || onRecord.state === 'running') return { runId, span: spanOf(description) };
  await client.workflow.getHandle(workflowId, runId).terminate('the ledger has ended it').catch(unlessEnded);
  return null;
}

function spanOf({ memo }: WorkflowExecutionDescription): Span {
  const read = (name: 'from' | 'to') => Date.parse(String(memo?.[name]));
  return { from: read('from'), to: read('to') };
}

function isSame(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}
