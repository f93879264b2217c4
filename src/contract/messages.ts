import { defineSignal } from '@temporalio/workflow';

/** Carries out the steps of one subscription, from its consent to its end. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';
/** Follows one attempt to its outcome, in parallel to its subscription. */
export const ATTEMPT_WORKFLOW = 'attempt';

/** Cycles after which a run of a subscription ends, because its history must be replayed whenever it is no longer in memory. */
export const CYCLES_PER_RUN = 6;

/** The row of the subscription or the one-time payment has this revision: the workflow asks the ledger for the next step (rules 25, 31). */
export const changedSignal = defineSignal<[number]>('changed');

/** The types of the short workflows for single checks, so that no number of checks exhausts a long-running workflow (rule 31). */
export const CONSENT_CHECK_WORKFLOW = 'consentCheck';
export const PAYMENT_CHECK_WORKFLOW = 'paymentCheck';
