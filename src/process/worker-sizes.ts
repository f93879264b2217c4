import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config';
import { shareOut } from '../ledger';

/** The resources that a process may use. */
export interface Machine {
  readonly cores: number;
  /** V8's heap limit in bytes; the workflow thread has its own heap. */
  readonly heap: number;
  /** Memory of the machine in bytes, or of its container if that is less. */
  readonly memory: number;
}

/** How much a worker caches and does concurrently. */
export interface WorkerSizes {
  /** Workflows kept in memory for the base queue, and at most as many for the interactive queue. */
  readonly cachedWorkflows: number;
  /** Concurrent activities on the collecting queue, and on each other queue. */
  readonly slots: { readonly collecting: number; readonly others: number };
  /** Concurrent workflow tasks on the base queue (`collecting`), and on the interactive one. */
  readonly workflowTasks: { readonly collecting: number; readonly interactive: number };
  /** Concurrent polls for workflow tasks on each of these queues; an idle poll holds a slot of a task. */
  readonly workflowTaskPolls: { readonly collecting: number; readonly interactive: number };
  /**
   * Slots for attempts and decisions within the base queue's workflow tasks (local activities); null without
   * `COLLECT_IN_PLACE`.
   */
  readonly inPlace: number | null;
}

/** An upper bound: an idle cached workflow uses less. */
const BYTES_PER_WORKFLOW = 512 * 1024;
const LARGEST_SHARE_OF_HEAP = 1 / 2;
const LARGEST_SHARE_OF_MEMORY = 1 / 4;

/**
 * A workflow that waits for its activity should still be in memory when the result arrives: otherwise it is replayed from its
 * start, which costs as much as two cycles.
 */
const CACHED_PER_SLOT = 4;

/** An attempt mostly waits for the payment service, and holds a connection only during a statement, or shares one. */
const SLOTS_PER_CORE = 100;
const SLOTS_PER_CONNECTION = 40;
/** The minimum: the daily work occupies one slot for hours. */
const MIN_SLOTS = 10;
/**
 * Slots for each call per second of the cap: as many attempts as the cap lets through in a minute, at five calls each. More would
 * only hold waiting attempts.
 */
const SLOTS_PER_CALL_PER_SECOND = 12;

/**
 * A single thread works on workflow tasks, one at a time: more of them would only wait there. After 10 s Temporal would give them to
 * another worker, and callers that create subscriptions would wait behind them.
 */
const MAX_WORKFLOW_TASKS = 10;
/** One poller for workflows in memory, one for the others. */
const MIN_WORKFLOW_TASKS = 2;
/**
 * The minimum calls per second that one slot of workflow tasks causes. If calls are capped, waking more workflows would only take
 * capacity from interactive requests.
 */
const CALLS_PER_WORKFLOW_TASK = 20;
const MAX_POLLS = 10;

/** The most slots for attempts and decisions within workflow tasks; attempts use at most half of them. */
const MAX_IN_PLACE = 100;
/** Workflow tasks in addition to those that attempts and polls may hold: otherwise workflows that are only woken would wait for these. */
const SPARE_WORKFLOW_TASKS = 20;

export function readMachine(): Machine {
  const limit = process.constrainedMemory();
  return {
    cores: availableParallelism(),
    heap: getHeapStatistics().heap_size_limit,
    // 0 if there is no limit, or it is unknown.
    memory: limit > 0 ? Math.min(limit, totalmem()) : totalmem(),
  };
}

/** The configured sizes; unset ones follow from the machine, with a cache well above the slots. */
export function sizesOf(config: Config, machine: Machine): WorkerSizes {
  const { PAYMENT_SERVICE_MAX_RPS: cap = Infinity } = config;
  const supported = cacheSizeFor(machine);
  const others = config.ACTIVITY_SLOTS ?? slotsFor(config, machine, config.WORKFLOW_CACHE_SIZE ?? supported);
  const capped = Math.max(MIN_SLOTS, Math.ceil(cap * SLOTS_PER_CALL_PER_SECOND));
  const collecting = Math.min(others, capped);
  const inPlace = config.COLLECT_IN_PLACE ? Math.min(MAX_IN_PLACE, 2 * collecting) : null;
  const tasks = inPlace === null ? workflowTasksFor(cap) : inPlace + MAX_POLLS + SPARE_WORKFLOW_TASKS;
  return {
    cachedWorkflows: config.WORKFLOW_CACHE_SIZE ?? Math.max(supported, CACHED_PER_SLOT * others),
    slots: { collecting, others },
    workflowTasks: { collecting: tasks, interactive: MAX_WORKFLOW_TASKS },
    workflowTaskPolls: { collecting: Math.min(MAX_POLLS, tasks), interactive: MAX_POLLS },
    inPlace,
  };
}

function workflowTasksFor(cap: number): number {
  return Math.min(MAX_WORKFLOW_TASKS, Math.max(MIN_WORKFLOW_TASKS, Math.ceil(cap / CALLS_PER_WORKFLOW_TASK)));
}

function cacheSizeFor({ heap, memory }: Machine): number {
  const bytes = Math.min(heap * LARGEST_SHARE_OF_HEAP, memory * LARGEST_SHARE_OF_MEMORY);
  return Math.max(CACHED_PER_SLOT * MIN_SLOTS, Math.floor(bytes / BYTES_PER_WORKFLOW));
}

function slotsFor(config: Config, { cores }: Machine, cached: number): number {
  const { collecting } = shareOut(config.DATABASE_POOL_SIZE, { works: true, serves: false });
  const supported = Math.min(
    SLOTS_PER_CORE * cores,
    SLOTS_PER_CONNECTION * collecting,
    Math.floor(cached / CACHED_PER_SLOT),
  );
  return Math.max(MIN_SLOTS, supported);
}
