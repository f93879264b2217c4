import type { Instant } from '../../src/domain/time';
import type { RetryPolicy } from '../../src/domain/subscription/retries';
import type { Terms } from '../../src/domain/subscription/state';

/** How the service answers one POST, or keeps it from leaving. Durations in business ms. */
export type Answer =
  | { readonly kind: 'approved'; readonly finalAfter: number }
  | { readonly kind: 'refused'; readonly retryable: boolean; readonly finalAfter: number }
  | { readonly kind: 'capture_failed'; readonly finalAfter: number }
  /** The POST is refused because the consent has ended before it arrives. */
  | { readonly kind: 'consent_not_valid' }
  /** No request leaves the process for `lasts`. */
  | { readonly kind: 'unreachable'; readonly lasts: number }
  /** The answer is lost. dueday learns the `truth` after `settledAfter`; until then the attempt may become unresolved. */
  | {
      readonly kind: 'lost';
      readonly truth: 'approved' | 'refused' | 'refused_finally' | 'capture_failed' | 'consent_gone' | 'nothing';
      readonly settledAfter: number;
      readonly unresolvedAfter: number | null;
    }
  /** An authorization that the ledger lacks stops the POST until an operator has explained it. */
  | { readonly kind: 'stranger'; readonly explainedAfter: number };

/** An interval `[from, to)` during which no process of dueday runs. */
export interface Outage {
  readonly from: Instant;
  readonly to: Instant;
}

export type Message = { readonly at: Instant } & (
  | { readonly kind: 'pause'; readonly lasts: number | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'cancel'; readonly confirmedAfter: number }
  /** The payer cancels at the bank. dueday notices it at once, as by the daily check, or only before the next POST. */
  | { readonly kind: 'payer_cancels'; readonly isSeen: boolean }
  | { readonly kind: 'retry_now' }
  | { readonly kind: 'acknowledge' }
);

/** Everything that happens to a subscription from outside. */
export interface Script {
  readonly terms: Terms;
  readonly policy: RetryPolicy;
  readonly spread: number;
  readonly grantedAt: Instant;
  /** The answers to the POSTs, in order. Every further POST is approved at once. */
  readonly answers: readonly Answer[];
  /** How long each notice takes to reach the payer; null if it never does. Every further notice is delivered at once. */
  readonly notices: readonly (number | null)[];
  readonly outages: readonly Outage[];
  readonly messages: readonly Message[];
}
