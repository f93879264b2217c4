import type { Deadline } from '../common/schemas';

type Blocker = Deadline['blockedBy'][number];

/** In words. */
const WORDS: Readonly<Record<Blocker, string>> = {
  time_over: 'its collection window has closed',
  halted: 'all sending is halted',
  paused: 'the subscription is paused',
  cancelling: 'the subscription is being cancelled',
  outcome_unresolved: 'nobody knows whether the debit was made',
  outcome_unknown: 'the payment service is being asked whether the debit was made',
  other_cycle_in_doubt: 'the outcome of another payment is not known yet',
  awaiting_answer: 'waiting for the payment service to answer',
  pending_at_service: 'the bank has not decided yet',
  capture_failed: 'authorized, but the debit failed',
  not_sent: 'the last try did not reach the payment service; it is repeated',
  notice_undelivered: 'the payer must be notified before the next try',
  notice_undeliverable: 'the payer cannot be notified, so it cannot be tried again',
};

/** Only an operator can remove these. */
const BY_AN_OPERATOR: ReadonlySet<Blocker> = new Set([
  ...(['paused', 'outcome_unresolved', 'capture_failed', 'notice_undeliverable'] as const),
]);

export function needsOperator({ blockedBy }: Pick<Deadline, 'blockedBy'>): boolean {
  return blockedBy.some((each) => BY_AN_OPERATOR.has(each));
}

/** Why it is not collected yet, as a sentence without its full stop. */
export function reasonOf({ blockedBy, lastRefusal, attempts }: Deadline): string {
  const refused = lastRefusal === undefined ? [] : [`refused ${timesOf(attempts)}: ${lastRefusal}`];
  const reasons = [...refused, ...blockedBy.map((each) => WORDS[each])];
  const text = reasons.length === 0 ? 'waiting for its time' : reasons.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function timesOf(attempts: number): string {
  if (attempts <= 1) return 'once';
  return attempts === 2 ? 'twice' : `${attempts} times`;
}
