import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Clock } from '../platform/clock';
import { interactiveQueue } from '../contract/workflows';
import type { RetryPolicy } from '../domain/subscription/retries';
import type { Answers, Pool } from '../ledger';
import type { NotReady } from './outcomes';

export interface TemporalDeps {
  readonly client: Client;
  readonly taskQueue: string;
  readonly db: Pool;
  readonly answers: Answers;
  readonly clock: Clock;
  /** The retry policy of new subscriptions, which keep it for life. */
  readonly retryPolicy: RetryPolicy;
  /** Time over which first attempts are spread, in seconds; 0 for none. */
  readonly spreadSeconds: number;
  /** How long before its due date an increase is announced to the payer, ms. */
  readonly increaseNotice: number;
  readonly timeouts?: Partial<Timeouts>;
  /** The address of the console, to which workflows link. */
  readonly consoleUrl?: string;
}

/** Time-outs in real ms. */
const TIMEOUTS = {
  /** Longer than one request to the payment service may take. */
  createMs: 45_000,
  steerMs: 10_000,
  /** Wait for the service's answer to a check: a slower one stores its result in the ledger. */
  checkMs: 800,
  /** After this a cancellation that the service has not confirmed is returned as accepted (rule 24). */
  cancelMs: 500,
};
export type Timeouts = Readonly<typeof TIMEOUTS>;

export function timeoutsOf({ timeouts }: Pick<TemporalDeps, 'timeouts'>): Timeouts {
  return { ...TIMEOUTS, ...timeouts };
}

/** Limits the real time of a call to Temporal: without a worker, waiting for a result would never end. */
export function withTimeout<T>(
  deps: Pick<TemporalDeps, 'client' | 'clock'>,
  ms: number,
  call: () => Promise<T>,
): Promise<T> {
  return deps.client.withDeadline(deps.clock.realNow() + ms, call);
}

/** gRPC codes for "not now" from a server, a proxy or a deadline: see https://grpc.io/docs/guides/status-codes/. */
const NOT_NOW: ReadonlySet<number> = new Set([1, 4, 8, 14]);

/** gRPC's code NOT_FOUND. */
export const NOT_FOUND = 5;

/** gRPC's code FAILED_PRECONDITION. */
export const FAILED_PRECONDITION = 9;

/** The result; `not_ready` if no worker answers or Temporal cannot be reached, so that the caller may retry. */
export async function unlessUnavailable<T>(ask: () => Promise<T>): Promise<T | NotReady> {
  try {
    return await ask();
  } catch (error) {
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

/** No worker answered before the deadline, Temporal cannot be reached, or does not accept the request now. */
export function isNotReady(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== null && (NOT_NOW.has(code) || code === FAILED_PRECONDITION);
}

/** Null if it is not a gRPC error. */
export function grpcCodeOf(error: unknown): number | null {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : null;
}

/** For calls that notify or end a workflow: it may already have ended. */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

/** Quotes a text for a query of Temporal's lists. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

type Deps = Pick<TemporalDeps, 'client' | 'clock' | 'taskQueue'>;

/** Time-out of Temporal's answer in real ms. */
const TIMEOUT_MS = 5_000;
/** A worker that starts together with the API polls within this time. Real ms. */
const RECHECK_MS = 1_000;

/** Whether a worker polls Temporal for workflow tasks of the queue. False if Temporal cannot be reached. */
export async function hasWorker(deps: Deps): Promise<boolean> {
  try {
    if (await isPolled(deps)) return true;
    await pause(RECHECK_MS);
    return await isPolled(deps);
  } catch (error) {
    if (isNotReady(error)) return false;
    throw error;
  }
}

async function isPolled(deps: Deps): Promise<boolean> {
  const pollers = await withTimeout(deps, TIMEOUT_MS, () => pollersOf(deps));
  return pollers.length > 0;
}

/** Temporal's number for workflow tasks. */
const WORKFLOW_TASKS = 1;

/** The workers that have recently polled for workflow tasks of the queue. @throws if Temporal cannot be reached */
export async function pollersOf({ client, taskQueue }: Pick<Deps, 'client' | 'taskQueue'>) {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  return pollers;
}

/** Condition for queries of Temporal's lists: what runs on a base task queue or on its interactive queue. */
export function onTaskQueue(taskQueue: string): string {
  return `TaskQueue in (${quoted(taskQueue)}, ${quoted(interactiveQueue(taskQueue))})`;
}
