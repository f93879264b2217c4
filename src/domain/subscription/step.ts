import type { Instant } from '../time';
import type { DropReason } from './pending-change';
import type { CollectionWindow } from './schedule';
import type { CollectPlan, PendingChange, Rejection } from './state';

/** Why a cycle ended uncollected. */
export type ClosingReason =
  | 'paused'
  | 'skipped_by_request'
  | 'replaced'
  | 'window_closed'
  | 'rejected'
  | 'capture_failed'
  | 'retries_used'
  | 'no_time_left'
  | 'out_of_time'
  | 'notice_undeliverable'
  | 'consent_ended';

export interface Closing {
  readonly kind: 'close';
  readonly cycle: number;
  readonly window: CollectionWindow;
  readonly status: 'skipped' | 'missed' | 'failed';
  readonly reason: ClosingReason;
}

export type WaitReason = 'replacement' | 'due' | 'retry' | 'notice' | 'paused' | 'on_hold' | 'pending';

/** The payer must be notified of a refusal before the retry. */
export interface Notification {
  readonly kind: 'notify';
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly rejection: Rejection;
  readonly retryAt: Instant;
  readonly retryUntil: Instant;
  readonly retriesLeft: number;
}

/** A change that the cycle may not collect after all: the old amount is collected. */
export interface Dropping {
  readonly kind: 'drop_change';
  readonly change: PendingChange;
  readonly cycle: number;
  readonly reason: DropReason;
}

/** A step that needs only the ledger, taken in the transaction that decides it. */
export type LedgerStep =
  | Notification
  | Closing
  | { readonly kind: 'resume'; readonly at: Instant }
  /** Notify the payer of an increase; nothing waits for the notice. */
  | { readonly kind: 'announce'; readonly change: PendingChange }
  | Dropping
  | { readonly kind: 'complete' };

/** A step that takes time or calls another system. A wait ends at its instant or with the next change; null: only with a change. */
export type OpenStep =
  | { readonly kind: 'wait'; readonly until: Instant | null; readonly why: WaitReason }
  | { readonly kind: 'await_consent' | 'cancel_consent' | 'finish' }
  | { readonly kind: 'collect'; readonly plan: CollectPlan }
  /** An attempt whose outcome is awaited in parallel (rules 10, 36). */
  | { readonly kind: 'follow'; readonly plan: CollectPlan };

export type Step = LedgerStep | OpenStep;

/** Whether the step is left to the workflow, and not taken in the transaction that decides it. */
export function isOpenStep(step: Step): step is OpenStep {
  return OPEN_STEPS.some((kind) => kind === step.kind);
}

const OPEN_STEPS = ['wait', 'await_consent', 'cancel_consent', 'collect', 'follow', 'finish'] as const;

/** The number of an attempt: 0 for the first of a cycle, then its retries. */
export interface AttemptNumber {
  readonly cycle: number;
  readonly attempt: number;
}

export function includesAttempt(attempts: readonly AttemptNumber[], { cycle, attempt }: AttemptNumber): boolean {
  return attempts.some((each) => each.cycle === cycle && each.attempt === attempt);
}
