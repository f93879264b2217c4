import {
  acceptChange,
  type AmountChange,
  type ChangeRequest,
  frozenChange,
  judgeChange,
  refusalOf,
  refuseWithdrawal,
} from '../../domain/subscription/amount-request';
import { currentPause, pause, resume } from '../../domain/subscription/pauses';
import { withdrawChange } from '../../domain/subscription/pending-change';
import {
  acknowledge,
  isPausedAsAsked,
  postpone,
  type Refusal,
  refuseAcknowledge,
  refuseCancel,
  refusePause,
  refuseResume,
  refusePostponement,
  refuseRetry,
  refuseSkip,
  requestedRetryAt,
  retryFrom,
  skipCycle,
  startCancelling,
} from '../../domain/subscription/requests';
import type { SubscriptionState } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Actor, actorOf } from '../../domain/audit/event';
import type { Decision } from '../rows/change';
import {
  cancelRequestedDecision,
  changeDecision,
  pausedDecision,
  postponedDecision,
  resumedDecision,
  retryRequestedDecision,
  skippedDecision,
  viewChange,
} from './decisions';

/** The actor of a request, and the reason. */
export interface Request extends Actor {
  readonly reason: string | null;
  /** Identifies the request: a repeated request has the same id, and is carried out once. */
  readonly requestId?: string;
}

export interface PauseRequest extends Request {
  readonly until: Instant | null;
}

export interface AcknowledgeRequest extends Request {
  /** Items, besides those in its state, for which the subscription needs attention; none by default. */
  readonly others?: readonly string[];
}

/** About one cycle, 0 for the first. */
export interface CycleRequest extends Request {
  readonly cycle: number;
}

/** Moves the first attempt of a cycle to `until`. */
export interface PostponeRequest extends CycleRequest {
  readonly until: Instant;
}

/** Makes the next retry at `retryAt`; null: now. */
export interface RetryRequest extends CycleRequest {
  readonly retryAt: Instant | null;
}

/** A new amount from a cycle on (rules 19 to 21). */
export interface AmountRequest extends Request, ChangeRequest {}

/** Requests that are judged by the state of the subscription alone. */
export interface VerbRequests {
  readonly pause: PauseRequest;
  readonly resume: Request;
  readonly cancel: Request;
  readonly skip: CycleRequest;
  readonly postpone: PostponeRequest;
  readonly retry: RetryRequest;
  readonly change_amount: AmountRequest;
  readonly withdraw_change: Request;
  readonly acknowledge: AcknowledgeRequest;
}

export type Verb = keyof VerbRequests;

/** The time at which a request is judged. */
export interface SteerMoment {
  /** Business time, of its acceptance (rule 23). */
  readonly at: Instant;
  readonly realAt: number;
}

/** What a request changes. */
export interface Steered {
  readonly after: SubscriptionState;
  readonly decision: Decision;
  /** Set for a change of the amount. */
  readonly change?: AmountChange;
}

/** Null if there is nothing to do: the subscription is already in the requested state. */
export type Judgement = Refusal | Steered | null;

type Judges = {
  readonly [V in Verb]: (state: SubscriptionState, request: VerbRequests[V], at: Instant) => Judgement;
};

/** Judges a request by the state. @param at when it was accepted (rule 23) */
export const JUDGES: Judges = {
  pause: (state, { until, reason }, at) => {
    if (isPausedAsAsked(state, until)) return null;
    return refusePause(state, until, at) ?? { after: pause(state, at, until), decision: pausedDecision(until, reason) };
  },
  resume: (state, { reason }, at) => {
    const since = currentPause(state)?.since ?? at;
    return refuseResume(state) ?? { after: resume(state, at), decision: resumedDecision(since, at, reason) };
  },
  cancel: (state, { reason, ...by }, at) => {
    if (state.status === 'cancelled' || state.cancellation !== null) return null;
    const after = startCancelling(state, { at, ...actorOf(by), reason });
    return refuseCancel(state) ?? { after, decision: cancelRequestedDecision(reason) };
  },
  skip: (state, { cycle, reason }) => {
    const refusal = refuseSkip(state, cycle);
    if (refusal !== null) return refusal;
    const after = skipCycle(state, cycle);
    return { after, decision: skippedDecision(after, cycle, reason) };
  },
  postpone: (state, { cycle, until, reason }, at) =>
    refusePostponement(state, cycle, until, at) ?? {
      after: postpone(state, cycle, until),
      decision: postponedDecision(state, { cycle, until, reason }),
    },
  retry: (state, { cycle, retryAt, reason }, at) => {
    const from = retryAt ?? at;
    const nextAttemptAt = requestedRetryAt(state, from, at);
    const decision = retryRequestedDecision(state, { cycle, retryAt, from, nextAttemptAt, reason });
    return refuseRetry(state, cycle, from, at) ?? { after: retryFrom(state, from), decision };
  },
  change_amount: changeAmount,
  withdraw_change: (state, { reason }) => {
    const { pendingChange } = state;
    const refusal = refuseWithdrawal(state);
    if (refusal !== null || pendingChange === null) return refusal;
    const decision = changeDecision(pendingChange, 'amount_change.withdrawn', { reason });
    return { after: withdrawChange(state), decision };
  },
  acknowledge: (state, { reason, others = [] }) => {
    const items = [...state.standing.attention, ...others];
    const decision: Decision = { events: [{ type: 'attention.acknowledged', data: { items, reason } }] };
    return refuseAcknowledge(state, others) ?? { after: acknowledge(state), decision };
  },
};

function changeAmount(state: SubscriptionState, request: AmountRequest, at: Instant): Judgement {
  const judgement = judgeChange(state, request);
  if (judgement.kind !== 'allowed') return refusalOf(judgement);
  const { change } = judgement;
  const { pendingChange } = state;
  const frozen = frozenChange(state);
  const replaces = pendingChange === null || pendingChange === frozen ? null : viewChange(pendingChange);
  return {
    after: acceptChange(state, change, request.announceAhead, at, frozen),
    decision: changeDecision(change, 'amount_change.accepted', { replaces, reason: request.reason }),
    change,
  };
}
