import type { Attempt, Cycle } from '../common/schemas';
import type { Life } from './life';

const OPEN: readonly Cycle['status'][] = ['scheduled', 'collecting', 'dunning', 'unresolved'];

export function isOpen({ status }: Cycle): boolean {
  return OPEN.includes(status);
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
