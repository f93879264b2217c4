import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock';
import type { OrderRun, PaymentWorkflows, RefundWorkflows, SubscriptionWorkflows } from '../temporal';
import type { Pool } from '../ledger';
import { type Logger, loggable } from '../platform/log';

/** Dependencies of the work on a timer. */
export interface JobDeps {
  readonly db: Pool;
  readonly subscriptions: SubscriptionWorkflows;
  readonly payments: PaymentWorkflows;
  readonly refunds: RefundWorkflows;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @param signal aborts when the process stops: long work then starts nothing new */
export type Work = (signal: AbortSignal) => Promise<void>;

/** Work that may fail: the fault is logged, and the next run tries again. */
export function logged(logger: Logger, failed: string, work: Work): Work {
  return (signal) => work(signal).catch((error: unknown) => logger.warn({ err: loggable(error) }, failed));
}

export interface Repeated {
  /** Waits for the current run to end. */
  stop(): Promise<void>;
}

/**
 * Runs now and every `everyMs` of real time, one run at a time: no run starts while another is still in progress.
 * @param work never rejects, see {@link logged}
 */
export function repeat(everyMs: number, work: Work): Repeated {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work(stopping.signal).finally(() => {
      running = null;
    });
  };
  run();
  const timer = setInterval(run, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** Background work of the API, from its start until it closes. */
export function workRepeatedly(app: FastifyInstance, everyMs: number, work: Work): void {
  let repeated: Repeated | undefined;
  app.addHook('onReady', async () => {
    repeated = repeat(everyMs, work);
  });
  app.addHook('onClose', async () => repeated?.stop());
}

/** Works on all items in parallel lanes, started in their order. @returns the results, in the order of the items */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const run = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, run));
  return results;
}

const AT_ONCE = 100;
/** Maximum pages of one run; the next run continues after them, so that no run takes long. */
const MAX_PAGES = 5;
/** After this many consecutive failures Temporal is considered unavailable. */
const FAILED_IN_A_ROW = 3;

/** An order in the ledger that may have no workflow. */
export interface OrphanedOrder<Position> {
  readonly position: Position;
  /** For the log. */
  readonly name: string;
  /** Starts its workflow, or joins the running one. */
  readonly begin: () => Promise<OrderRun>;
}

/** Returns the next orders after the position, always in the same sequence; null: from the first. */
export type FindOrphaned<Position> = (
  after: Position | null,
  limit: number,
) => Promise<readonly OrphanedOrder<Position>[]>;

/**
 * Work that starts the workflows of the orders it finds. Each run continues where the previous run stopped; after the last order,
 * the next run begins again with the first. So an order that cannot be started does not hold up the others.
 */
export function startRound<Position>({ logger }: Pick<JobDeps, 'logger'>, find: FindOrphaned<Position>): Work {
  let after: Position | null = null;
  return logged(logger, 'the search for orphaned orders failed', async (signal) => {
    const mustEnd = () => signal.aborted;
    let failed = 0;
    for (let pages = 0; pages < MAX_PAGES && !mustEnd(); pages += 1) {
      const found = await find(after, AT_ONCE);
      for (const each of found) {
        if (mustEnd()) return;
        after = each.position;
        failed = (await tryToStart(each, logger)) ? 0 : failed + 1;
        if (failed >= FAILED_IN_A_ROW) return;
      }
      if (found.length < AT_ONCE) {
        after = null;
        return;
      }
    }
  });
}

/** Resolves to false if the order could not be started now. */
async function tryToStart({ name, begin }: OrphanedOrder<unknown>, logger: Logger): Promise<boolean> {
  try {
    return (await begin()).kind === 'running';
  } catch (error) {
    logger.warn({ order: name, err: loggable(error) }, 'an order is orphaned and could not be started');
    return false;
  }
}

/** The longest wait of {@link Flights.waitForEnd} in real ms, so that other due work starts however long one delivery takes. */
const LONGEST_WAIT = 200;

/** Deliveries under way in this process. */
export class Flights {
  private readonly flying = new Set<Promise<void>>();

  get count(): number {
    return this.flying.size;
  }

  /** @param flight never rejects */
  add(flight: Promise<void>): void {
    const tracked = flight.finally(() => this.flying.delete(tracked));
    this.flying.add(tracked);
  }

  /** Waits until all have ended, but at most {@link LONGEST_WAIT} ms: a slow one holds up no other. */
  async waitForEnd(): Promise<void> {
    const waited = new AbortController();
    const awhile = pause(LONGEST_WAIT, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.flying), awhile]);
    waited.abort();
  }
}
