import { collectionWindow, dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { amountDue } from '../../domain/subscription/forecast';
import { toIso } from '../../domain/time';
import { isTerminal } from '../../domain/subscription/state';
import type { SubscriptionRecord } from '../../ledger';
import { LAST_INSTANT } from '../schemas/instants';
import type { ScheduledCycleOut } from '../schemas/subscription';

/**
 * The cycles still to come, `count` of them at most, each at what it will collect as far as is known today: without the
 * skipped ones, and without those inside a pause, all of them where the pause has no end (decisions 21, 23).
 * @param skipped cycles to come that a person has skipped
 */
export function viewSchedule(
  record: SubscriptionRecord,
  skipped: readonly number[],
  count: number,
): ScheduledCycleOut[] {
  const first = firstToCome(record);
  const cycles: ScheduledCycleOut[] = [];
  if (first === null) return cycles;
  for (let n = first; cycles.length < count && hasCycle(record, n); n += 1) {
    const { dueAt: due, collectBy } = collectionWindow(record, n);
    if (collectBy > LAST_INSTANT) break;
    if (skipped.includes(n)) continue;
    cycles.push({ cycle: n, dueAt: toIso(due), collectBy: toIso(collectBy), amount: amountDue(record, due) });
  }
  return cycles;
}

/** Null where nothing comes any more, or not before somebody resumes it. */
function firstToCome(record: SubscriptionRecord): number | null {
  const { status, nextDueAt, pausedUntil } = record;
  if (isTerminal(status) || record.hold === 'cancel' || nextDueAt === null) return null;
  const next = firstCycleFrom(record, nextDueAt);
  if (status !== 'paused') return next;
  return pausedUntil === null ? null : firstCycleFrom(record, Math.max(dueAt(record, next), pausedUntil));
}
