import type { Deadline } from '../common/schemas';

type Blocker = Deadline['blockedBy'][number];

const TEXTS: Readonly<Record<Blocker, string>> = {
  time_over: 'the time to collect it is over',
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
  not_sent: 'the payment service was not reached, or did not accept the last attempt; it will be repeated',
  notice_undelivered: 'the payer must be notified before the next attempt',
  notice_undeliverable: 'the payer cannot be notified, so no retry is possible',
};

/** Blockers for which the cycle is listed as work to do. A halt is shown on every page instead. */
const NEEDS_OPERATOR: ReadonlySet<Blocker> = new Set<Blocker>([
  'paused',
  'outcome_unresolved',
  'capture_failed',
  'notice_undeliverable',
]);

export function needsOperator({ blockedBy }: Pick<Deadline, 'blockedBy'>): boolean {
  return blockedBy.some((each) => NEEDS_OPERATOR.has(each));
}

/** Blockers which imply that the bank has not declined the last attempt. */
const NOT_DECLINED: ReadonlySet<Blocker> = new Set<Blocker>([
  'outcome_unresolved',
  'outcome_unknown',
  'awaiting_answer',
  'pending_at_service',
  'capture_failed',
  'not_sent',
]);

/** Why the cycle is not collected yet, as a sentence without a full stop. */
export function reasonOf({ blockedBy, lastRefusal, attempts }: Deadline): string {
  const declined = blockedBy.some((each) => NOT_DECLINED.has(each)) ? attempts - 1 : attempts;
  const refused = lastRefusal === undefined ? [] : [`declined ${timesOf(declined)}: ${lastRefusal}`];
  const reasons = [...refused, ...blockedBy.map((each) => TEXTS[each])];
  const text = reasons.length === 0 ? 'waiting for its due time' : reasons.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function timesOf(attempts: number): string {
  if (attempts <= 1) return 'once';
  return attempts === 2 ? 'twice' : `${attempts} times`;
}
