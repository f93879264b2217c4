import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock';
import type { PaymentGateway, RefundGateway, SubscriptionGateway } from '../gateway';
import type { Pool } from '../ledger';
import { type Logger, loggable } from '../log';

/** What the work on a timer needs. */
export interface JobDeps {
  readonly db: Pool;
  readonly subscriptions: SubscriptionGateway;
  readonly payments: PaymentGateway;
  readonly refunds: RefundGateway;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @param signal aborts where the API closes: nothing new is begun then. It never rejects. */
export type Work = (signal: AbortSignal) => Promise<void>;

/**
 * What the API does of itself: when it comes up and every so many real ms, one run at a time. A run that takes longer
 * lets the next ones pass; closing waits for it.
 */
export function workRepeatedly(app: FastifyInstance, everyMs: number, work: Work): void {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work(closing.signal).finally(() => {
      running = null;
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    run();
    timer = setInterval(run, everyMs).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    closing.abort();
    await running;
  });
}

const AT_ONCE = 100;
/** The most of one look; the next goes on behind them, so that any number of them keeps nobody busy for long. */
const MOST_PAGES = 5;
/** So many in a row that cannot be begun now: Temporal is away. */
const FAILED_IN_A_ROW = 3;

/** Something that was ordered, and that nobody may be at. */
export interface LeftBehind<Place> {
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
  readonly find: (after: Place | null, limit: number) => Promise<readonly LeftBehind<Place>[]>;
}

/** Begins what it finds. Ends early once the signal says so, after the page that it is at. */
export type Look = (signal: AbortSignal) => Promise<void>;

/**
 * Looks that go round and round: each goes on behind the one to which the last has come, and a round begins anew behind
 * the end. So one that cannot be begun, for whatever reason, keeps none of the others from it.
 */
export function goRound<Place>({ logger }: JobDeps, { what, find }: Round<Place>): Look {
  const begin = createBegin(logger);
  let after: Place | null = null;
  return async (signal) => {
    const mostFailed = () => (signal.aborted ? 1 : FAILED_IN_A_ROW);
    try {
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
    } catch (error) {
      logger.warn({ err: loggable(error) }, `${what} left behind could not be looked for`);
    }
  };
}

/** False where it could not be begun now. One whose workflow has ended is told of once: a person has to see to it. */
function createBegin(logger: JobDeps['logger']): (left: LeftBehind<unknown>) => Promise<boolean> {
  const told = new Set<string>();
  return async ({ name, begin }) => {
    try {
      const { kind } = await begin();
      if (kind === 'finished' && !told.has(name)) {
        told.add(name);
        logger.warn(`${name} was left behind by a workflow that has ended`);
      }
      return kind !== 'not_ready';
    } catch (error) {
      logger.warn({ err: loggable(error) }, `${name} was left behind and could not be begun`);
      return false;
    }
  };
}
