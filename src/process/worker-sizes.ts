import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Config } from '../config';
import { shareOut } from '../ledger';

/** What a process may use. */
export interface Machine {
  readonly cores: number;
  /** Bytes that V8 lets a heap grow to; the thread that runs workflows has one of its own. */
  readonly heap: number;
  /** Bytes of the machine, or of its container where that has less. */
  readonly memory: number;
}

/** How much a worker holds and does at once. */
export interface WorkerSizes {
  /** Workflows kept in memory, of the queue that collects, and at most as many of the one for people. */
  readonly cachedWorkflows: number;
  /** Activities at once: on the queue that collects, and on each other one. */
  readonly slots: { readonly collecting: number; readonly others: number };
  /** Workflow tasks at once: on the queue that collects, and on the one for people. */
  readonly workflowTasks: { readonly collecting: number; readonly people: number };
}

/** A cached workflow that sleeps takes less. */
const BYTES_A_WORKFLOW = 512 * 1024;
const LARGEST_SHARE_OF_HEAP = 1 / 2;
const LARGEST_SHARE_OF_MEMORY = 1 / 4;

/**
 * A workflow that waits for its activity must still be in memory when the answer comes: one that is not is played from
 * its beginning, which costs as much as two cycles.
 */
const CACHED_A_SLOT = 4;

/** An attempt waits for the payment service most of the time, and holds a connection only for a statement. */
const SLOTS_A_CORE = 100;
const SLOTS_A_CONNECTION = 16;
/** So many in any case: the daily work holds one for hours. */
const FEWEST_SLOTS = 10;
/** Slots that the cap leaves busy for a minute: an attempt makes about five calls. Those beyond would only hold what waits. */
const SLOTS_PER_CALL_A_SECOND = 12;

/**
 * One thread works on workflow tasks, one after the other: those beyond would only age in it, and past 10 s Temporal gives
 * them to another worker, while who creates waits behind them.
 */
const MOST_WORKFLOW_TASKS = 10;
/** One polls for workflows that are in memory, one for the others. */
const FEWEST_WORKFLOW_TASKS = 2;
/**
 * Calls a second that the workflow tasks of one slot lead to, at the least. Where calls are capped, to wake more workflows
 * would only take machine and Temporal from the people who wait.
 */
const CALLS_A_WORKFLOW_TASK = 20;

export function readMachine(): Machine {
  const limit = process.constrainedMemory();
  return {
    cores: availableParallelism(),
    heap: getHeapStatistics().heap_size_limit,
    // 0 where nothing limits it, or nothing is known.
    memory: limit > 0 ? Math.min(limit, totalmem()) : totalmem(),
  };
}

/** What the configuration says, and for what it leaves open what the machine carries; the cache well above the slots. */
export function sizesOf(config: Config, machine: Machine): WorkerSizes {
  const { PAYMENT_SERVICE_MAX_RPS: cap = Infinity } = config;
  const carried = cacheCarriedBy(machine);
  const others = config.ACTIVITY_SLOTS ?? slotsCarriedBy(config, machine, config.WORKFLOW_CACHE_SIZE ?? carried);
  const capped = Math.max(FEWEST_SLOTS, Math.ceil(cap * SLOTS_PER_CALL_A_SECOND));
  return {
    cachedWorkflows: config.WORKFLOW_CACHE_SIZE ?? Math.max(carried, CACHED_A_SLOT * others),
    slots: { collecting: Math.min(others, capped), others },
    workflowTasks: { collecting: workflowTasksUnder(cap), people: MOST_WORKFLOW_TASKS },
  };
}

function workflowTasksUnder(cap: number): number {
  return Math.min(MOST_WORKFLOW_TASKS, Math.max(FEWEST_WORKFLOW_TASKS, Math.ceil(cap / CALLS_A_WORKFLOW_TASK)));
}

function cacheCarriedBy({ heap, memory }: Machine): number {
  const bytes = Math.min(heap * LARGEST_SHARE_OF_HEAP, memory * LARGEST_SHARE_OF_MEMORY);
  return Math.max(CACHED_A_SLOT * FEWEST_SLOTS, Math.floor(bytes / BYTES_A_WORKFLOW));
}

function slotsCarriedBy(config: Config, { cores }: Machine, cached: number): number {
  const { collecting } = shareOut(config.DATABASE_POOL_SIZE, { works: true, serves: false });
  const carried = Math.min(SLOTS_A_CORE * cores, SLOTS_A_CONNECTION * collecting, Math.floor(cached / CACHED_A_SLOT));
  return Math.max(FEWEST_SLOTS, carried);
}
