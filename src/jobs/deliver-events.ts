import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock';
import { SECOND } from '../domain/time';
import { type EventSender, judgeTry } from '../events';
import {
  claimDeliveries,
  type ClaimedDelivery,
  envelopeOf,
  type EventWork,
  fanOut,
  PLACED_AT_ONCE,
  placeEvents,
  type Pool,
  queueReplay,
  readEventWork,
  readForDelivery,
  recordTries,
  type TryRecord,
} from '../ledger';
import { type Logger, loggable } from '../log';
import { repeat, type Repeated } from './repeated-work';

export interface DeliveryDeps {
  /** A pool of its own: no other part waits for a connection because of deliveries. */
  readonly db: Pool;
  readonly sender: EventSender;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openSecret: (stored: string) => string;
  /** `EVENT_WEBHOOK_URL` and its secret; null where they are not set. */
  readonly env: { readonly url: string; readonly secret: string } | null;
  /** Seconds between tries. */
  readonly waits: readonly number[];
  /** Real ms of failing only after which an endpoint is disabled. */
  readonly disableAfter: number;
}

/** Real ms between two looks where nothing is due. */
const EVERY = 200;
/** The same after a look that found several events: events until the next one go together, in far fewer statements. */
const IN_FLOW = SECOND;
/** Endpoints that are brought forward before those that have something due are served. */
const FAN_OUTS_AT_ONCE = 10;
/** Real ms before an endpoint is served again where that has failed, for one as its secret cannot be read. */
const AFTER_FAULT = 5 * SECOND;
/** Posts to one endpoint at once, of one process. */
const MOST_AT_ONCE = 20;
/** Longer than a post may take: a claim that is over was that of a process that is gone. */
const LEASE = 45 * SECOND;
/** Of it, what a process that was frozen may have used up before it posts. */
const LATEST_POST = 15 * SECOND;

/**
 * Places events, makes deliveries of them and posts these, in any number of processes, until it is stopped. Each endpoint
 * is served apart, so that a slow one delays no other.
 */
export function deliverEvents(deps: DeliveryDeps): Repeated {
  const stopping = new AbortController();
  const served = new Map<string, Promise<void>>();
  const serve = (endpointId: string) => {
    if (served.has(endpointId)) return;
    const serving = new EndpointService(deps, endpointId, stopping.signal)
      .run()
      .catch(async (error: unknown) => {
        warn(deps, error, `the endpoint ${endpointId} could not be served`);
        await pause(AFTER_FAULT, undefined, { signal: stopping.signal }).catch(() => undefined);
      })
      .finally(() => served.delete(endpointId));
    served.set(endpointId, serving);
  };
  let restsUntil = 0;
  const looking = repeat(EVERY, async (signal) => {
    if (performance.now() < restsUntil) return;
    if ((await look(deps, serve, signal)) > 1) restsUntil = performance.now() + IN_FLOW;
  });
  return {
    async stop() {
      stopping.abort();
      await looking.stop();
      await Promise.all(served.values());
    },
  };
}

/** @returns how many new events it has placed */
async function look(deps: DeliveryDeps, serve: (endpointId: string) => void, signal: AbortSignal): Promise<number> {
  let placed = 0;
  let isPlacing = true;
  try {
    for (let more = true; more && !signal.aborted;) {
      const work = await readEventWork(deps.db);
      for (const endpointId of work.endpointIds) serve(endpointId);
      const moved = await moveOn(deps.db, work, isPlacing);
      placed += moved.placed;
      // After a batch that was not full, what comes waits for the next look.
      isPlacing &&= moved.placed === 0 || moved.placed === PLACED_AT_ONCE;
      more = moved.isMore;
    }
  } catch (error) {
    warn(deps, error, 'events could not be placed or queued');
  }
  return placed;
}

interface Moved {
  readonly placed: number;
  /** Whether there may be more. */
  readonly isMore: boolean;
}

/** Nothing is asked where there is nothing to do. @param places whether new events are placed; else they come with the next look */
async function moveOn(db: Pool, { isUnplaced, isLagging, isReplaying }: EventWork, places: boolean): Promise<Moved> {
  const placed = isUnplaced && places ? await placeEvents(db) : 0;
  let fannedOut = 0;
  if (placed > 0 || isLagging) while (fannedOut < FAN_OUTS_AT_ONCE && (await fanOut(db))) fannedOut += 1;
  const isQueued = isReplaying && (await queueReplay(db));
  return { placed, isMore: placed > 0 || fannedOut > 0 || isQueued };
}

function warn({ logger }: DeliveryDeps, error: unknown, message: string): void {
  logger.warn({ err: loggable(error) }, message);
}

interface Ended {
  readonly claimId: string;
  readonly subject: string;
  /** Null where there was nothing to post after all. */
  readonly made: TryRecord | null;
}

/** Where an endpoint is posted to. */
interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
  /** It is `EVENT_WEBHOOK_URL`, which goes to any address, as the notices to it do. */
  readonly isOwn: boolean;
}

/** Posts what is due at one endpoint until nothing is. */
class EndpointService {
  private readonly flying = new Set<Promise<void>>();
  private ended: Ended[] = [];

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly endpointId: string,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      await this.record();
      if (!this.signal.aborted) await this.begin();
      if (this.flying.size === 0 && this.ended.length === 0) return;
      await this.untilAllEnd();
    }
  }

  private async begin(): Promise<void> {
    const { db } = this.deps;
    const limit = MOST_AT_ONCE - this.flying.size;
    if (limit === 0) return;
    const target = await this.readTarget();
    if (target === null) return;
    const claimId = randomUUID();
    const until = performance.now() + LATEST_POST;
    const claimed = await claimDeliveries(db, { endpointId: this.endpointId, claimId, lease: LEASE, limit });
    for (const { subject, delivery } of claimed) {
      const post = delivery === null ? Promise.resolve(null) : this.post(target, delivery, until);
      const flight = post
        .then((made) => void this.ended.push({ claimId, subject, made }))
        .finally(() => this.flying.delete(flight));
      this.flying.add(flight);
    }
  }

  private async readTarget(): Promise<Target | null> {
    const { db, env, openSecret } = this.deps;
    const found = await readForDelivery(db, this.endpointId);
    if (found === null) return null;
    const { url, secret, previousSecret } = found;
    if (url === null || secret === null)
      return env === null ? null : { url: env.url, secrets: [env.secret], isOwn: true };
    const secrets = [secret, ...(previousSecret === null ? [] : [previousSecret])].map(openSecret);
    return { url, secrets, isOwn: false };
  }

  /** Null where this process was frozen for so long that another may have taken it. */
  private async post(target: Target, delivery: ClaimedDelivery, until: number): Promise<TryRecord | null> {
    if (performance.now() > until) return null;
    const { deliveryId, subject, tries, eventId } = delivery;
    const body = JSON.stringify(envelopeOf(delivery));
    const result = await this.deps.sender.post({ ...target, id: eventId, body });
    const { status, ms, error, answer } = result;
    const number = tries + 1;
    const verdict = judgeTry(result, number, this.deps.waits);
    const wait = verdict.state === 'pending' ? verdict.wait : 0;
    return { deliveryId, subject, number, state: verdict.state, status, ms, error, answer, wait };
  }

  private async record(): Promise<void> {
    if (this.ended.length === 0) return;
    const { db, clock, disableAfter } = this.deps;
    const ended = this.ended;
    this.ended = [];
    const batch = {
      endpointId: this.endpointId,
      disableAfter,
      subjects: ended.map(({ subject }) => subject),
      claimIds: [...new Set(ended.map(({ claimId }) => claimId))],
      tries: ended.flatMap(({ made }) => (made === null ? [] : [made])),
    };
    await recordTries(db, batch, { actor: 'dueday', at: clock.now() });
  }

  /** What ends together is written together. At most until something else may have fallen due: a slow post holds up none. */
  private async untilAllEnd(): Promise<void> {
    const waited = new AbortController();
    const awhile = pause(EVERY, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.flying), awhile]);
    waited.abort();
  }
}
