import type { CycleRequest, PauseRequest, Request } from '../contract/messages';
import type { SubscriptionId } from '../domain/ids';
import type { SubscriptionDraft } from '../ledger';

export type CreateOutcome =
  | { readonly kind: 'created' }
  /** The id is taken, or a creation with it is under way. */
  | { readonly kind: 'exists' }
  /** The payment service refused, in its own words. */
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  /** The payment service gave no usable answer; nothing is left of the order. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | NotReady;

export type SteerOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'conflict'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string }
  /** The service's limits forbid the retry. */
  | { readonly kind: 'limited'; readonly message: string }
  /** The workflow has ended: the ledger tells how it stands. */
  | { readonly kind: 'finished' }
  | NotReady;

/** No worker answered in time, or Temporal cannot be reached. What was asked may still be accepted. */
export interface NotReady {
  readonly kind: 'not_ready';
}

/** The way from the admin API to the workflows. Expected outcomes are returned; anything else throws. */
export interface SubscriptionGateway {
  /** `actor` is the name of the API key that asks. */
  create(draft: SubscriptionDraft, actor: string): Promise<CreateOutcome>;
  pause(id: SubscriptionId, request: PauseRequest): Promise<SteerOutcome>;
  resume(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  /** `done` once the service has confirmed; `not_ready` until then, when the ledger may already show the hold. */
  cancel(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  checkConsent(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
  skip(id: SubscriptionId, request: CycleRequest): Promise<SteerOutcome>;
  retry(id: SubscriptionId, request: CycleRequest): Promise<SteerOutcome>;
  acknowledge(id: SubscriptionId, request: Request): Promise<SteerOutcome>;
}
