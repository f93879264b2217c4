import { day, money } from '../../format';
import type { Cycle } from '../common/schemas';
import type { Life } from './life';
import { isRefused } from './waiting';

/**
 * One sentence on the newest cycle that was due, if its money is missing: what is unpaid and why. Null if nothing is. A cycle
 * that was paid by a link keeps its status (rule 15).
 */
export function unpaidOf({ cycles }: Pick<Life, 'cycles'>): string | null {
  const last = cycles.findLast(({ status }) => status !== 'scheduled' && status !== 'skipped');
  if (last === undefined || !UNPAID.has(last.status) || last.paymentLink?.state === 'paid') return null;
  return `The ${money(last.amount)} payment due ${day(last.dueAt)} ${whyOf(last)}`;
}

const UNPAID: ReadonlySet<Cycle['status']> = new Set([...(['dunning', 'failed', 'missed', 'unresolved'] as const)]);

function whyOf({ status, attempts, reason }: Cycle): string {
  if (status === 'unresolved') return 'has an unknown outcome: the payer may or may not have been debited.';
  const refusals = attempts.filter(isRefused);
  const last = refusals.at(-1);
  if (reason === 'capture_failed') return 'is unpaid: the bank authorized it, but the debit failed.';
  if (last === undefined) return status === 'missed' ? 'was missed: it was not tried in time.' : 'is unpaid.';
  const because = last.description === undefined ? '' : ` (${last.description})`;
  return `is unpaid: the bank declined it ${timesOf(refusals.length)}${because}.`;
}

function timesOf(n: number): string {
  if (n === 1) return 'once';
  return n === 2 ? 'twice' : `${n} times`;
}
