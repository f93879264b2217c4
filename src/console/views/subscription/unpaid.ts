import { day, instant, money } from '../../format';
import type { Cycle } from '../common/schemas';
import { isRecordedAsFailed, type Life } from './life';
import { isRefused } from './waiting';

/** The newest cycle that was due, if its money is missing: what is unpaid and why, and how it can still be collected. */
export interface Unpaid {
  readonly says: string;
  /** Null if the cycle has not ended. */
  readonly remedy: string | null;
}

/** Null if nothing is unpaid. A cycle that was paid by a link keeps its status (rule 15). @param now epoch ms of business time */
export function unpaidOf({ cycles }: Pick<Life, 'cycles'>, now: number): Unpaid | null {
  const last = cycles.findLast(({ status }) => status !== 'scheduled' && status !== 'skipped');
  if (last === undefined || !UNPAID.has(last.status) || last.paymentLink?.state === 'paid') return null;
  return {
    says: `The ${money(last.amount)} payment due ${day(last.dueAt)} ${whyOf(last)}`,
    remedy: remedyOf(last, now),
  };
}

const UNPAID: ReadonlySet<Cycle['status']> = new Set([...(['dunning', 'failed', 'missed', 'unresolved'] as const)]);

function whyOf({ status, attempts, reason }: Cycle): string {
  if (status === 'unresolved') return 'has an unknown outcome: the payer may or may not have been debited.';
  if (reason === 'capture_failed') return 'is unpaid: the bank authorized it, but the debit failed.';
  const recorded = attempts.find(isRecordedAsFailed);
  if (recorded !== undefined) {
    const evidence = recorded.description === undefined ? '' : ` Evidence: “${recorded.description}”`;
    return `is unpaid: ${recorded.resolvedBy} recorded that it was not debited.${evidence}`;
  }
  const refusals = attempts.filter(isRefused);
  const last = refusals.at(-1);
  if (last === undefined) return status === 'missed' ? 'was missed: it was not tried in time.' : 'is unpaid.';
  const because = last.description === undefined ? '' : ` The payment service says: “${last.description}”`;
  return `is unpaid: the bank declined it ${timesOf(refusals.length)}.${because}`;
}

/** How a cycle that has ended without its money can still be collected (rule 15); null if it has not ended. */
function remedyOf({ status, collectBy, paymentLink }: Cycle, now: number): string | null {
  if (status !== 'failed' && status !== 'missed') return null;
  const never = 'dueday does not try it again.';
  if (paymentLink?.state === 'open') return `${never} The payer can pay it by the payment link below.`;
  if (now < Date.parse(collectBy))
    return `${never} From ${instant(collectBy)} on, you can send the payer a payment link for it.`;
  return `${never} To collect it, send the payer a payment link, with the button at the cycle below.`;
}

function timesOf(n: number): string {
  if (n === 1) return 'once';
  return n === 2 ? 'twice' : `${n} times`;
}
