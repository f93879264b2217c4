import type { Instant } from './instant';
import type { CycleStatus } from './subscription';

/** Of a cycle that is not final. */
export const OPEN_STATUSES = ['scheduled', 'collecting', 'dunning', 'unresolved'] as const satisfies CycleStatus[];

/** What keeps an open cycle from being collected, in the order in which people read it. */
export const BLOCKERS = [
  /** Nothing may be sent any more: the collection window or the time for retries is over (decisions 3, 14). */
  'time_over',
  /** The hold of a pause (decisions 23). */
  'paused',
  /** The hold of a cancellation (decisions 24). */
  'cancelling',
  /** The service's answers fit nothing, or cannot be had: a matter for a person (decisions 18). */
  'outcome_unresolved',
  /** Whether a debit was made is being asked (decisions 17). */
  'outcome_unknown',
  /** An attempt of another cycle is in doubt: nothing is sent before it is settled (decisions 18). */
  'other_cycle_in_doubt',
  /** The POST is on the wire, or was when its process ended. */
  'awaiting_answer',
  /** The service knows the authorization and has not decided (decisions 10). */
  'pending_at_service',
  /** Authorized, and the debit failed: for a person (decisions 11). */
  'capture_failed',
  /** The last send never reached the bank; tried again (decisions 17). */
  'not_sent',
  /** No notice, no retry (decisions 13). */
  'notice_undelivered',
  'notice_undeliverable',
] as const;
export type Blocker = (typeof BLOCKERS)[number];

/** What is known of an open cycle. */
export interface OpenCycleFacts {
  readonly status: (typeof OPEN_STATUSES)[number];
  readonly hold: 'pause' | 'cancel' | null;
  /** Where its last send stands; null where there was none. */
  readonly lastSend:
    | 'sending'
    | 'pending'
    | 'unknown'
    | 'unresolved'
    | 'successful'
    | 'rejected_retryable'
    | 'rejected'
    | 'capture_failed'
    | 'not_sent'
    | null;
  /** Where the payer's notice about the last send's rejection stands; null where none was ordered. */
  readonly notice: 'pending' | 'delivered' | 'undeliverable' | null;
  readonly otherInDoubt: boolean;
  /** When the time to send is over: the retries' limit where there is one, else the window's. */
  readonly deadline: Instant;
}

/** Empty where the cycle only waits for its time. */
export function blockersOf(facts: OpenCycleFacts, now: Instant): Blocker[] {
  const { status, hold, lastSend } = facts;
  const told = lastSend === 'rejected_retryable' ? (facts.notice ?? 'pending') : null;
  const found: Readonly<Record<Blocker, boolean>> = {
    time_over: facts.deadline <= now,
    paused: hold === 'pause',
    cancelling: hold === 'cancel',
    outcome_unresolved: status === 'unresolved' || lastSend === 'unresolved',
    outcome_unknown: lastSend === 'unknown',
    other_cycle_in_doubt: facts.otherInDoubt,
    awaiting_answer: lastSend === 'sending',
    pending_at_service: lastSend === 'pending',
    capture_failed: lastSend === 'capture_failed',
    not_sent: lastSend === 'not_sent',
    notice_undelivered: told === 'pending',
    notice_undeliverable: told === 'undeliverable',
  };
  return BLOCKERS.filter((blocker) => found[blocker]);
}
