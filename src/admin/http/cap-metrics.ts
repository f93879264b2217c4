import { setTimeout as pause } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { MINUTE, SECOND } from '../../domain/time';
import { type CollectingLimits, type Db, readBusiestDay, readLateness, readReport } from '../../ledger';
import { loggable } from '../../platform/log';
import type { CountingDeps } from '../dependencies';

/** Real ms until everything that is due today and tomorrow is counted again. */
const COUNTED_EVERY = MINUTE;
/** Real ms for which a scrape waits for the count: with millions due at once, the next scrape shows the result. */
const MAX_WAIT = 2 * SECOND;

/**
 * Metrics of what the cap on calls means for today and tomorrow, counted at most once a minute of real time. Call the returned
 * function before the metrics are read. The hours are left out without a cap, and all four metrics while the ledger is unreachable.
 */
export function countCapNeeds({ reading, clock, logger, registry, collecting }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name: `dueday_${name}`, help, registers: [registry] });
  const needed = gauge(
    'hours_to_collect',
    'Hours that the cap on calls needs for the busier one of today and tomorrow',
  );
  const allowed = gauge(
    'hours_to_collect_allowed',
    'Hours that collecting the day of dueday_hours_to_collect may take',
  );
  const capWait = gauge('cap_wait_seconds', 'Business time that the oldest due date waits because of the cap on calls');
  const beyond = gauge(
    'late_beyond_cap_seconds',
    'Business time by which the oldest due date without an attempt is later than spread and cap explain',
  );
  const reset = () => [needed, allowed, capWait, beyond].forEach((each) => each.remove());
  // A gauge starts with the value 0, which would be shown until the first count.
  reset();
  const count = async (limits: CollectingLimits) => {
    try {
      const { busiest, lateness } = await readReport(reading, (db) => readNeeds(db, clock.now(), limits));
      reset();
      capWait.set(lateness.capWait / SECOND);
      beyond.set(lateness.beyond / SECOND);
      if (busiest === null) return;
      needed.set(busiest.hours);
      allowed.set(busiest.allowed);
    } catch (error) {
      reset();
      logger.warn({ err: loggable(error) }, 'what the cap on calls needs could not be counted');
    }
  };
  let countedAt = -Infinity;
  return async () => {
    if (collecting === undefined || performance.now() < countedAt + COUNTED_EVERY) return;
    countedAt = performance.now();
    await Promise.race([count(collecting), pause(MAX_WAIT, undefined, { ref: false })]);
  };
}

async function readNeeds(db: Db, now: number, limits: CollectingLimits) {
  return { busiest: await readBusiestDay(db, now, limits), lateness: await readLateness(db, now, limits) };
}
