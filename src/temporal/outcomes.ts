import type { ConsentRefusal, Unavailable } from '../contract/activities';
import type { OtherReplacement } from '../ledger';
import type { Refusal } from '../domain/subscription/requests';

export type CreateOutcome =
  | { readonly kind: 'created' }
  /** The id is taken, or a creation with it is under way. */
  | { readonly kind: 'exists' }
  | ReplacedByAnother
  /** The payment service refused, in its own words, or gave no usable answer; nothing is left of the order. */
  | ConsentRefusal
  | NotReady;

/** Another subscription is to take the same place, or has taken it (rule 22); nothing is left of the order. */
export interface ReplacedByAnother {
  readonly kind: 'replaced_by_another';
  readonly other: OtherReplacement;
}

/** What a request that needs the payment service or Temporal came to. */
export type SteerOutcome = { readonly kind: 'done' } | Refused | Unavailable | NotReady;

/** What a request came to that was not done. */
export type NotDone = Exclude<SteerOutcome, { kind: 'done' }>;

/** By a rule: its code is that of the answer. */
export interface Refused extends Refusal {
  readonly kind: 'refused';
}

/** No worker answered in time, or Temporal cannot be reached. What was asked may still be accepted. */
export interface NotReady {
  readonly kind: 'not_ready';
}

export function refused(refusal: Refusal): Refused {
  return { kind: 'refused', ...refusal };
}
