import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../test/storm/measure';
import { interleave, type Pairs, type RowOrder } from '../row';
import { createBare } from '../worlds/bare';
import { createDueday } from '../worlds/dueday';
import { AT_REST, type Batch, type Drainable, paymentOf, untilCollected, untilIdle } from '../worlds/contender';
import { cpuOfDescendants } from '../worlds/processes';
import type { Program } from '../worlds/program';
import type { Debited } from '../worlds/service';
import type { World } from '../worlds/world';

/** The measurements of a batch whose cycles all fall due in one instant. */
export interface Drained {
  /** Cycles per second, from the due instant until the last one is collected. */
  readonly rate: number;
  /** Processor time of the workers per cycle, ms. */
  readonly cpu: number;
  /** Processor time per cycle of workers, PostgreSQL, Temporal and the service, until all workflows are asleep again, ms. */
  readonly allCpu: number;
  /** The 99th percentile of how long after the due instant debits were requested, ms. */
  readonly lateness: number;
}

/**
 * Subscriptions that are started and collected before each batch, to measure how long a start takes here, and so that the
 * programs have compiled what they run.
 */
const PROBES = 300;
/** Real ms after which the probes fall due: most of them are asleep by then. */
const PROBES_DUE = 5_000;
/** How much longer a start may take in the batch than in the probes: more workflows are asleep, and the cache is full most of the time. */
const SLOWER = 1.5;
/** Real ms in which workflows that have been started fall asleep. */
const TO_BE_READY = 8_000;
const TIMEOUT_FOR_ONE = 250;

let batches = 0;

function batchOf(count: number, firstDueAt: number): Batch {
  batches += 1;
  return { prefix: `batch${batches}`, count, firstDueAt };
}

/**
 * Begins a batch and waits until all of it is asleep; as many workflows as the cache holds are in memory.
 * @returns real ms that it took, without the last {@link AT_REST} ms, in which the workers were idle
 */
async function beginAsleep(contender: Drainable, workers: readonly Program[], batch: Batch): Promise<number> {
  const startedAt = performance.now();
  await contender.begin(batch);
  await Promise.all(workers.map(untilIdle));
  return performance.now() - startedAt - AT_REST;
}

/**
 * Begins subscriptions that fall due in one instant, which is as early as this machine allows, and waits until shortly before it.
 * @param options the word is as in {@link Batch}; fewer probes if calls are capped
 * @throws Error if not all slept before the due instant
 */
export async function beginDue(
  contender: Drainable,
  workers: readonly Program[],
  count: number,
  { word, probes: probing = PROBES }: { readonly word?: string; readonly probes?: number } = {},
): Promise<Batch> {
  const probes = batchOf(probing, Date.now() + PROBES_DUE);
  const startedAt = performance.now();
  await contender.begin(probes);
  const took = performance.now() - startedAt;
  await untilCollected(contender, probes, probing, timeoutFor(probing));
  await Promise.all(workers.map(untilIdle));
  const dueAt = Math.ceil(Date.now() + TO_BE_READY + (SLOWER * took * count) / probing);
  const batch = { ...batchOf(count, dueAt), ...(word === undefined ? {} : { word }) };
  await beginAsleep(contender, workers, batch);
  if (Date.now() > dueAt) throw new Error(`${count} were not all asleep when they fell due`);
  await pause(dueAt - Date.now() - 200);
  return batch;
}

/** Real ms within which this many due cycles must be collected. */
export function timeoutFor(count: number): number {
  return 60_000 + count * TIMEOUT_FOR_ONE;
}

/** A drained batch without its lateness, which can be computed only if each cycle has a debit. */
type Emptied = Omit<Drained, 'lateness'>;

/**
 * Begins a batch of this size and waits until it is collected.
 * @throws Error if a debit was sent early or twice, or not all workflows were asleep before the due instant
 */
export async function drain(world: World, contender: Drainable, count: number): Promise<Drained> {
  const { batch, ...drained } = await drainBatch(contender, count);
  return { ...drained, lateness: await latenessOf(world, batch, batch.firstDueAt) };
}

/** Drains batches of dueday, alternating with batches of the bare workflow, which has the same calls and commits. */
export function drainComparedWithBare(world: World, order: RowOrder): Promise<Pairs<Drained>> {
  const [dueday, bare] = [createDueday(world), createBare(world)];
  return interleave(
    order,
    () => drain(world, dueday, order.size),
    () => drain(world, bare, order.size),
  );
}

/**
 * Like {@link drain}, but with several workers, and without checking what was sent.
 * @param prepare called when the workers run, before anything is due
 */
export async function drainBatch(
  contender: Drainable,
  count: number,
  { workers: running = 1, prepare }: { readonly workers?: number; readonly prepare?: Prepare } = {},
): Promise<Emptied & { readonly batch: Batch }> {
  const workers = await Promise.all(Array.from({ length: running }, () => contender.startWorker()));
  await prepare?.(workers);
  const batch = await beginDue(contender, workers, count);
  const [before, allBefore] = [await cpuOf(workers), await cpuOfDescendants()];
  const lastAt = await untilCollected(contender, batch, count, timeoutFor(count));
  const cpu = ((await cpuOf(workers)) - before) / count;
  // Workflows that were collected still have to fall asleep, which must not become part of the next measurement.
  await Promise.all(workers.map(untilIdle));
  const allCpu = ((await cpuOfDescendants()) - allBefore) / count;
  await Promise.all(workers.map((worker) => worker.stop()));
  return { batch, rate: (count * 1000) / (lastAt - batch.firstDueAt), cpu, allCpu };
}

type Prepare = (workers: readonly Program[]) => Promise<void>;

async function cpuOf(workers: readonly Program[]): Promise<number> {
  const each = await Promise.all(workers.map((worker) => worker.cpu()));
  return each.reduce((sum, ms) => sum + ms, 0);
}

async function latenessOf(world: World, batch: Batch, dueAt: number): Promise<number> {
  const debited = await debitedOf(world, batch);
  const twice = debited.find(({ debitedAt }) => debitedAt.length !== 1);
  if (twice !== undefined) throw new Error(`${twice.paymentId} was debited ${twice.debitedAt.length} times`);
  const late = debited.map(({ debitedAt }) => (debitedAt[0] ?? NaN) - dueAt);
  const early = late.find((ms) => ms < 0);
  if (early !== undefined) throw new Error(`one was sent ${-early} ms before it was due`);
  return percentile(late, 99);
}

/**
 * The debits that the service has received, per payment of the batch.
 * @throws Error if a payment has none
 */
async function debitedOf(world: World, batch: Batch): Promise<readonly Debited[]> {
  const debited = await world.debited(`pay-${batch.prefix}-`);
  const known = new Set(debited.map(({ paymentId }) => paymentId));
  const missing = Array.from({ length: batch.count }, (_, index) => paymentOf(batch, index)).find(
    (id) => !known.has(id),
  );
  if (missing !== undefined) throw new Error(`${missing} was collected and never sent`);
  return debited;
}

/** The measurements of a batch during which a worker may have been killed. */
export interface Survived {
  /** The time from the due instant until the last cycle is collected. */
  readonly seconds: number;
  readonly debits: number;
  /** Debits in excess of one per cycle. */
  readonly doubles: number;
}

/**
 * Settings of dueday for a run in which a worker is killed. A send that died between its row and its request is repeated only
 * once it counts as never made: by default after fifteen minutes, here after fifteen seconds, which is enough because the
 * service answers immediately. Those fifteen seconds are over when Temporal gives the attempt to another worker. The loop waits five.
 */
export const SETTLED_SOON = { PAYMENT_SERVICE_TIMEOUT_MS: '5000', PAYMENT_SERVICE_SETTLE_SECONDS: '15' };

/**
 * Drains a batch. With `isStruck` the first worker is killed when half of the batch is collected, and another one is started
 * immediately, as a service manager would do.
 * @throws Error if a debit is never sent
 */
export async function drainStruck(
  world: World,
  contender: Drainable,
  { count, workers, isStruck }: { readonly count: number; readonly workers: number; readonly isStruck: boolean },
): Promise<Survived> {
  const [first, ...others] = await Promise.all(Array.from({ length: workers }, () => contender.startWorker()));
  if (first === undefined) throw new RangeError('expected one worker or more; got 0');
  const batch = await beginDue(contender, [first, ...others], count);
  await untilCollected(contender, batch, Math.ceil(count / 2), timeoutFor(count));
  if (isStruck) await first.kill();
  const last = isStruck ? await contender.startWorker() : first;
  const lastAt = await untilCollected(contender, batch, count, timeoutFor(count));
  await Promise.all([last, ...others].map((worker) => worker.stop()));
  const debited = await debitedOf(world, batch);
  const debits = debited.reduce((sum, { debitedAt }) => sum + debitedAt.length, 0);
  return { seconds: (lastAt - batch.firstDueAt) / 1000, debits, doubles: debits - debited.length };
}
