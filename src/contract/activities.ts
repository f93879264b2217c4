import type { PaymentId, SubscriptionId } from '../domain/ids';
import { MINUTE } from '../domain/time';
import type { CollectStepInput, Step, StepInput } from './steps';

/** The most that `PAYMENT_SERVICE_TIMEOUT_MS` may be: an activity that makes several requests has to outlast them. Real ms. */
export const LONGEST_REQUEST_TIMEOUT = 5 * MINUTE;

/**
 * What the worker does for workflows. Inputs and results hold no personal data: histories keep them (rules 28, 29). Each activity of
 * a subscription ends with what is next.
 */
export interface Activities {
  /** Does what needs the ledger alone, and answers what is next. */
  decide(input: StepInput): Promise<Step>;
  /** `POST /payments` for a subscription whose draft is in the ledger. Made once, never repeated (rule 18). */
  requestConsent(input: StepInput): Promise<Step>;
  /** Polls the consent until it is answered, or the session is over and it has been deleted (rule 6). */
  awaitConsent(input: StepInput): Promise<Step>;
  /** Deletes the consent once no POST is on the wire, until the service confirms by GET (rule 24). */
  cancelConsent(input: StepInput): Promise<Step>;
  /** One attempt whole: consent, pre-send check, "sending" row, POST, polling, outcome (rules 7, 10, 16, 17). */
  collectPayment(input: CollectStepInput): Promise<Step>;
  /** Asks for the outcome of an attempt beside everything else; `finish` once it is final. Sends nothing (rules 10, 36). */
  followAttempt(input: CollectStepInput): Promise<Step>;
  /** Asks once for the consent, now, and keeps the answer; what it changes is in the ledger by then. */
  checkConsent(input: PaymentRef): Promise<ConsentChecked>;
}

/** A subscription whose row has changed: its workflow has to be notified. */
export interface Changed extends SubscriptionRef {
  readonly revision: number;
}

/** What one check of a consent came to. */
export interface ConsentChecked {
  readonly changed: Changed | null;
  /** Why the service told nothing; left out if it did. */
  readonly unavailable?: string;
}

export interface SubscriptionRef {
  readonly subscriptionId: SubscriptionId;
}

export interface PaymentRef extends SubscriptionRef {
  readonly paymentId: PaymentId;
}

/** The service could not be asked, or gave no usable answer. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly reason: string;
}

/** Why the service opened no consent session. */
export type ConsentRefusal =
  | { readonly kind: 'refused'; readonly detail: string; readonly description: string }
  | Unavailable;
