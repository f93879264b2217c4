import type { PaymentId, SubscriptionId } from '../domain/ids';
import { MINUTE } from '../domain/time';
import type { CollectStepInput, Step, StepInput } from './steps';

/**
 * The maximum of `PAYMENT_SERVICE_TIMEOUT_MS`: the time-out of an activity with several requests must be longer than all of
 * them. Real ms.
 */
export const MAX_REQUEST_TIMEOUT = 5 * MINUTE;

/**
 * The activities that the worker provides to workflows. Inputs and results contain no personal data, because histories keep
 * them (rules 28, 29). Each activity that is a step of a subscription returns the next step.
 */
export interface Activities {
  /** Takes the steps that need only the ledger, and returns the next step. */
  decide(input: StepInput): Promise<Step>;
  /** `POST /payments` for a subscription whose draft is in the ledger. Sent once, never repeated (rule 18). */
  requestConsent(input: StepInput): Promise<Step>;
  /** Polls the consent until the payer has answered, or until the session has ended and the consent has been deleted (rule 6). */
  awaitConsent(input: StepInput): Promise<Step>;
  /** Deletes the consent once no POST is on the wire, and repeats this until a GET confirms it (rules 24, 41). */
  cancelConsent(input: StepInput): Promise<Step>;
  /** One complete attempt: consent, pre-send check, "sending" row, POST, polling, outcome (rules 7, 10, 16, 17). */
  collectPayment(input: CollectStepInput): Promise<Step>;
  /**
   * Polls an attempt in parallel to its subscription, and returns `finish` once it is final. Sends nothing
   * (rules 10, 36).
   */
  followAttempt(input: CollectStepInput): Promise<Step>;
  /** Checks the consent once and stores the answer; any change is in the ledger when it returns. */
  checkConsent(input: PaymentRef): Promise<ConsentChecked>;
}

/** A subscription whose row has changed: its workflow has to be notified. */
export interface Changed {
  readonly subscriptionId: SubscriptionId;
  readonly revision: number;
}

/** The result of one check of a consent. */
export interface ConsentChecked {
  readonly changed: Changed | null;
  /** Why the service gave no usable answer; absent if it did. */
  readonly unavailable?: string;
}

export interface PaymentRef {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
}
