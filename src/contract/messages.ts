import type { UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubscriptionId } from '../domain/ids';
import type { AmountChange, ChangeJudgement, ChangeRequest } from '../domain/subscription/amount-request';
import type { Replacement, SubscriptionState, SubscriptionStatus } from '../domain/subscription/state';
import { type Instant, isoOrNull } from '../domain/time';
import type { Actor } from '../domain/trail/event';
import type {
  AdoptionResult,
  ConsentRequestResult,
  LedgerChange,
  SubscriptionPatch,
  PaymentRef,
  ResolveInput,
  Surroundings,
} from './activities';
import {
  COUNT,
  CYCLE,
  DURATION,
  faultIn,
  type Field,
  type Fields,
  INSTANT,
  type MessageShape,
  MONEY,
  oneOf,
  optional,
  orNull,
  TEXT,
  updateShape,
} from './arguments';

/** The type of the subscription's workflow. */
export const SUBSCRIPTION_WORKFLOW = 'subscription';
export const NOTICE_WORKFLOW = 'notice';

/**
 * Cycles after which a subscription's workflow continues as new. What it has done since is played again where it is no
 * longer in memory; each new beginning writes its state twice. With six, half as much is played again as with twelve, and a
 * ninth more is written.
 */
export const CYCLES_PER_RUN = 6;

export interface SubscriptionInput extends Surroundings {
  readonly state: SubscriptionState;
  /** Cycles after which it continues as new; 12 where it was begun by a release that did not say. */
  readonly cyclesPerRun?: number;
}

/** Who asks, and why. */
export interface Request extends Actor {
  readonly reason: string | null;
  /** The same where a request is repeated for want of an answer: it is carried out once. */
  readonly requestId?: string;
  /** Of the ledger's row when it was asked: a workflow that knows an older one hears of it first. */
  readonly revision?: number;
  /** Names the request that the API has put on record; without it nothing is written that an update asks for. */
  readonly onRecord?: string;
  /** The last attempt, where the ledger had its outcome when it was asked: a workflow awaits that outcome first. */
  readonly settled?: AttemptRef;
}

/** One attempt of a subscription: 0 the first of a cycle, then its retries. */
export interface AttemptRef {
  readonly cycle: number;
  readonly attempt: number;
}

export interface PauseRequest extends Request {
  readonly until: Instant | null;
}

/** About one cycle, 0 for the first. */
export interface CycleRequest extends Request {
  readonly cycle: number;
}

/** A person's resolution of an unresolved attempt. `actor` has looked at the evidence. */
export interface ResolveRequest
  extends
    Actor,
    Pick<Request, 'requestId' | 'onRecord'>,
    Pick<ResolveInput, 'cycle' | 'outcome' | 'evidence' | 'authorizationId' | 'captureId'> {}

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

/** What each of them takes. */
const ATTEMPT_REF: MessageShape<AttemptRef> = { name: 'attempt', fields: { cycle: CYCLE, attempt: COUNT } };
const ATTEMPT: Field = {
  expected: 'an attempt such as {"cycle":3,"attempt":0}',
  fits: (value) => faultIn(ATTEMPT_REF, value) === null,
};

const BY = { actor: TEXT, keyId: optional(orNull(TEXT)), requestId: optional(TEXT), onRecord: optional(TEXT) };
const REQUEST: Fields<Request> = {
  ...BY,
  reason: orNull(TEXT),
  revision: optional(COUNT),
  settled: optional(ATTEMPT),
};
const CHANGE: Fields<ChangeRequest> = { amount: MONEY, fromCycle: orNull(CYCLE), announceAhead: DURATION };

export const PAUSE = updateShape<PauseRequest>('pause', { ...REQUEST, until: orNull(INSTANT) });
export const RESUME = updateShape<Request>('resume', REQUEST);
export const CANCEL = updateShape<Request>('cancel', REQUEST);
export const SKIP = updateShape<CycleRequest>('skipCycle', { ...REQUEST, cycle: CYCLE });
export const RETRY = updateShape<CycleRequest>('retryCycle', { ...REQUEST, cycle: CYCLE });
export const CHANGE_AMOUNT = updateShape<AmountChangeRequest>('changeAmount', { ...REQUEST, ...CHANGE });
export const CHECK_CONSENT = updateShape<Request>('checkConsent', REQUEST);
export const WITHDRAW_CHANGE = updateShape<Request>('withdrawChange', REQUEST);
export const ACKNOWLEDGE = updateShape<Request>('acknowledge', REQUEST);
export const RESOLVE = updateShape<ResolveRequest>('resolveCycle', {
  ...BY,
  cycle: CYCLE,
  outcome: oneOf('collected', 'failed'),
  evidence: TEXT,
  authorizationId: orNull(TEXT),
  captureId: orNull(TEXT),
});

/** What a subscription's workflow is asked itself, by the verb that the trail has for it. */
export const STEERING_UPDATES = {
  resume: resumeUpdate,
  skip: skipCycleUpdate,
  retry: retryCycleUpdate,
  resolve: resolveCycleUpdate,
  withdraw_change: withdrawChangeUpdate,
  acknowledge: acknowledgeUpdate,
};

type AskedByUpdate = {
  readonly [V in keyof typeof STEERING_UPDATES]: (typeof STEERING_UPDATES)[V] extends UpdateDefinition<void, [infer R]>
    ? R
    : never;
};

/** Every verb by which a subscription is steered, with what is asked. These first ones are more than an update. */
export interface SteeringRequests extends AskedByUpdate {
  readonly pause: PauseRequest;
  readonly cancel: Request;
  readonly check_consent: Request;
  readonly restart: Request;
}

export type Verb = keyof SteeringRequests;

/** The daily look found the consent ended: the subscription asks for itself, and decides (rules 7, 8). */
export const lookAtConsentSignal = defineSignal('lookAtConsent');

/** The ledger's row was steered, and has this revision: the workflow takes it over (rules 25, 31). */
export const steeredSignal = defineSignal<[number]>('steered');

/**
 * The payer was notified by a person of what the workflow may be delivering, or the delivery is to be tried now (rule
 * 13).
 */
export const noticeSignal = defineSignal('notice');

export const stateQuery = defineQuery<SubscriptionState>('state');
export const replacementSignal = defineSignal<[ReplacementNews]>('replacement');
export const REPLACEMENT: MessageShape<ReplacementNews> = {
  name: 'signal replacement',
  fields: { by: TEXT, from: INSTANT, stage: oneOf('requested', 'granted', 'ended') },
};

/** What a change of amount would be, without making it. */
export const judgeChangeQuery = defineQuery<ChangeJudgement, [ChangeRequest]>('judgeChange');
export const JUDGE_CHANGE: MessageShape<ChangeRequest> = { name: 'query judgeChange', fields: CHANGE };

/** What a decision writes besides the state's own projection. */
export type Decision = Pick<LedgerChange, 'events'> &
  Partial<Pick<LedgerChange, 'actor' | 'keyId' | 'cycle' | 'notices' | 'judged' | 'steers' | 'request'>> & {
    readonly hold?: SubscriptionPatch['hold'];
  };

/** No attempt begins from here on; the payer is notified. */
export function pausedDecision(until: Instant | null, reason: string | null): Decision {
  const data = { reason, until: isoOrNull(until) };
  return {
    events: [{ type: 'subscription.paused', data }],
    hold: 'pause',
    judged: true,
    steers: true,
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data }],
  };
}

/** No attempt begins from here on; the end of the consent follows (rule 24). */
export function cancelRequestedDecision(reason: string | null): Decision {
  return {
    events: [{ type: 'subscription.cancel_requested', data: { reason } }],
    hold: 'cancel',
    judged: true,
    steers: true,
  };
}

/** The types of the short workflows that ask once, so that no number of questions wears out a long one (rule 31). */
export const CONSENT_CHECK_WORKFLOW = 'consentCheck';
export const PAYMENT_CHECK_WORKFLOW = 'paymentCheck';

/** One for each subscription: a caller who asks while it runs joins it. */
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
  /** Whether the answer changes the subscription: its workflow has been notified to look for itself. */
  readonly isNews: boolean;
  /** Why the service told nothing; left out where it did, and by older workers. */
  readonly unavailable?: string;
}
