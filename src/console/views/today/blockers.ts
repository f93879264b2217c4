import type { Deadline } from '../common/schemas';

type Blocker = Deadline['blockedBy'][number];

const TEXTS: Readonly<Record<Blocker, string>> = {
  time_over: 'its collection window has closed',
  halted: 'all sending is halted',
  on_hold: 'a hold stops its collection',
  paused: 'the subscription is paused',
  cancelling: 'the subscription is being cancelled',
  outcome_unresolved: 'it is not known whether the payer was debited',
  outcome_unknown: 'dueday is finding out whether the payer was debited',
  other_cycle_unknown: 'waiting for the outcome of another payment',
  awaiting_answer: 'waiting for the payment service to answer',
  pending_at_service: 'the bank has not decided yet',
  capture_failed: 'authorized, but the debit failed',
  not_sent: 'the last attempt did not reach the payment service; it will be repeated',
  notice_undelivered: 'the payer must be notified before the next attempt',
  notice_undeliverable: 'the payer cannot be notified, so no retry is possible',
};

/** Blockers that only an operator can remove. */
const NEEDS_OPERATOR: ReadonlySet<Blocker> = new Set<Blocker>([
  'paused',
  'outcome_unresolved',
  'capture_failed',
  'notice_undeliverable',
]);

export function needsOperator({ blockedBy }: Pick<Deadline, 'blockedBy'>): boolean {
  return blockedBy.some((each) => NEEDS_OPERATOR.has(each));
}

/** Why it is not collected yet, as a sentence without a full stop. */
export function reasonOf({ blockedBy, lastRefusal, attempts }: Deadline): string {
  const refused = lastRefusal === undefined ? [] : [`declined ${timesOf(attempts)}: ${lastRefusal}`];
  const reasons = [...refused, ...blockedBy.map((each) => TEXTS[each])];
  const text = reasons.length === 0 ? 'waiting for its due time' : reasons.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function timesOf(attempts: number): string {
  if (attempts <= 1) return 'once';
  return attempts === 2 ? 'twice' : `${attempts} times`;
}
