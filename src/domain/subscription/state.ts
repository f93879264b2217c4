import type { AuthorizationId, CaptureId, PaymentId, SubscriptionId } from '../ids';
import type { Money } from '../money';
import type { Instant } from '../time';
import type { Actor } from '../audit/event';
import type { RetryPolicy } from './retries';
import type { Calendar } from './schedule';

/** The standings of a subscription, worst first (rule 25). */
export const STANDINGS = ['needs_attention', 'dunning', 'past_due', 'good'] as const;

export type Standing = (typeof STANDINGS)[number];

/** The parts from which the ledger computes the standing. */
export interface StandingParts {
  /** Attention items, each with a key such as `pending_past_window:3`. */
  readonly attention: readonly string[];
  /** A cycle waits for its retry. */
  readonly dunning: boolean;
  /** The last due cycle was neither collected nor paid by a link; skipped cycles do not count. */
  readonly pastDue: boolean;
}

/** "no payer approval within 10 minutes": the length of the consent session (reference, Limits). Real time. */
export const CONSENT_SESSION = 10 * 60 * 1000;

/**
 * Who ended a consent: as its reason says; if it names neither, the merchant if a DELETE of ours may have ended it,
 * otherwise the payer (rule 7).
 */
export function consentEndedBy(reason: string | null, weDeleted: boolean): CancelledBy {
  const said = reason?.toLowerCase();
  if (said === 'cancelled_by_merchant') return 'merchant';
  if (said === 'cancelled_by_payer') return 'payer';
  return weDeleted ? 'merchant' : 'payer';
}

/** The payer's answer to a consent. */
export type ConsentResult =
  | { readonly kind: 'granted' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled'; readonly by: CancelledBy; readonly reason: string | null };

export const SUBSCRIPTION_STATUSES = [
  'pending_consent',
  'consent_failed',
  'active',
  'paused',
  'cancelled',
  'completed',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const CYCLE_STATUSES = [
  'scheduled',
  'collecting',
  'dunning',
  'collected',
  'failed',
  'skipped',
  'missed',
  'unresolved',
] as const;
export type CycleStatus = (typeof CYCLE_STATUSES)[number];

/** The statuses of a cycle that is not final. */
export const OPEN_STATUSES = ['scheduled', 'collecting', 'dunning', 'unresolved'] as const satisfies CycleStatus[];

export type OnExhausted = 'continue' | 'pause' | 'cancel';
export type CancelledBy = 'payer' | 'merchant';

/** What was agreed on. It never changes. */
export interface Terms extends Calendar {
  readonly subscriptionId: SubscriptionId;
  readonly consentAmount: Money;
  readonly startAt: Instant;
  readonly onExhausted: OnExhausted;
}

/** `[since, until)`; `until` is null if no end was given and the subscription has not been resumed yet. */
export interface Pause {
  readonly since: Instant;
  readonly until: Instant | null;
}

/** The latest rejection in the cycle, by the bank or the service (rule 12). */
export interface Rejection {
  readonly attempt: number;
  readonly at: Instant;
  /** When the attempt was sent, by our clock; omitted if only the service's time is known. */
  readonly sentAt?: Instant;
  readonly detail: string;
  readonly description: string;
  readonly retryable: boolean;
}

/** An attempt that was authorized but not debited. Ids are null if unknown. */
export interface FailedCapture {
  readonly attempt: number;
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly detail: string;
}

/** Everything that determines how one attempt is made or followed. Nothing is sent at or after `sendBefore`. */
export interface CollectPlan {
  readonly cycle: number;
  readonly attempt: number;
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  /** The end of the window or of the time for retries, less the transit margin; with `settleOnly` the due date. */
  readonly sendBefore: Instant;
  /** The due date of the next cycle that is not skipped, stored once this one is collected; null if there is none. */
  readonly nextDueAt: Instant | null;
  /** The attempt is only polled until its outcome is known; nothing is sent. */
  readonly settleOnly: boolean;
  /**
   * The attempt is followed in parallel to later cycles, see {@link PendingAttempt}: its result is never `pending` or
   * `unlisted`.
   */
  readonly parked: boolean;
  /** The cycle is already shown as unresolved, so the attempt has a result only once it is settled. */
  readonly knownUnresolved: boolean;
}

/** The result of an attempt. */
export type CollectResult =
  | {
      readonly kind: 'collected';
      /** Null if an operator resolved it without giving the ids. */
      readonly authorizationId: AuthorizationId | null;
      readonly captureId: CaptureId | null;
      readonly at: Instant;
    }
  | ({
      readonly kind: 'rejected';
      /** The attempt had been refused before, and the consequences of the first refusal remain (rule 36). */
      readonly again?: true;
    } & Omit<Rejection, 'attempt'>)
  | {
      readonly kind: 'capture_failed';
      readonly authorizationId: AuthorizationId;
      readonly captureId: CaptureId | null;
      readonly detail: string;
      /** createdAt of the successful authorization. */
      readonly at: Instant;
    }
  /** The window has ended, and the authorization, whose id is known, is still pending. */
  | { readonly kind: 'pending'; readonly authorizationId: AuthorizationId }
  /** Pending, and otherwise complete lists have lacked it for the settle time (rule 41). */
  | { readonly kind: 'unlisted'; readonly authorizationId: AuthorizationId }
  /** Nothing was sent: a refused attempt of another cycle is listed again and must be followed in parallel (rule 36). */
  | { readonly kind: 'reopened'; readonly cycle: number; readonly attempt: number; readonly amount: Money }
  /** The window has ended, and it is unknown whether a debit was made. */
  | { readonly kind: 'unknown' }
  /** The service cannot be asked, or its answer is contradictory. */
  | { readonly kind: 'unresolved'; readonly reason: string }
  /** Settled: no debit was made, and nothing is on the wire. */
  | { readonly kind: 'absent' }
  /** Nothing was sent, and nothing may be sent any more. */
  | { readonly kind: 'window_closed' }
  /**
   * Nothing may be sent: the subscription is paused, on hold or being cancelled, the first attempt is postponed, or the
   * row has a newer revision than the workflow knows.
   */
  | {
      readonly kind: 'stopped';
      /** The ledger has no delivered notice that permits this retry (rule 13); absent for any other reason. */
      readonly why?: 'no_notice';
    }
  | {
      readonly kind: 'consent_ended';
      readonly by: CancelledBy;
      readonly reason: string | null;
    };

/** The results that are recorded as the outcome of the attempt. The others say why nothing more is sent now. */
export type AttemptResult = Exclude<
  CollectResult,
  { kind: 'window_closed' | 'stopped' | 'reopened' | 'consent_ended' }
>;

/** The progress of the payer's notice: `due` until it is ordered, `sending` until it is delivered. */
export type NoticeState =
  | { readonly kind: 'due' | 'sending' }
  | { readonly kind: 'delivered'; readonly at: Instant }
  | { readonly kind: 'undeliverable'; readonly reason: string };

/** A cycle from its first attempt until it is final. Its amount is frozen (rule 9). */
export interface OpenCycle {
  readonly cycle: number;
  readonly amount: Money;
  readonly policy: RetryPolicy;
  /** The number of the next or current attempt: 0 first, then the retries. */
  readonly attempt: number;
  readonly firstFailureAt: Instant | null;
  readonly rejection: Rejection | null;
  readonly notice: NoticeState;
  /** The next retry is made at or after this instant, as an operator requested, instead of at its planned time; null: as planned. */
  readonly retryFrom: Instant | null;
  /** An authorization was successful but its capture failed: it is never authorized again automatically (rule 11). */
  readonly captureFailed: boolean;
  /** The attempt with the failed capture; absent if there is none. */
  readonly failedCapture?: FailedCapture;
  /**
   * An attempt has an unknown outcome; or the answers about it are contradictory (rule 18); or a refused attempt is listed
   * again (rule 36). Nothing later is sent meanwhile.
   */
  readonly unsettled: 'none' | 'unknown' | 'reopened' | 'unresolved';
}

/** An attempt followed in parallel to later cycles: pending past its window, unlisted, or refused and listed again (rules 10, 36, 41). */
export type PendingAttempt = CollectPlan & {
  readonly settleOnly: true;
  readonly parked: true;
  /** Whether the six-month rule counts it as an increase if it is authorized. */
  readonly countsAsIncrease?: boolean;
  /** For a refused attempt that is listed again: how its cycle has ended; absent if it has not. */
  readonly ended?: CycleStatus;
};

/** An accepted change of amount that no cycle has collected yet (rule 21). */
export interface PendingChange {
  readonly requestedAt: Instant;
  readonly amount: Money;
  readonly previousAmount: Money;
  /** The first cycle that will collect it, and its due date. */
  readonly fromCycle: number;
  readonly effectiveAt: Instant;
  readonly kind: 'increase' | 'reduction' | 'unchanged';
  /** Whether the six-month rule counts it. */
  readonly countsAsIncrease: boolean;
  /** The instant from which the payer is notified of it. */
  readonly announceAt: Instant;
  readonly announcement: NoticeState | { readonly kind: 'not_needed' };
  /**
   * The pending change that a cycle in progress had frozen when this one was requested: if that cycle fails, the cycles before
   * `fromCycle` collect it. Absent if there was none.
   */
  readonly earlier?: PendingChange;
}

/** A new consent that will replace a subscription: nothing due at or after `from` is collected (rule 22). */
export interface Replacement {
  readonly by: SubscriptionId;
  readonly from: Instant;
}

export interface Cancellation extends Actor {
  readonly at: Instant;
  readonly reason: string | null;
}

/** At the payer's request, the first attempt of a cycle is made later in its window; its due date does not change (rule 3). */
export interface Postponement {
  readonly cycle: number;
  readonly until: Instant;
}

/** The state of a subscription, derived from the rows of the ledger. No personal data. */
export interface SubscriptionState {
  readonly terms: Terms;
  readonly policy: RetryPolicy;
  /** Ms between a due date and its first attempt, so that attempts due at the same instant are spread over time. */
  readonly spread: number;
  readonly status: SubscriptionStatus;
  readonly paymentId: PaymentId | null;
  /** The earliest cycle that is neither final nor followed in parallel (`pending`). */
  readonly cycle: number;
  readonly open: OpenCycle | null;
  readonly pending: readonly PendingAttempt[];
  /** Current and past pauses that may cover a cycle that is not final, oldest first. */
  readonly pauses: readonly Pause[];
  /** The subscription that this one replaces once active (rule 22). */
  readonly replaces: SubscriptionId | null;
  /** Subscriptions that will replace this one, while their payers are asked for consent. */
  readonly replacements: readonly Replacement[];
  readonly replacedBy: SubscriptionId | null;
  /** Future cycles that an operator has skipped. */
  readonly skips: readonly number[];
  /** For cycles that have not been attempted; absent if there are none. */
  readonly postponements?: readonly Postponement[];
  /** The end of the hold that stops its attempts; in the past if the hold has ended, absent if there was none. */
  readonly heldUntil?: Instant;
  readonly collectedOnce: boolean;
  /** The amount that was authorized last; before the first authorization the imported amount or that of the consent. */
  readonly current: Money;
  /** The cycle that was authorized with the `current` amount; null if there is none. */
  readonly currentOf: number | null;
  readonly pendingChange: PendingChange | null;
  /** createdAt of the first successful authorization at the last increase that counts (rule 20). */
  readonly lastIncreaseAt: Instant | null;
  readonly standing: StandingParts;
  readonly cancellation: Cancellation | null;
  readonly cancelledBy: CancelledBy | null;
  /** When the end of the consent was noticed, if a due date was waiting at that time; a cancellation by the merchant has its own time. */
  readonly endSeenAt?: Instant;
  /** The revision of the ledger's row, raised by every change of which the workflow must be notified. */
  readonly revision: number;
}

/** Whether a subscription with this status has ended: no new attempt starts, but an open one is still polled. */
export function isTerminal(status: SubscriptionStatus): boolean {
  return status === 'consent_failed' || status === 'cancelled' || status === 'completed';
}
