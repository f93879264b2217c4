import { defineSignal } from '@temporalio/workflow';

/** The types of workflows, and what they are sent. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';
/** Follows one attempt to its outcome, beside its subscription. */
export const ATTEMPT_WORKFLOW = 'attempt';

/** Cycles after which a run of a subscription ends: its history is replayed when it is no longer in memory. */
export const CYCLES_PER_RUN = 6;

/** The row of the subscription, or of the one-time payment, has this revision: the workflow asks the ledger for the next step (rules 25, 31). */
export const changedSignal = defineSignal<[number]>('changed');

/** The types of the short workflows that ask once, so that no number of checks exhausts a long-running one (rule 31). */
export const CONSENT_CHECK_WORKFLOW = 'consentCheck';
export const PAYMENT_CHECK_WORKFLOW = 'paymentCheck';
