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
  const looking = repeat(EVERY, (signal) => look(deps, serve, signal));
  return {
    async stop() {
      stopping.abort();
      await looking.stop();
      await Promise.all(served.values());
    },
  };
}

async function look(deps: DeliveryDeps, serve: (endpointId: string) => void, signal: AbortSignal): Promise<void> {
  try {
    for (let more = true; more && !signal.aborted;) {
      const work = await readEventWork(deps.db);
      for (const endpointId of work.endpointIds) serve(endpointId);
      more = await moveOn(deps.db, work);
    }
  } catch (error) {
    warn(deps, error, 'events could not be placed or queued');
  }
}

/** Nothing is asked where there is nothing to do. @returns whether there may be more. */
async function moveOn(db: Pool, { isUnplaced, isLagging, isReplaying }: EventWork): Promise<boolean> {
  const isPlaced = isUnplaced && (await placeEvents(db)) > 0;
  const isFannedOut = (isPlaced || isLagging) && (await fanOut(db));
  const isQueued = isReplaying && (await queueReplay(db));
  return isPlaced || isFannedOut || isQueued;
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
      const begun = this.signal.aborted ? 0 : await this.begin();
      if (this.flying.size === 0 && this.ended.length === 0) return;
      if (begun === 0 || this.flying.size >= MOST_AT_ONCE) await this.untilOneEnds();
    }
  }

  private async begin(): Promise<number> {
    const { db } = this.deps;
    const limit = MOST_AT_ONCE - this.flying.size;
    if (limit === 0) return 0;
    const target = await this.readTarget();
    if (target === null) return 0;
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
    return claimed.length;
  }

  private async readTarget(): Promise<{ readonly url: string; readonly secrets: readonly string[] } | null> {
    const { db, env, openSecret } = this.deps;
    const found = await readForDelivery(db, this.endpointId);
    if (found === null) return null;
    const { url, secret, previousSecret } = found;
    if (url === null || secret === null) return env === null ? null : { url: env.url, secrets: [env.secret] };
    return { url, secrets: [secret, ...(previousSecret === null ? [] : [previousSecret])].map(openSecret) };
  }

  /** Null where this process was frozen for so long that another may have taken it. */
  private async post(
    { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
    delivery: ClaimedDelivery,
    until: number,
  ): Promise<TryRecord | null> {
    if (performance.now() > until) return null;
    const { deliveryId, subject, tries, eventId } = delivery;
    const body = JSON.stringify(envelopeOf(delivery));
    const result = await this.deps.sender.post({ url, secrets, id: eventId, body });
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

  /** Or until something else may have fallen due. */
  private async untilOneEnds(): Promise<void> {
    const waited = new AbortController();
    const awhile = pause(EVERY, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([...this.flying, awhile]);
    waited.abort();
  }
}
