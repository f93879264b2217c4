import { collectionWindow } from '../../domain/collection-window';
import { firstCycleFrom, hasCycle } from '../../domain/due-dates';
import { toIso } from '../../domain/instant';
import { isTerminal } from '../../domain/subscription';
import type { SubscriptionRecord } from '../../ledger';
import { LAST_INSTANT } from '../schemas/instants';
import type { ScheduledCycleOut } from '../schemas/subscription';

/** The cycles still to come, `count` of them at most, at the amount that the next one collects. */
export function viewSchedule(record: SubscriptionRecord, count: number): ScheduledCycleOut[] {
  const first = firstToCome(record);
  const cycles: ScheduledCycleOut[] = [];
  if (first === null) return cycles;
  for (let n = first; cycles.length < count && hasCycle(record, n); n += 1) {
    const { dueAt, collectBy } = collectionWindow(record, n);
    if (collectBy > LAST_INSTANT) break;
    cycles.push({ cycle: n, dueAt: toIso(dueAt), collectBy: toIso(collectBy), amount: record.amount });
  }
  return cycles;
}

/** Due dates before the end of a pause are skipped (decisions 23). Null where nothing comes any more. */
function firstToCome(record: SubscriptionRecord): number | null {
  if (isTerminal(record.status) || record.nextDueAt === null) return null;
  const resumesAt = record.status === 'paused' ? record.pausedUntil : null;
  return firstCycleFrom(record, Math.max(record.nextDueAt, resumesAt ?? -Infinity));
}
