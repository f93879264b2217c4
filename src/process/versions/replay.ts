import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { WORKFLOW_KINDS } from '../../contract/versions';
import { onTaskQueue, quoted, type WorkflowRun } from '../../temporal';
import type { WorkflowCode } from '../../platform/workflow-bundle';

/**
 * Work in which Temporal's library says nothing of its own: what is not repeated is a result here. Once a process. Afterwards the
 * library holds no process up, also where nothing was repeated.
 */
export async function inSilence<T>(work: () => Promise<T>): Promise<T> {
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
  /** Reads what was sent to workflows, as a worker does. */
  readonly dataConverter: DataConverter;
  /** The base task queue; workflows of the people's queue count too. */
  readonly taskQueue: string;
  readonly code: WorkflowCode;
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** What replaying the history of one run came to. */
export interface Replayed extends WorkflowRun {
  /** Why the code does not repeat it, on one line; null where it does, or where there is nothing yet to repeat. */
  readonly fault: string | null;
}

/**
 * Replays the histories of workflows under way in the code, so many of each kind, the newest: what a worker of this code would do
 * with them, without doing any of it. Those that have ended are never replayed by a worker. Nothing is written to Temporal, no
 * activity runs.
 * @throws gRPC errors if Temporal cannot be asked
 */
export async function* replayNewest(replaying: Replaying, newest: number): AsyncGenerator<Replayed> {
  yield* replayRuns(replaying, knownRuns(replaying, newest));
  for await (const run of unknownRuns(replaying, newest))
    yield { ...run, fault: `this release has no workflow of the type ${run.kind}` };
}

/**
 * Replays the histories of these runs, queue by queue, as workflows ask on which one they are. A run that has ended since it was
 * listed is left out: another release may have continued it as a new one.
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
  // Where a history ends, replaying is over, too: the library would take the way of a new patch, which no worker ever does there.
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
 * Whether a worker has decided anything in it. One that is being created has its first event alone, and the library would wait for
 * a second one for ever.
 */
function hasDecided({ events }: History): boolean {
  return events?.some((each) => each.workflowTaskCompletedEventAttributes != null) === true;
}

async function* knownRuns(replaying: Replaying, newest: number): AsyncGenerator<WorkflowRun> {
  for (const kind of WORKFLOW_KINDS) yield* newestOf(replaying, newest, `WorkflowType = ${quoted(kind)}`);
}

/** Of a kind that the code does not have: no history says more than that. */
function unknownRuns(replaying: Replaying, newest: number): AsyncGenerator<WorkflowRun> {
  const unknown = WORKFLOW_KINDS.map((kind) => `WorkflowType != ${quoted(kind)}`).join(' and ');
  return newestOf(replaying, newest, unknown);
}

/** In the order of Temporal's own lists: newest first. */
async function* newestOf({ client, taskQueue }: Replaying, newest: number, which: string): AsyncGenerator<WorkflowRun> {
  const query = `${onTaskQueue(taskQueue)} and ExecutionStatus = 'Running' and ${which}`;
  let count = 0;
  for await (const info of client.workflow.list({ query, pageSize: newest })) {
    yield { kind: info.type, workflowId: info.workflowId, runId: info.runId, taskQueue: info.taskQueue };
    count += 1;
    if (count === newest) return;
  }
}

/** Null where it has gone since it was listed: its retention is over. */
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
