import { euros } from '../../domain/money';
import { describeRefusal } from '../../domain/refusals';
import { blockersOf } from '../../domain/subscription/forecast';
import { HOUR, type Instant } from '../../domain/time';
import type { OpenCycleRecord } from '../../ledger';
import type { DeadlineOut } from './schema';

/** An open cycle as the board shows it at `now`. */
export function viewDeadline(record: OpenCycleRecord, now: Instant): DeadlineOut {
  const { deadline, collectBy, retryUntil, refusedWith, isUnderWay, amount } = record;
  return {
    ...record,
    hoursLeft: hoursUntil(deadline, now),
    collectHoursLeft: hoursUntil(collectBy, now),
    retryHoursLeft: retryUntil === null ? null : hoursUntil(retryUntil, now),
    retriesLeft: retryUntil === null ? null : record.retriesLeft,
    lastRefusal: refusedWith === null ? null : describeRefusal(refusedWith),
    atRisk: isUnderWay ? euros(0) : amount,
    blockedBy: blockersOf(record, now),
  };
}

/** Rounded down, so that no answer promises time that is not left. */
function hoursUntil(instant: Instant, now: Instant): number {
  return Math.max(0, Math.floor(((instant - now) * 100) / HOUR) / 100);
}
