import { blockersOf } from '../../domain/subscription/forecast';
import { HOUR, type Instant, toIso } from '../../domain/time';
import type { OpenCycleRecord } from '../../ledger';
import type { DeadlineOut } from '../schemas/reports';
import { isoOrNull, named } from './fields';

/** An open cycle as the board shows it at `now`. */
export function viewDeadline(record: OpenCycleRecord, now: Instant): DeadlineOut {
  const { deadline, collectBy, retryUntil } = record;
  return {
    subscriptionId: record.subscriptionId,
    cycle: record.cycle,
    status: record.status,
    amount: record.amount,
    dueAt: toIso(record.dueAt),
    deadline: toIso(deadline),
    hoursLeft: hoursUntil(deadline, now),
    collectBy: toIso(collectBy),
    collectHoursLeft: hoursUntil(collectBy, now),
    ...named('retryUntil', isoOrNull(retryUntil)),
    ...named('retryHoursLeft', retryUntil === null ? null : hoursUntil(retryUntil, now)),
    ...named('retriesLeft', retryUntil === null ? null : record.retriesLeft),
    ...named('nextAttemptAt', isoOrNull(record.nextAttemptAt)),
    attempts: record.attempts,
    blockedBy: blockersOf(record, now),
  };
}

/** Rounded down: nobody is to be told of time that is not there. */
function hoursUntil(instant: Instant, now: Instant): number {
  return Math.max(0, Math.floor(((instant - now) * 100) / HOUR) / 100);
}
