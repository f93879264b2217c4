import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../platform/clock';
import { SECOND } from '../domain/time';
import { judgeTry, type WebhookSender } from '../webhooks';
import {
  claimDeliveries,
  type ClaimedDelivery,
  envelopeOf,
  type Pool,
  readForDelivery,
  recordTries,
  type TryRecord,
} from '../ledger';
import { Flights } from './repeated-work';

export interface EndpointDeps {
  readonly db: Pool;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly openSecret: (stored: string) => string;
  /** `EVENT_WEBHOOK_URL` and its secret; null if they are not set. */
  readonly env: { readonly url: string; readonly secret: string } | null;
  /** Seconds between tries. */
  readonly waits: readonly number[];
  /** Real ms of continuous failure after which an endpoint is disabled. */
  readonly disableAfter: number;
  /** Real ms between two tries to find out whether a failing endpoint with pending deliveries has recovered. */
  readonly probeEvery: number;
}

/** Concurrent posts to one endpoint by all processes. */
const MAX_CONCURRENT = 8;
/** Longer than a post may take: an expired claim belongs to a process that has ended. */
const LEASE = 45 * SECOND;
/** The part of the lease that a frozen process may have used up before it posts. */
const LATEST_POST = 15 * SECOND;

interface Ended {
  readonly claimId: string;
  readonly subject: string;
  /** Null if nothing was posted. */
  readonly made: TryRecord | null;
}

/** The URL and secrets for posting to an endpoint. */
interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Whether it is `EVENT_WEBHOOK_URL`, which may be at any address because the configuration sets it. */
  readonly isOwn: boolean;
}

/** Posts due deliveries of one endpoint until none is left. */
export class EndpointService {
  private readonly flights = new Flights();
  private ended: Ended[] = [];

  constructor(
    private readonly deps: EndpointDeps,
    private readonly endpointId: string,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    for (;;) {
      await this.record();
      if (!this.signal.aborted) await this.begin();
      if (this.flights.count === 0 && this.ended.length === 0) return;
      // Results that arrive together are written together.
      await this.flights.waitForEnd();
    }
  }

  private async begin(): Promise<void> {
    const { db } = this.deps;
    if (this.flights.count >= MAX_CONCURRENT) return;
    const target = await this.readTarget();
    if (target === null) return;
    const claimId = randomUUID();
    const until = performance.now() + LATEST_POST;
    const { endpointId } = this;
    const claim = { endpointId, claimId, lease: LEASE, limit: MAX_CONCURRENT, probeEvery: this.deps.probeEvery };
    const claimed = await claimDeliveries(db, claim);
    for (const { subject, delivery } of claimed) {
      const post = delivery === null ? Promise.resolve(null) : this.post(target, delivery, until);
      this.flights.add(post.then((made) => void this.ended.push({ claimId, subject, made })));
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

  /** Posts one delivery. Null if this process was frozen for so long that another may have claimed the delivery. */
  private async post(target: Target, delivery: ClaimedDelivery, until: number): Promise<TryRecord | null> {
    if (performance.now() > until) return null;
    const { deliveryId, subject, tries, eventId, isEarly } = delivery;
    const body = JSON.stringify(envelopeOf(delivery));
    const result = await this.deps.sender.post({ ...target, id: eventId, body });
    const { status, ms, error, answer, retryAfter } = result;
    const number = tries + 1;
    const verdict = judgeTry(result, number, this.deps.waits);
    const wait = verdict.state === 'pending' ? verdict.wait : 0;
    return { deliveryId, subject, number, isEarly, state: verdict.state, status, ms, error, answer, wait, retryAfter };
  }

  private async record(): Promise<void> {
    if (this.ended.length === 0) return;
    const { db, clock, disableAfter, probeEvery } = this.deps;
    const ended = this.ended;
    this.ended = [];
    const batch = {
      endpointId: this.endpointId,
      disableAfter,
      probeEvery,
      subjects: ended.map(({ subject }) => subject),
      claimIds: [...new Set(ended.map(({ claimId }) => claimId))],
      tries: ended.flatMap(({ made }) => (made === null ? [] : [made])),
    };
    await recordTries(db, batch, { actor: 'dueday', at: clock.now() });
  }
}
