import type { DraftAnswer, OtherReplacement, Unavailable } from '../ledger';
import type { Refusal } from '../domain/subscription/requests';

export type CreateOutcome =
  | { readonly kind: 'created' }
  /** The id is taken, or a creation with this id is under way. */
  | { readonly kind: 'exists' }
  | ReplacedByAnother
  | NotAllowed
  /** The payment service refused, with its own message, or gave no usable answer; nothing remains of the request. */
  | DraftAnswer
  | NotReady;

/** Another subscription replaces, or will replace, the same one (rule 22); nothing remains of the request. */
export interface ReplacedByAnother {
  readonly kind: 'replaced_by_another';
  readonly other: OtherReplacement;
}

/** A rule forbids the request, given the state of the ledger; nothing remains of the request. */
export interface NotAllowed {
  readonly kind: 'not_allowed';
  readonly refusal: Refusal;
}

/** The outcome of a request; some need the payment service or Temporal, which may be unavailable. */
export type RequestOutcome = { readonly kind: 'done' } | Refused | Unavailable | NotReady;

/** The outcome of a request that was not carried out. */
export type NotDone = Exclude<RequestOutcome, { kind: 'done' }>;

/** Refused by a rule; the response has its code. */
export interface Refused extends Refusal {
  readonly kind: 'refused';
}

/** No worker answered in time, or Temporal cannot be reached. The request may still be accepted. */
export interface NotReady {
  readonly kind: 'not_ready';
}

export function refused(refusal: Refusal): Refused {
  return { kind: 'refused', ...refusal };
}
