import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { framesOf, type Lease, nextStretch, RENEW_EVERY, sharersAt, VALID_FOR } from '../domain/call-frames';
import { SECOND } from '../domain/time';
import { createPool, readRateLeases, renewRateLease, takeRateLease } from '../ledger';
import type { Logger } from '../log';
import type { CallTimes } from '../payment-service';

/** The share that this process has of the capped calls. */
export interface RateLease extends CallTimes {
  /** Begins to share: a newcomer has to wait until all others have seen it. */
  join(): void;
  stop(): Promise<void>;
}

interface RateLeaseOptions {
  readonly databaseUrl: string;
  /** Calls a second, of all processes together. */
  readonly callsPerSecond: number;
  readonly log: Logger;
}

/** What was seen last. `validUntil` is by this process's monotonic clock, counted from before PostgreSQL was asked. */
interface Seen {
  readonly leases: readonly Lease[];
  readonly validUntil: number;
}

/** How far PostgreSQL's clock is ahead of the monotonic one, as one answer told it; half of `within` off at the most. */
interface Offset {
  readonly ms: number;
  readonly within: number;
}

/** A look that takes longer tells the clock too badly to call by it. */
const LONGEST_LOOK = 100;
/** Looks of which the one that was answered most quickly tells the offset. */
const OFFSETS_KEPT = 8;

/** Shares from the first call that is wanted, or from {@link RateLease.join}, until it is stopped. */
export function openRateLease({ databaseUrl, callsPerSecond, log }: RateLeaseOptions): RateLease {
  const frames = framesOf(callsPerSecond);
  const limits = { statementTimeoutMs: 2 * SECOND, patienceMs: 2 * SECOND, answerMs: 2 * SECOND };
  // A connection of its own: calls must not stop because others keep all of a pool's busy.
  const db = createPool({ databaseUrl, max: 1, ...limits, log });
  const stopping = new AbortController();
  let id = randomUUID() as string;
  let seen: Seen = { leases: [], validUntil: -Infinity };
  let offsets: readonly Offset[] = [];
  let renewing: Promise<void> | null = null;

  const offset = () =>
    offsets.reduce((best, each) => (each.within < best.within ? each : best), { ms: 0, within: Infinity });
  const now = () => performance.now() + offset().ms;

  async function renew(): Promise<void> {
    if (!(await renewRateLease(db, id))) {
      id = randomUUID();
      await takeRateLease(db, id);
    }
    const asked = performance.now();
    const { at, leases } = await readRateLeases(db);
    const answered = performance.now();
    offsets = [...offsets.slice(1 - OFFSETS_KEPT), { ms: at - (asked + answered) / 2, within: answered - asked }];
    seen = { leases, validUntil: asked + VALID_FOR };
  }

  async function keepRenewing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await renew().catch((error: unknown) => log.warn({ err: error }, 'the share of calls could not be renewed'));
      await pause(RENEW_EVERY, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const join = () => {
    renewing ??= keepRenewing();
  };

  return {
    now,
    join,
    next(from) {
      join();
      if (offset().within > LONGEST_LOOK) return null;
      const before = seen.validUntil + offset().ms;
      return now() < before ? nextStretch(frames, seen.leases, id, { from, before }) : null;
    },
    perSecond() {
      const sharers = sharersAt(seen.leases, now()).length;
      return sharers === 0 ? 0 : (frames.calls * SECOND) / frames.length / sharers;
    },
    async stop() {
      stopping.abort();
      await renewing;
      await db.end();
    },
  };
}
