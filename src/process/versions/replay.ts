import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { WORKFLOW_KINDS } from '../../contract/versions';
import { onTaskQueue, quoted, type WorkflowRun } from '../../temporal';
import type { WorkflowCode } from '../../platform/workflow-bundle';

/**
 * Runs work without log lines of Temporal's library, as a failed replay is a result here. Only once per process. Afterwards the
 * library does not keep the process alive, even if nothing was replayed.
 */
export async function withSilentRuntime<T>(work: () => Promise<T>): Promise<T> {
  silenceRuntime();
  try {
    return await work();
  } finally {
    await Runtime.instance().shutdown();
  }
}

function silenceRuntime(): void {
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { forward: {}, filter } },
    shutdownSignals: [],
  });
}

export interface Replaying {
  readonly client: Client;
  /** Decodes payloads, as a worker does. */
  readonly dataConverter: DataConverter;
  /** The base task queue; workflows on the interactive queue count too. */
  readonly taskQueue: string;
  readonly code: WorkflowCode;
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** The result of replaying one run's history. */
export interface Replayed extends WorkflowRun {
  /** Why the code cannot replay it, on one line; null if it can, or if there is nothing to replay yet. */
  readonly fault: string | null;
}

/**
 * Replays the newest running workflows of each kind, as a worker with this code would, but without effects: nothing is written to
 * Temporal, and no activity runs. Workflows that have ended are left out, as no worker replays them.
 * @throws gRPC errors if Temporal cannot be reached
 */
export async function* replayNewest(replaying: Replaying, newest: number): AsyncGenerator<Replayed> {
  yield* replayRuns(replaying, knownRuns(replaying, newest));
  for await (const run of unknownRuns(replaying, newest))
    yield { ...run, fault: `this release has no workflow of the type ${run.kind}` };
}

/**
 * Replays these runs, queue by queue: a replay needs the name of the queue, because workflows read it. A run that has ended since it
 * was listed is left out: another release may have continued it as a new run.
 */
export async function* replayRuns(replaying: Replaying, runs: AsyncIterable<WorkflowRun>): AsyncGenerator<Replayed> {
  const byQueue = new Map<string, WorkflowRun[]>();
  for await (const run of runs) byQueue.set(run.taskQueue, [...(byQueue.get(run.taskQueue) ?? []), run]);
  for (const [taskQueue, all] of byQueue) yield* replayOn(taskQueue, replaying, all);
}

async function* replayOn(
  taskQueue: string,
  { client, code, dataConverter }: Replaying,
  runs: readonly WorkflowRun[],
): AsyncGenerator<Replayed> {
  const given: WorkflowRun[] = [];
  const undecided: WorkflowRun[] = [];
  async function* histories() {
    for (const run of runs) {
      const history = await historyOf(client, run);
      if (history === null || hasEnded(history)) continue;
      if (hasDecided(history)) {
        given.push(run);
        yield { workflowId: run.workflowId, history };
      } else undecided.push(run);
    }
  }
  // At the end of a history the library would activate a new patch, which no worker would do at that point.
  const options = { ...code, dataConverter, taskQueue, patchActivationCallback: () => false };
  for await (const { error } of Worker.runReplayHistories(options, histories())) {
    const fault = error === undefined ? null : firstLineOf(error.message);
    for (const run of given.splice(0)) yield { ...run, fault };
  }
  for (const run of undecided) yield { ...run, fault: null };
}

function hasEnded({ events }: History): boolean {
  const last = events?.at(-1);
  return last != null && ENDS.some((attributes) => last[attributes] != null);
}

const ENDS = [
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const;

/**
 * Whether a worker has completed any workflow task in it. A workflow that is being created has only its first event, and the
 * library would wait forever for a second one.
 */
function hasDecided({ events }: History): boolean {
  return events?.some((each) => each.workflowTaskCompletedEventAttributes != null) === true;
}

async function* knownRuns(replaying: Replaying, newest: number): AsyncGenerator<WorkflowRun> {
  for (const kind of WORKFLOW_KINDS) yield* newestOf(replaying, newest, `WorkflowType = ${quoted(kind)}`);
}

/** Running workflows of types that the code does not have. */
function unknownRuns(replaying: Replaying, newest: number): AsyncGenerator<WorkflowRun> {
  const unknown = WORKFLOW_KINDS.map((kind) => `WorkflowType != ${quoted(kind)}`).join(' and ');
  return newestOf(replaying, newest, unknown);
}

/** At most `newest` running workflows, newest first, which is the order of Temporal's lists. */
async function* newestOf({ client, taskQueue }: Replaying, newest: number, which: string): AsyncGenerator<WorkflowRun> {
  const query = `${onTaskQueue(taskQueue)} and ExecutionStatus = 'Running' and ${which}`;
  let count = 0;
  for await (const info of client.workflow.list({ query, pageSize: newest })) {
    yield { kind: info.type, workflowId: info.workflowId, runId: info.runId, taskQueue: info.taskQueue };
    count += 1;
    if (count === newest) return;
  }
}

/** Null if its retention has ended since it was listed. */
async function historyOf(client: Client, { workflowId, runId }: WorkflowRun) {
  try {
    return await client.workflow.getHandle(workflowId, runId).fetchHistory();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function firstLineOf(text: string): string {
  return text.split('\n')[0] ?? text;
}
