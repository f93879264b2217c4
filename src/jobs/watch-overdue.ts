import type { Clock } from '../platform/clock';
import { MINUTE } from '../domain/time';
import { followOverdue, groupItems, type Pool, purgeBackOffs, purgeFailedChecks } from '../ledger';
import type { Logger } from '../platform/log';
import { logged, repeat, type Repeated } from './repeated-work';

export interface OverdueDeps {
  readonly db: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Real ms: `PAYMENT_SERVICE_SETTLE_SECONDS`. */
  readonly settle: number;
  /** `PAYMENT_SERVICE_MAX_RPS`; null if the calls are not capped. */
  readonly callsPerSecond: number | null;
}

/**
 * Reports every minute of real time what should have happened and has not, and groups many items with one cause into one, in any
 * number of processes, until it is stopped. It needs only the ledger, as workflows and workers may be at fault (rules 43, 44).
 */
export function watchOverdue(deps: OverdueDeps): Repeated {
  const { db, clock, logger, settle, callsPerSecond } = deps;
  const check = logged(logger, 'the ledger could not be checked for overdue work', async () => {
    const [now, realNow] = [clock.now(), clock.realNow()];
    const speed = clock.setting?.speed ?? 1;
    const found = await followOverdue(db, { now, realNow, settle, callsPerSecond, speed });
    for (const { subscriptionId, cycle, reason } of found) logger.warn({ subscriptionId, cycle, reason }, 'overdue');
    await groupItems(db, now);
    await purgeFailedChecks(db, realNow);
    await purgeBackOffs(db, realNow);
  });
  return repeat(MINUTE, check);
}
