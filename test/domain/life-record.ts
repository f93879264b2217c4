import type { Instant } from '../../src/domain/time';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import type { Script } from './life-script';

export interface Interval {
  readonly from: Instant;
  readonly to: Instant;
}

export interface Post {
  readonly cycle: number;
  readonly attempt: number;
  readonly cents: number;
  readonly at: Instant;
  readonly debits: boolean;
}

export interface Outcome {
  readonly cycle: number;
  readonly outcome: 'collected' | 'collected_late' | 'failed' | 'failed_late' | 'skipped' | 'missed';
  readonly reason: string;
  readonly at: Instant;
}

export interface Refusal {
  readonly cycle: number;
  readonly attempt: number;
  readonly at: Instant;
  readonly retryable: boolean;
}

/** What became of a subscription, as recorded by the simulation and not by the domain. */
export interface Life {
  readonly script: Script;
  readonly state: SubscriptionState;
  readonly endedAt: Instant;
  readonly posts: readonly Post[];
  readonly refusals: readonly Refusal[];
  readonly noticed: readonly { readonly cycle: number; readonly attempt: number; readonly at: Instant }[];
  readonly outcomes: readonly Outcome[];
  readonly pauses: readonly Interval[];
  /** When something outside the domain, or an unknown outcome, prevented every send. */
  readonly hindrances: readonly Interval[];
  readonly exhausted: readonly number[];
  readonly consentGoneAt: Instant | null;
}
