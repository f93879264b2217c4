import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ClockSetting } from '../domain/business-clock';
import type { Instant } from '../domain/instant';
import type { SubscriptionState } from '../domain/subscription';
import type { ConsentRequestResult } from './activities';

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
}

export interface PauseRequest extends Request {
  readonly until: Instant | null;
}

/** About one cycle, 0 for the first. */
export interface CycleRequest extends Request {
  readonly cycle: number;
}

/** Sent together with the start: answers once the service has opened the consent session, or has not. */
export const requestConsentUpdate = defineUpdate<ConsentRequestResult>('requestConsent');
export const pauseUpdate = defineUpdate<void, [PauseRequest]>('pause');
export const resumeUpdate = defineUpdate<void, [Request]>('resume');
/** Completes once the service has confirmed the end of the consent; its hold is in the ledger long before. */
export const cancelUpdate = defineUpdate<void, [Request]>('cancel');
export const checkConsentUpdate = defineUpdate<void, [Request]>('checkConsent');
/** Before the cycle's first attempt only. */
export const skipCycleUpdate = defineUpdate<void, [CycleRequest]>('skipCycle');
/** The next attempt now instead of at its planned time. */
export const retryCycleUpdate = defineUpdate<void, [CycleRequest]>('retryCycle');
export const acknowledgeUpdate = defineUpdate<void, [Request]>('acknowledge');

export const stateQuery = defineQuery<SubscriptionState>('state');

/** `type` of the ApplicationFailure by which a validator or a handler refuses; its message is for people. */
export const STATE_CONFLICT = 'state_conflict';
export const INVALID_REQUEST = 'invalid_request';
export const RETRY_NOT_ALLOWED = 'retry_not_allowed';
