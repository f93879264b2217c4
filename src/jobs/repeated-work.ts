import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock';
import type { PaymentGateway, RefundGateway, SubscriptionGateway } from '../temporal';
import type { Pool } from '../ledger';
import { type Logger, loggable } from '../platform/log';

/** What the work on a timer needs. */
export interface JobDeps {
  readonly db: Pool;
  readonly subscriptions: SubscriptionGateway;
  readonly payments: PaymentGateway;
  readonly refunds: RefundGateway;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @param signal aborts where the work is to stop: nothing new is begun then */
export type Work = (signal: AbortSignal) => Promise<void>;

/** Work that may fail: the fault is logged, and the next run tries again. */
export function logged(logger: Logger, failed: string, work: Work): Work {
  return (signal) => work(signal).catch((error: unknown) => logger.warn({ err: loggable(error) }, failed));
}

export interface Repeated {
  /** Waits for the run that is under way. */
  stop(): Promise<void>;
}

/** Now and every so many real ms, one run at a time. A run that takes longer lets the next ones pass. @param work never rejects, see {@link logged} */
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

/** What the API does of itself, from when it comes up until it closes. */
export function workRepeatedly(app: FastifyInstance, everyMs: number, work: Work): void {
  let repeated: Repeated | undefined;
  app.addHook('onReady', async () => {
    repeated = repeat(everyMs, work);
  });
  app.addHook('onClose', async () => repeated?.stop());
}

/** Works on all items, so many at once, begun in their order. @returns what each came to, in their order */
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
/** The most pages of one look; the next look continues behind them, so that no look takes long. */
const MOST_PAGES = 5;
/** So many in a row that cannot be begun now: Temporal is away. */
const FAILED_IN_A_ROW = 3;

/** An order in the ledger that no workflow may be working on. */
export interface OrphanedOrder<Place> {
  readonly place: Place;
  /** For people. */
  readonly name: string;
  /** Begins it; what is under way already is joined. `finished`: the workflow that was to do it has ended. */
  readonly begin: () => Promise<{ readonly kind: string }>;
}

export interface Round<Place> {
  /** In plural, for people. */
  readonly what: string;
  /** The next ones behind the place, in a fixed order; from the first on where it is null. */
  readonly find: (after: Place | null, limit: number) => Promise<readonly OrphanedOrder<Place>[]>;
}

/**
 * Looks that go round and round and begin what they find: each goes on behind the one to which the last has come, and a round
 * begins anew behind the end. So an order that cannot be started does not hold back the others.
 */
export function goRound<Place>({ logger }: JobDeps, { what, find }: Round<Place>): Work {
  const begin = createBegin(logger);
  let after: Place | null = null;
  return logged(logger, `the search for orphaned ${what} failed`, async (signal) => {
    const mostFailed = () => (signal.aborted ? 1 : FAILED_IN_A_ROW);
    let failed = 0;
    for (let pages = 0; pages < MOST_PAGES && !signal.aborted; pages += 1) {
      const found = await find(after, AT_ONCE);
      for (const each of found) {
        after = each.place;
        failed = (await begin(each)) ? 0 : failed + 1;
        if (failed >= mostFailed()) return;
      }
      if (found.length < AT_ONCE) {
        after = null;
        return;
      }
    }
  });
}

/** False where the order could not be started now. One whose workflow has ended is logged once: an operator has to act. */
function createBegin(logger: JobDeps['logger']): (order: OrphanedOrder<unknown>) => Promise<boolean> {
  const reported = new Set<string>();
  return async ({ name, begin }) => {
    try {
      const { kind } = await begin();
      if (kind === 'finished' && !reported.has(name)) {
        reported.add(name);
        logger.warn(`${name} is orphaned: its workflow has ended`);
      }
      return kind !== 'not_ready';
    } catch (error) {
      logger.warn({ err: loggable(error) }, `${name} is orphaned and could not be started`);
      return false;
    }
  };
}

/** Real ms after which what else is due begins, however long one of them takes. */
const EVERY = 200;

/** Deliveries under way in this process. */
export class Flights {
  private readonly flying = new Set<Promise<void>>();

  get count(): number {
    return this.flying.size;
  }

  add(flight: Promise<void>): void {
    const tracked = flight.finally(() => this.flying.delete(tracked));
    this.flying.add(tracked);
  }

  /**
   * Until all have ended, and at most until something else may have fallen due: a slow one holds up no other.
   * @throws what one of them was rejected with
   */
  async untilAllEnd(): Promise<void> {
    const waited = new AbortController();
    const awhile = pause(EVERY, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.flying), awhile]);
    waited.abort();
  }
}
