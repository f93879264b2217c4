import type { Instant } from '../domain/time';
import type { Money } from '../domain/money';
import type { Terms } from '../domain/subscription/state';

/** One action: of the payer, of the payer's bank, of the network, or of the merchant. */
export type ScriptedAction =
  /** The payer's wallet from now on, one of the simulator's. */
  | { readonly kind: 'wallet'; readonly wallet: string }
  /**
   * What happens to the next authorizations: the answer is lost, or the request never arrives. The second is called `swallowed` in
   * the simulator, and `lost_request` in `dueday simulate`.
   */
  | { readonly kind: 'fault'; readonly fault: 'lost_answer' | 'swallowed'; readonly times: number }
  | { readonly kind: 'pause'; readonly until: Instant | null }
  | { readonly kind: 'skip'; readonly cycle: number }
  | { readonly kind: 'postpone'; readonly cycle: number; readonly until: Instant }
  | { readonly kind: 'hold'; readonly until: Instant }
  | { readonly kind: 'amount'; readonly cycle: number; readonly amount: Money }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'payer_cancels' };

export interface ScriptedEvent {
  readonly at: Instant;
  readonly action: ScriptedAction;
  /** For display. */
  readonly description: string;
}

/** A subscription, the events in its life, and the end of the simulated period. */
export interface Script {
  readonly terms: Terms;
  readonly events: readonly ScriptedEvent[];
  readonly until: Instant;
}

/** A scripted event with the reason why it was refused, if it was. */
export interface PlayedEvent extends ScriptedEvent {
  readonly refusal: string | null;
}
