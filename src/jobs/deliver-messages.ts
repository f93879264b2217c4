import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../domain/time';
import {
  fanOut,
  type MessageWork,
  PLACED_AT_ONCE,
  placeEvents,
  type Pool,
  queueReplay,
  readMessageWork,
  SUMMED_AT_ONCE,
  sumCollectionChanges,
} from '../ledger';
import { type Logger, loggable } from '../platform/log';
import { type NoticeDeps, NoticeService } from './deliver-notices';
import { type EndpointDeps, EndpointService } from './endpoint-service';
import { repeat, type Repeated } from './repeated-work';

export interface DeliveryDeps extends EndpointDeps, NoticeDeps {
  /** A separate pool, so that no other part waits for a connection because of deliveries. */
  readonly db: Pool;
  readonly logger: Logger;
  /** What this process delivers; others deliver the rest. */
  readonly delivers: { readonly notices: boolean; readonly events: boolean };
}

/** Real ms between two checks if nothing is due. */
const EVERY = 200;
/**
 * After several positions were assigned at once, no more are assigned for this long (real ms): batches need far fewer statements.
 */
const BATCH_INTERVAL = SECOND;
/** The most fan-outs in a row, each for one endpoint that lacks deliveries; then endpoints with something due are served. */
const FAN_OUTS_AT_ONCE = 10;
/** Real ms before an endpoint is served again after a failure, for example if its secret cannot be read. */
const AFTER_FAULT = 5 * SECOND;
/**
 * The outbox: delivers notices to payers and to the merchant, assigns events their positions in the feed, creates their
 * deliveries and posts them, and adds what was committed to the sums of collections, in any number of processes, until it is
 * stopped. Notices and each endpoint are served independently, so that a slow one delays no other.
 */
export function deliverMessages(deps: DeliveryDeps): Repeated {
  const served = new Served(deps);
  let pausedUntil = 0;
  const polling = repeat(EVERY, async (signal) => {
    const isPaused = performance.now() < pausedUntil;
    if ((await deliverOnce(deps, served, signal, !isPaused)) > 1) pausedUntil = performance.now() + BATCH_INTERVAL;
  });
  return {
    async stop() {
      served.abort();
      await polling.stop();
      await served.end();
    },
  };
}

/**
 * Delivers notices, and the events of each endpoint. In this process at most one run for notices and one for each endpoint is
 * active at a time. A run ends once nothing is due for it.
 */
class Served {
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly deps: DeliveryDeps) {}

  notices(): void {
    this.serve('notices', 'notices could not be delivered', () => new NoticeService(this.deps, this.signal).run());
  }

  endpoint(endpointId: string): void {
    const failed = `the endpoint ${endpointId} could not be served`;
    this.serve(endpointId, failed, () => new EndpointService(this.deps, endpointId, this.signal).run());
  }

  abort(): void {
    this.stopping.abort();
  }

  async end(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private get signal(): AbortSignal {
    return this.stopping.signal;
  }

  private serve(name: string, failed: string, run: () => Promise<void>): void {
    if (this.running.has(name)) return;
    const serving = run()
      .catch(async (error: unknown) => {
        warn(this.deps, error, failed);
        await pause(AFTER_FAULT, undefined, { signal: this.signal }).catch(() => undefined);
      })
      .finally(() => this.running.delete(name));
    this.running.set(name, serving);
  }
}

/**
 * Starts the deliveries that are due, and advances events until no more work may be due.
 * @param places whether to assign positions to new events, and to add to sums
 * @returns how many positions were assigned
 */
async function deliverOnce(deps: DeliveryDeps, served: Served, signal: AbortSignal, places: boolean): Promise<number> {
  let placed = 0;
  let isPlacing = places;
  try {
    for (let more = true; more && !signal.aborted;) {
      const work = await readMessageWork(deps.db, deps.clock.realNow());
      if (deps.delivers.notices && work.areNoticesDue) served.notices();
      if (!deps.delivers.events) break;
      for (const endpointId of work.endpointIds) served.endpoint(endpointId);
      const moved = await advanceEvents(deps.db, work, isPlacing);
      placed += moved.placed;
      // After a batch that was not full, new events wait for the next poll.
      isPlacing &&= moved.placed === 0 || moved.placed === PLACED_AT_ONCE;
      more = moved.isMore;
    }
  } catch (error) {
    warn(deps, error, 'events could not be positioned or queued');
  }
  return placed;
}

interface Moved {
  readonly placed: number;
  /** Whether more work may be due now. */
  readonly isMore: boolean;
}

/**
 * Assigns positions, fans out events, adds to sums and queues replays; without such work it runs no statement.
 * @param places whether to assign positions to new events, and to add to sums; if not, both wait for the next poll
 */
async function advanceEvents(
  db: Pool,
  { isUnplaced, isUnsummed, isLagging, isReplaying }: MessageWork,
  places: boolean,
): Promise<Moved> {
  const placed = isUnplaced && places ? await placeEvents(db) : 0;
  let fannedOut = 0;
  if (placed > 0 || isLagging) while (fannedOut < FAN_OUTS_AT_ONCE && (await fanOut(db))) fannedOut += 1;
  const summed = isUnsummed && places ? await sumCollectionChanges(db) : 0;
  const isQueued = isReplaying && (await queueReplay(db));
  return { placed, isMore: placed > 0 || summed === SUMMED_AT_ONCE || fannedOut > 0 || isQueued };
}

function warn({ logger }: DeliveryDeps, error: unknown, message: string): void {
  logger.warn({ err: loggable(error) }, message);
}
