import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/domain/time';
import { percentile } from '../../test/storm/measure';
import { interleave, type Pairs, type RowOrder } from '../row';
import { createBare } from '../worlds/bare';
import { createDueday } from '../worlds/dueday';
import { AT_REST, type Batch, type Drainable, paymentOf, untilCollected, untilIdle } from '../worlds/contender';
import { cpuOfDescendants } from '../worlds/processes';
import type { Program } from '../worlds/program';
import type { Debited } from '../worlds/service';
import type { World } from '../worlds/world';

/** What a batch that falls due in one instant comes to. */
export interface Drained {
  /** Cycles a second, from the due instant to the last one collected. */
  readonly rate: number;
  /** Processor time of the worker a cycle, ms. */
  readonly cpu: number;
  /** The same of all programs: worker, PostgreSQL, Temporal and the service; until all sleep again. */
  readonly allCpu: number;
  /** Of what was sent, against the due instant; ms, 99 of 100 are not later. */
  readonly lateness: number;
}

/** Started before each batch to see how long that takes here, and due long after it: a quarter as many, and no more than so many. */
const PROBES = 300;
const LONG_AFTER = 30 * DAY;
/** A batch may take so much longer each than the probes did: more sleep beside it, and the cache is full for most of it. */
const SLOWER = 1.5;
/** Real ms in which all that were started come to rest. */
const TO_BE_READY = 8_000;
const TIMEOUT_FOR_ONE = 250;

let batches = 0;

function batchOf(count: number, firstDueAt: number): Batch {
  batches += 1;
  return { prefix: `batch${batches}`, count, firstDueAt };
}

/**
 * Begins a batch; all of it is asleep then, and in memory as far as that goes.
 * @returns real ms that it took, without those in which the workers were seen to rest
 */
async function beginAsleep(contender: Drainable, workers: readonly Program[], batch: Batch): Promise<number> {
  const startedAt = performance.now();
  await contender.begin(batch);
  await Promise.all(workers.map(untilIdle));
  return performance.now() - startedAt - AT_REST;
}

/**
 * Begins so many that fall due in one instant, as early as this machine can, and waits until shortly before it.
 * @returns once they are asleep
 * @throws Error if not all slept before the due instant
 */
export async function beginDue(contender: Drainable, workers: readonly Program[], count: number): Promise<Batch> {
  const probes = Math.min(PROBES, Math.ceil(count / 4));
  const took = await beginAsleep(contender, workers, batchOf(probes, Date.now() + LONG_AFTER));
  const dueAt = Math.ceil(Date.now() + TO_BE_READY + (SLOWER * took * count) / probes);
  const batch = batchOf(count, dueAt);
  await beginAsleep(contender, workers, batch);
  if (Date.now() > dueAt) throw new Error(`${count} were not all asleep when they fell due`);
  await pause(dueAt - Date.now() - 200);
  return batch;
}

/** Real ms after which so many that are due are a fault. */
export function timeoutFor(count: number): number {
  return 60_000 + count * TIMEOUT_FOR_ONE;
}

/** What a batch comes to that may send nothing. */
type Emptied = Omit<Drained, 'lateness'>;

/**
 * Begins so many and drains them.
 * @throws Error if one was sent early or twice, or not all slept before the due instant
 */
export async function drain(world: World, contender: Drainable, count: number): Promise<Drained> {
  const { batch, ...drained } = await drainBatch(contender, count);
  return { ...drained, lateness: await latenessOf(world, batch, batch.firstDueAt) };
}

/** Drains batches of dueday, each beside one of the bare workflow with the same calls and commits. */
export function drainBesideBare(world: World, order: RowOrder): Promise<Pairs<Drained>> {
  const [dueday, bare] = [createDueday(world), createBare(world)];
  return interleave(
    order,
    () => drain(world, dueday, order.size),
    () => drain(world, bare, order.size),
  );
}

/** The same without a check of what was sent, by so many workers. @param prepare called once they run, before any is due */
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
  // What is collected has yet to go to sleep again: the next drain is not to find it.
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
  const twice = debited.find(({ orderedAt }) => orderedAt.length !== 1);
  if (twice !== undefined) throw new Error(`${twice.paymentId} was debited ${twice.orderedAt.length} times`);
  const late = debited.map(({ orderedAt }) => (orderedAt[0] ?? NaN) - dueAt);
  const early = late.find((ms) => ms < 0);
  if (early !== undefined) throw new Error(`one was sent ${-early} ms before it was due`);
  return percentile(late, 99);
}

/**
 * What the service was ordered to debit, of each that is collected.
 * @throws Error if one was never sent
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

/** What a batch comes to, one of whose workers may have been killed. */
export interface Survived {
  /** From the due instant to the last one collected. */
  readonly seconds: number;
  readonly debits: number;
  /** Debits beside the first of each. */
  readonly doubles: number;
}

/**
 * For dueday, one of whose workers is killed: what dies with its row written and its request not made is sent again once it
 * counts as never made, fifteen minutes later if nothing is specified. The service answers at once, so seconds are enough; the
 * time is over when Temporal gives the attempt to another worker. The loop waits for five.
 */
export const SETTLED_SOON = { PAYMENT_SERVICE_TIMEOUT_MS: '5000', PAYMENT_SERVICE_SETTLE_SECONDS: '15' };

/**
 * Drains a batch with so many workers. With `isStruck` the first one is killed once half of the batch is collected, and
 * another one started at once, as a service manager would.
 * @throws Error if one is never sent
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
  const debits = debited.reduce((sum, { orderedAt }) => sum + orderedAt.length, 0);
  return { seconds: (lastAt - batch.firstDueAt) / 1000, debits, doubles: debits - debited.length };
}
