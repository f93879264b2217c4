import type { WorkflowExecutionDescription } from '@temporalio/client';
import { RECONCILIATION_WORKFLOW, type ReconciliationInput } from '../contract/housekeeping';
import { reconciliationWorkflowId } from '../contract/workflow-ids';
import { MINUTE, toIso, type Period } from '../domain/time';
import type { Actor } from '../domain/audit/event';
import { readReconciliation } from '../ledger';
import type { NotReady } from './outcomes';
import { UNLESS_RUNNING } from './starts';
import { isAlreadyStarted, type TemporalDeps, unlessUnavailable, unlessEnded, withTimeout } from './temporal';

/** Time-outs in real ms. */
const TIMEOUTS = {
  startMs: 10_000,
  /** For how long the run retries calls to an unreachable service. */
  serviceMs: 10 * MINUTE,
};
export type ReconciliationTimeouts = Readonly<typeof TIMEOUTS>;

/** Maximum number of tries to start: the running comparison may end at any moment, and then another one can start. */
const TRIES = 5;

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'db' | 'taskQueue'> & {
  readonly timeouts?: Partial<ReconciliationTimeouts>;
};

export type OrderedReconciliation =
  /** The comparison is running; `runId` also identifies it in the ledger. */
  | { readonly kind: 'started'; readonly runId: string }
  /** A comparison of the same period is already running. */
  | { readonly kind: 'joined'; readonly runId: string }
  /** A comparison of another period is running; only one runs at a time. */
  | { readonly kind: 'busy'; readonly runId: string; readonly period: Period }
  | NotReady;

/** Connects the admin API to the workflow that compares the ledger with the payment service. */
export interface ReconciliationWorkflows {
  /** Starts a comparison, or joins the running one of the same period. Does not wait for its end. */
  order(period: Period, by: Actor): Promise<OrderedReconciliation>;
}

/** Reconciles in a workflow, whose id prevents a second one from running in parallel. */
export function createReconciliationWorkflows(deps: Deps): ReconciliationWorkflows {
  const timeouts = { ...TIMEOUTS, ...deps.timeouts };
  return {
    async order(period, by) {
      const input: ReconciliationInput = { ...by, period, timeout: timeouts.serviceMs, announce: false };
      return unlessUnavailable(() => withTimeout(deps, timeouts.startMs, () => order(deps, input)));
    },
  };
}

async function order(deps: Deps, input: ReconciliationInput): Promise<OrderedReconciliation> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const started = await start(deps, input);
    if (started !== null) return started;
    const running = await findRunning(deps);
    if (running === null) continue;
    const { runId, period } = running;
    return { kind: isSame(period, input.period) ? 'joined' : 'busy', runId, period };
  }
  return { kind: 'not_ready' };
}

/** Null if a comparison is already running. */
async function start({ client, taskQueue }: Deps, input: ReconciliationInput): Promise<OrderedReconciliation | null> {
  const [from, to] = [toIso(input.period.from), toIso(input.period.to)];
  try {
    const { firstExecutionRunId: runId } = await client.workflow.start(RECONCILIATION_WORKFLOW, {
      workflowId: reconciliationWorkflowId(taskQueue),
      taskQueue,
      args: [input],
      memo: { from, to },
      ...UNLESS_RUNNING,
      staticSummary: `compare ledger and service, from ${from} to ${to}`,
    });
    return { kind: 'started', runId };
  } catch (error) {
    if (isAlreadyStarted(error)) return null;
    throw error;
  }
}

/** The running comparison; null if it has ended. Terminates its workflow if the ledger has ended it and the workflow does not know. */
async function findRunning({ client, db, taskQueue }: Deps): Promise<{ runId: string; period: Period } | null> {
  const workflowId = reconciliationWorkflowId(taskQueue);
  const description = await client.workflow.getHandle(workflowId).describe();
  if (description.status.name !== 'RUNNING') return null;
  const { runId } = description;
  const onRecord = await readReconciliation(db, runId);
  // Without a row, the worker has not started the comparison yet.
  if (onRecord === null || onRecord.state === 'running') return { runId, period: periodOf(description) };
  await client.workflow.getHandle(workflowId, runId).terminate('the ledger has ended it').catch(unlessEnded);
  return null;
}

function periodOf({ memo }: WorkflowExecutionDescription): Period {
  const read = (name: 'from' | 'to') => Date.parse(String(memo?.[name]));
  return { from: read('from'), to: read('to') };
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to;
}
