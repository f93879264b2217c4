import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubscriptionId } from '../domain/ids';
import type { AmountChange, ChangeJudgement, ChangeRequest } from '../domain/subscription/amount-request';
import type { Replacement, SubscriptionState, SubscriptionStatus } from '../domain/subscription/state';
import { type ClockSetting, type Instant, toIso } from '../domain/time';
import type { AdoptionResult, ConsentRequestResult, LedgerChange, SubscriptionPatch, PaymentRef } from './activities';

/** The type of the subscription's workflow. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';
export const NOTICE_WORKFLOW = 'notice';

export interface SubscriptionInput {
  readonly state: SubscriptionState;
  readonly clock: ClockSetting | null;
}

/** Who asks: an API key's name. */
export interface Request {
  readonly actor: string;
  readonly reason: string | null;
  /** Of the ledger's row when it was asked: a workflow that knows an older one hears of it first. */
  readonly revision?: number;
}

export interface PauseRequest extends Request {
  readonly until: Instant | null;
}

/** About one cycle, 0 for the first. */
export interface CycleRequest extends Request {
  readonly cycle: number;
}

/** A person's word on an unresolved attempt. `actor` has looked at the evidence. */
export interface ResolveRequest {
  readonly cycle: number;
  readonly actor: string;
  readonly outcome: 'collected' | 'failed';
  readonly evidence: string;
  readonly authorizationId: string | null;
  readonly captureId: string | null;
}

/** From the subscription that is to take another's place, to that one. */
export interface ReplacementNews extends Replacement {
  readonly stage: 'requested' | 'granted' | 'ended';
}

/** A new amount from a cycle on (rule 19 to 21). */
export interface AmountChangeRequest extends Request, ChangeRequest {}

/** Sent together with the start: answers once the service has opened the consent session, or has not. */
export const requestConsentUpdate = defineUpdate<ConsentRequestResult>('requestConsent');
/** Sent together with the start of an import: answers once the service has been asked for the consent. */
export const adoptConsentUpdate = defineUpdate<AdoptionResult>('adoptConsent');
export const pauseUpdate = defineUpdate<void, [PauseRequest]>('pause');
export const resumeUpdate = defineUpdate<void, [Request]>('resume');
/** Completes once the service has confirmed the end of the consent; its hold is in the ledger long before. */
export const cancelUpdate = defineUpdate<void, [Request]>('cancel');
export const checkConsentUpdate = defineUpdate<void, [Request]>('checkConsent');
/** Before the cycle's first attempt only. */
export const skipCycleUpdate = defineUpdate<void, [CycleRequest]>('skipCycle');
/** The next attempt now instead of at its planned time. */
export const retryCycleUpdate = defineUpdate<void, [CycleRequest]>('retryCycle');
export const changeAmountUpdate = defineUpdate<AmountChange, [AmountChangeRequest]>('changeAmount');
export const withdrawChangeUpdate = defineUpdate<void, [Request]>('withdrawChange');
export const resolveCycleUpdate = defineUpdate<void, [ResolveRequest]>('resolveCycle');
export const acknowledgeUpdate = defineUpdate<void, [Request]>('acknowledge');

/** The daily look found the consent ended: the subscription asks for itself, and decides (rules 7, 8). */
export const lookAtConsentSignal = defineSignal('lookAtConsent');

/** The ledger's row was steered, and has this revision: the workflow takes it over (rules 25, 31). */
export const steeredSignal = defineSignal<[number]>('steered');

export const stateQuery = defineQuery<SubscriptionState>('state');
export const replacementSignal = defineSignal<[ReplacementNews]>('replacement');

/** What a change of amount would be, without making it. */
export const judgeChangeQuery = defineQuery<ChangeJudgement, [ChangeRequest]>('judgeChange');

/** `type` of the ApplicationFailure by which a validator or a handler refuses; its message is for people. */
export const STATE_CONFLICT = 'state_conflict';
export const INVALID_REQUEST = 'invalid_request';
export const RETRY_NOT_ALLOWED = 'retry_not_allowed';
/** Its first detail is the {@link AmountVerdict}. */
export const AMOUNT_CHANGE_NOT_ALLOWED = 'amount_change_not_allowed';

/** What a decision writes besides the state's own projection. */
export type Decision = Pick<LedgerChange, 'events'> &
  Partial<Pick<LedgerChange, 'cycle' | 'notices' | 'judged' | 'steers'>> & {
    readonly hold?: SubscriptionPatch['hold'];
    readonly actor?: string;
  };

/** No attempt begins from here on; the payer is told. */
export function pausedDecision(until: Instant | null, reason: string | null): Decision {
  const data = { reason, until: until === null ? null : toIso(until) };
  return {
    events: [{ type: 'subscription.paused', data }],
    ...{ hold: 'pause', judged: true, steers: true },
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data }],
  };
}

/** No attempt begins from here on; the end of the consent follows (rule 24). */
export function cancelRequestedDecision(reason: string | null): Decision {
  return {
    events: [{ type: 'subscription.cancel_requested', data: { reason } }],
    ...{ hold: 'cancel', judged: true, steers: true },
  };
}

/** The types of the short workflows that ask once, so that no number of questions wears out a long one (rule 31). */
export const CONSENT_CHECK_WORKFLOW = 'consentCheck';
export const PAYMENT_CHECK_WORKFLOW = 'paymentCheck';

/** Whoever asks while it runs joins it. */
export function consentCheckWorkflowId(subscriptionId: SubscriptionId): string {
  return `consent-check/${subscriptionId}`;
}

/** @param requestId ours, as in the workflow id of the payment */
export function paymentCheckWorkflowId(requestId: string): string {
  return `payment-check/${requestId}`;
}

export interface ConsentCheckInput extends PaymentRef {
  /** As the ledger shows the subscription when it is asked. */
  readonly status: SubscriptionStatus;
}

export interface ConsentCheckResult {
  /** Whether the answer changes the subscription: its workflow has been told to look for itself. */
  readonly isNews: boolean;
}
