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
  /** Attention items: what waits for an operator, each by a key such as `pending_past_window:3`. */
  readonly attention: readonly string[];
  /** A cycle waits for its retry. */
  readonly dunning: boolean;
  /** The last due cycle was not collected; a skipped one says nothing. */
  readonly pastDue: boolean;
}

/** "If no payer approval within 10 minutes" the session is over (reference, Limits). Real time. */
export const CONSENT_SESSION = 10 * 60 * 1000;

/**
 * Who ended a consent: as the reason says; else the merchant where a DELETE of ours may have ended it, and the payer where
 * nothing says (rule 7).
 */
export function consentEndedBy(reason: string | null, weDeleted: boolean): CancelledBy {
  const said = reason?.toLowerCase();
  if (said === 'cancelled_by_merchant') return 'merchant';
  if (said === 'cancelled_by_payer') return 'payer';
  return weDeleted ? 'merchant' : 'payer';
}

/** How a consent was answered. */
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

export type OnExhausted = 'continue' | 'pause' | 'cancel';
export type CancelledBy = 'payer' | 'merchant';

/** What was agreed. Never changes. */
export interface Terms extends Calendar {
  readonly subscriptionId: SubscriptionId;
  readonly consentAmount: Money;
  readonly startAt: Instant;
  readonly onExhausted: OnExhausted;
}

/** `[since, until)`; `until` is null where no end was given and it has not been resumed yet. */
export interface Pause {
  readonly since: Instant;
  readonly until: Instant | null;
}

/** The bank's latest rejection in the cycle. */
export interface Rejection {
  readonly attempt: number;
  readonly at: Instant;
  /** When the attempt was sent, by our clock; left out where only the service's time of it is known. */
  readonly sentAt?: Instant;
  readonly detail: string;
  readonly description: string;
  readonly retryable: boolean;
}

/** An attempt that was authorized and not debited. Ids are null where they are not known. */
export interface FailedCapture {
  readonly attempt: number;
  readonly authorizationId: AuthorizationId | null;
  readonly captureId: CaptureId | null;
  readonly detail: string;
}

/** Everything that fixes one attempt. Nothing is sent at or after `sendBefore`. */
export interface CollectPlan {
  readonly cycle: number;
  readonly attempt: number;
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  /** The window's or the retries' limit, less the transit margin. */
  readonly sendBefore: Instant;
  /** The due date after this cycle, for the ledger once it is collected; null where it is the last. */
  readonly nextDueAt: Instant | null;
  /** Ask until the matter is settled; send nothing. */
  readonly settleOnly: boolean;
  /** Pending past its window already, and followed beside the later cycles: come back only when it is final. */
  readonly parked: boolean;
  /** The cycle is already shown as unresolved: come back only when it is settled. */
  readonly knownUnresolved: boolean;
}

/** What became of an attempt. */
export type CollectResult =
  | {
      readonly kind: 'collected';
      /** Null if an operator resolved it without naming them. */
      readonly authorizationId: AuthorizationId | null;
      readonly captureId: CaptureId | null;
      readonly at: Instant;
    }
  | ({
      readonly kind: 'rejected';
      /** It had been refused before, and the consequences remain (rule 36). */
      readonly again?: true;
    } & Omit<Rejection, 'attempt'>)
  | {
      readonly kind: 'capture_failed';
      readonly authorizationId: AuthorizationId;
      readonly captureId: CaptureId | null;
      readonly detail: string;
      /** createdAt of the authorization, which went through. */
      readonly at: Instant;
    }
  /** The window has ended and the authorization, whose id is known, still pending. */
  | { readonly kind: 'pending'; readonly authorizationId: AuthorizationId }
  /** Pending, and missing from lists that are complete apart from it for the settle time (rule 41). */
  | { readonly kind: 'unlisted'; readonly authorizationId: AuthorizationId }
  /** Nothing was sent: a refused attempt of another cycle is listed again, and is to be followed beside this one (rule 36). */
  | { readonly kind: 'reopened'; readonly cycle: number; readonly attempt: number; readonly amount: Money }
  /** The window has ended and it is not known whether a debit was made. */
  | { readonly kind: 'unknown' }
  /** The service cannot be asked, or its answer fits nothing. */
  | { readonly kind: 'unresolved'; readonly reason: string }
  /** Settled: no debit was made, nothing is on the wire. */
  | { readonly kind: 'absent' }
  /** Nothing was sent, and nothing may be any more. */
  | { readonly kind: 'window_closed' }
  /** The ledger holds the subscription, paused or being cancelled, or has a newer revision than the workflow knows. */
  | {
      readonly kind: 'held';
      /** The ledger has no delivered notice that permits this retry (rule 13); absent for any other hold. */
      readonly why?: 'no_notice';
    }
  | {
      readonly kind: 'consent_ended';
      readonly by: CancelledBy;
      readonly reason: string | null;
    };

/** What changes the cycle: nothing else leaves a trace of the attempt. */
export type AttemptResult = Exclude<CollectResult, { kind: 'window_closed' | 'held' | 'reopened' | 'consent_ended' }>;

/** How far the payer's notice has come: `due` until it is ordered, `sending` until it is delivered. */
export type NoticeState =
  | { readonly kind: 'due' | 'sending' }
  | { readonly kind: 'delivered'; readonly at: Instant }
  | { readonly kind: 'undeliverable'; readonly reason: string };

/** A cycle from its first attempt until it is final. Amount and retry policy are frozen (rule 9). */
export interface OpenCycle {
  readonly cycle: number;
  readonly amount: Money;
  readonly policy: RetryPolicy;
  /** The attempt to be made next, or being made: 0 first, then the retries. */
  readonly attempt: number;
  readonly firstFailureAt: Instant | null;
  readonly rejection: Rejection | null;
  readonly notice: NoticeState;
  /** An operator requested it: the next retry is made from then on instead of at its planned time. */
  readonly retryFrom: Instant | null;
  /** An authorization went through and its capture failed: never authorized again by itself (rule 11). */
  readonly captureFailed: boolean;
  /** Which attempt that was; absent if none was. */
  readonly failedCapture?: FailedCapture;
  /**
   * Sent with an outcome that is not known; stopped by one that fits nothing (rule 18); or an attempt that was refused is listed
   * again (rule 36). Nothing later is sent.
   */
  readonly unsettled: 'none' | 'unknown' | 'reopened' | 'unresolved';
}

/** A pending authorization past its window: polled on, holds no later cycle (rule 10). */
export type PendingAttempt = CollectPlan & {
  readonly settleOnly: true;
  readonly parked: true;
  /** Whether the six-month rule counts it as an increase, should it go through. */
  readonly countsAsIncrease?: boolean;
};

/** A change of amount that was accepted, and that no cycle has collected yet (rule 21). */
export interface PendingChange {
  readonly requestedAt: Instant;
  readonly amount: Money;
  readonly previousAmount: Money;
  /** The first cycle that is to take it, and its due date. */
  readonly fromCycle: number;
  readonly effectiveAt: Instant;
  readonly kind: 'increase' | 'reduction' | 'unchanged';
  /** Whether the six-month rule counts it. */
  readonly countsAsIncrease: boolean;
  /** When the payer is notified of it. */
  readonly announceAt: Instant;
  readonly announcement: NoticeState | { readonly kind: 'not_needed' };
  /**
   * What a cycle under way had frozen as this one was asked for: the cycles before `fromCycle` take it, should that one fail.
   * Absent where none had.
   */
  readonly earlier?: PendingChange;
}

/** A new consent that is to take a subscription's place: nothing due at or after `from` is collected (rule 22). */
export interface Replacement {
  readonly by: SubscriptionId;
  readonly from: Instant;
}

export interface Cancellation extends Actor {
  readonly at: Instant;
  readonly reason: string | null;
}

/** The payer has asked that a cycle is first tried later in its window; its due date remains (rule 3). */
export interface Postponement {
  readonly cycle: number;
  readonly until: Instant;
}

/** The state of a subscription, as it follows from the rows of the ledger. Without personal data. */
export interface SubscriptionState {
  readonly terms: Terms;
  readonly policy: RetryPolicy;
  /** Ms after a due date before its first attempt is made (a storm's spread). */
  readonly spread: number;
  readonly status: SubscriptionStatus;
  readonly paymentId: PaymentId | null;
  /** The earliest cycle that is not final. */
  readonly cycle: number;
  readonly open: OpenCycle | null;
  readonly pending: readonly PendingAttempt[];
  /** Current and past pauses that a cycle not yet final may lie in, oldest first. */
  readonly pauses: readonly Pause[];
  /** The subscription that this one replaces once active (rule 22). */
  readonly replaces: SubscriptionId | null;
  /** Subscriptions that will replace it, while their payers are asked. */
  readonly replacements: readonly Replacement[];
  readonly replacedBy: SubscriptionId | null;
  /** Future cycles that an operator has skipped. */
  readonly skips: readonly number[];
  /** Of cycles that have not been tried; absent if there are none. */
  readonly postponements?: readonly Postponement[];
  /** Until when a hold stops its attempts; past once the hold has ended, absent if there was none. */
  readonly heldUntil?: Instant;
  readonly collectedOnce: boolean;
  /** The last collected amount, or the consent's. */
  readonly current: Money;
  /** The cycle that was authorized at `current`; null if none was. */
  readonly currentOf: number | null;
  readonly pendingChange: PendingChange | null;
  /** createdAt of the first successful authorization at the last increase that counts (rule 20). */
  readonly lastIncreaseAt: Instant | null;
  readonly standing: StandingParts;
  readonly cancellation: Cancellation | null;
  readonly cancelledBy: CancelledBy | null;
  /** When the end of the consent was noticed, if a due date waited then; a cancellation by the merchant has its own time. */
  readonly endSeenAt?: Instant;
  /** Of the ledger's row: raised by every change that its workflow has to know of. */
  readonly revision: number;
}

/** It accepts no more requests; what is open is still polled. */
export function isTerminal(status: SubscriptionStatus): boolean {
  return status === 'consent_failed' || status === 'cancelled' || status === 'completed';
}
