import type { Instant } from '../domain/time';
import type { Money } from '../domain/money';
import type { Terms } from '../domain/subscription/state';

/** One thing that somebody does: the payer, the payer's bank, the network, or the merchant by an update. */
export type Deed =
  /** The payer's wallet from here on, one of the simulator's. */
  | { readonly kind: 'wallet'; readonly wallet: string }
  /** What becomes of the next authorizations: the answer is lost, or the request never arrives. */
  | { readonly kind: 'fault'; readonly fault: 'lost_answer' | 'swallowed'; readonly times: number }
  | { readonly kind: 'pause'; readonly until: Instant | null }
  | { readonly kind: 'skip'; readonly cycle: number }
  | { readonly kind: 'amount'; readonly cycle: number; readonly amount: Money }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'payer_cancels' };

export interface ScriptedEvent {
  readonly at: Instant;
  readonly action: Deed;
  /** In words, for people. */
  readonly says: string;
}

/** A subscription, what happens to it, and until when it is watched. */
export interface Script {
  readonly terms: Terms;
  readonly happenings: readonly ScriptedEvent[];
  readonly until: Instant;
}

/** A happening and what came of it; a refusal in the workflow's own words. */
export interface Happened extends ScriptedEvent {
  readonly refusal: string | null;
}
