import { instant } from '../../format';
import type { Attempt, Cycle, ScheduledCycle } from '../common/schemas';
import type { Life } from './life';

const OPEN: readonly Cycle['status'][] = ['scheduled', 'collecting', 'dunning', 'unresolved'];

export function isOpen({ status }: Cycle): boolean {
  return OPEN.includes(status);
}

/** A cycle that was not tried yet: one of the schedule, or one that the ledger has because it was postponed. */
export function isUntried(cycle: Cycle | ScheduledCycle): boolean {
  return !('status' in cycle) || cycle.status === 'scheduled';
}

/**
 * The attempt whose outcome is not final; undefined if there is none. It need not be the last: an earlier one that was refused
 * may be listed again (rule 36).
 */
export function awaitedAttempt({ attempts }: Pick<Cycle, 'attempts'>): Attempt | undefined {
  return attempts.find(({ outcome }) => outcome === 'pending' || outcome === 'unknown');
}

/** Cycles whose debit may still be made, although nothing more is sent (rule 24). */
export function sentCycles({ cycles }: Pick<Life, 'cycles'>): readonly Cycle[] {
  return cycles.filter((cycle) => cycle.status === 'unresolved' || awaitedAttempt(cycle) !== undefined);
}

/**
 * Cycles that have fallen due and wait for their next attempt, whether or not the ledger already has them.
 * @param now epoch ms of business time
 */
export function waitingCycles(
  { cycles, coming }: Pick<Life, 'cycles' | 'coming'>,
  now: number,
): readonly (Cycle | ScheduledCycle)[] {
  const sent = sentCycles({ cycles });
  const started = cycles.filter((cycle) => isOpen(cycle) && !sent.includes(cycle));
  return [...started, ...coming].filter(({ dueAt }) => Date.parse(dueAt) < now);
}

/** What a pause does to a cycle that waits (rule 23). */
export function effectOfPause(cycle: Cycle | ScheduledCycle): string {
  const { collectBy } = cycle;
  if ('attempts' in cycle && cycle.attempts.some(isRefused)) {
    const until = cycle.retryUntil ?? collectBy;
    return `Its retries wait. If the pause ends before ${instant(until)}, it can be retried. Otherwise it fails.`;
  }
  return `It waits. If the pause ends before ${instant(collectBy)}, it is collected. Otherwise it is skipped.`;
}

export function isRefused({ outcome }: Attempt): boolean {
  return outcome === 'rejected' || outcome === 'rejected_retryable';
}

/**
 * The due dates that a pause from now on can skip. The cycle of a due date that has passed waits instead (rule 23).
 * @param now epoch ms of business time
 */
export function skippable(schedule: readonly ScheduledCycle[], now: number): readonly ScheduledCycle[] {
  return schedule.filter(({ dueAt }) => Date.parse(dueAt) >= now);
}
