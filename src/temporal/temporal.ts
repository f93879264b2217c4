import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Clock } from '../platform/clock';
import { peopleQueue } from '../contract/workflows';
import type { RetryPolicy } from '../domain/subscription/retries';
import type { Pool } from '../ledger';
import type { NotReady } from './outcomes';

export interface TemporalGatewayDeps {
  readonly client: Client;
  readonly taskQueue: string;
  readonly db: Pool;
  readonly clock: Clock;
  /** Of new subscriptions, which keep it. */
  readonly retryPolicy: RetryPolicy;
  /** First attempts spread over this stretch, in seconds; 0 for none. */
  readonly spreadSeconds: number;
  /** How long before it is collected an increase is announced to the payer, ms. */
  readonly increaseNotice: number;
  readonly patience?: Partial<Patience>;
  /** Where people reach the console: workflows link to it. */
  readonly consoleUrl?: string;
}

/** Real ms until an answer is given up. */
const PATIENCE = {
  /** Longer than one request to the payment service may take. */
  createMs: 45_000,
  steerMs: 10_000,
  /** For the answer of the service to a check: what one that takes longer reads is in the ledger afterwards (rule 31). */
  checkMs: 800,
  /** After it a cancellation that the service has not confirmed is answered as accepted (rule 31). */
  cancelMs: 700,
};
export type Patience = Readonly<typeof PATIENCE>;

export function patienceOf({ patience }: Pick<TemporalGatewayDeps, 'patience'>): Patience {
  return { ...PATIENCE, ...patience };
}

/** Without a worker a result would be waited for for ever. Real time: it bounds a network call. */
export function withPatience<T>(
  deps: Pick<TemporalGatewayDeps, 'client' | 'clock'>,
  ms: number,
  call: () => Promise<T>,
): Promise<T> {
  return deps.client.withDeadline(deps.clock.realNow() + ms, call);
}

/** gRPC codes by which a server, a proxy or a deadline says "not now": see https://grpc.io/docs/guides/status-codes/. */
const NOT_NOW: ReadonlySet<number> = new Set([1, 4, 8, 14]);

/** gRPC's code of what is not there. */
export const NOT_FOUND = 5;

/** gRPC's code of what the state of things does not allow for now. */
export const FAILED_PRECONDITION = 9;

/** What came of it; `not_ready` where no worker answers or Temporal cannot be reached, so that a caller may ask again. */
export async function unlessAway<T>(ask: () => Promise<T>): Promise<T | NotReady> {
  try {
    return await ask();
  } catch (error) {
    if (isNotReady(error)) return { kind: 'not_ready' };
    throw error;
  }
}

/** No worker answered before the deadline, Temporal cannot be reached, or does not take the request for now. */
export function isNotReady(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== null && (NOT_NOW.has(code) || code === FAILED_PRECONDITION);
}

/** Null where it is no error of gRPC. */
export function grpcCodeOf(error: unknown): number | null {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : null;
}

/** Of a call that notifies or ends a workflow: the workflow may have ended already. */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

/** A text within a query of Temporal's lists. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

type Deps = Pick<TemporalGatewayDeps, 'client' | 'clock' | 'taskQueue'>;

/** Real ms until Temporal's answer is given up. */
const PATIENCE_MS = 5_000;
/** A worker that comes up together with the API has asked for work by then. Real ms. */
const LOOK_AGAIN_MS = 1_000;

/** Whether a worker polls Temporal for workflow tasks of the queue. False where Temporal cannot be reached. */
export async function hasWorker(deps: Deps): Promise<boolean> {
  try {
    if (await isPolled(deps)) return true;
    await pause(LOOK_AGAIN_MS);
    return await isPolled(deps);
  } catch (error) {
    if (isNotReady(error)) return false;
    throw error;
  }
}

async function isPolled(deps: Deps): Promise<boolean> {
  const pollers = await withPatience(deps, PATIENCE_MS, () => pollersOf(deps));
  return pollers.length > 0;
}

/** Temporal's number for the tasks of workflows. */
const WORKFLOW_TASKS = 1;

/** The workers that have asked for workflow tasks of the queue lately. @throws where Temporal cannot be asked */
export async function pollersOf({ client, taskQueue }: Pick<Deps, 'client' | 'taskQueue'>) {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  return pollers;
}

/** Of a query of Temporal's lists: what runs on a base task queue, that of people with it. */
export function onTaskQueue(taskQueue: string): string {
  return `TaskQueue in (${quoted(taskQueue)}, ${quoted(peopleQueue(taskQueue))})`;
}

/** Real ms. */
const BETWEEN_QUESTIONS = 20;

/**
 * Asks the ledger again and again, as what it waits for is done elsewhere.
 * @param until by `performance.now`
 * @returns the first answer that is one, or the last before that time
 */
export async function askUntil<T>(ask: () => Promise<T>, isAnswer: (answer: T) => boolean, until: number): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isAnswer(answer) || performance.now() >= until) return answer;
    await pause(BETWEEN_QUESTIONS);
  }
}
