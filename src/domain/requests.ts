import { dueAt } from './due-dates';
import { type Instant, toIso } from './instant';
import type { RefusedAmount } from './amount-change';
import type { ConsentResult } from './consent';
import { pausesFrom } from './pauses';
import { type Cancellation, isTerminal, type Pause, type SubscriptionState } from './subscription';

/** Why a request cannot be had. The message is for people. */
export interface Refusal {
  readonly code: 'state_conflict' | 'invalid_request' | 'retry_not_allowed' | 'amount_change_not_allowed';
  readonly message: string;
  /** Of an amount that a rule forbids. */
  readonly verdict?: RefusedAmount;
}

export function conflict(message: string): Refusal {
  return { code: 'state_conflict', message };
}

function isBeingCancelled({ cancellation, status }: SubscriptionState): boolean {
  return cancellation !== null && !isTerminal(status);
}

/** Whether a subscription may be paused now, until then (decisions 23). */
export function refusePause(state: SubscriptionState, until: Instant | null, now: Instant): Refusal | null {
  if (until !== null && until <= now) {
    return {
      code: 'invalid_request',
      message: `until must be in the future; got ${toIso(until)}, now is ${toIso(now)}`,
    };
  }
  if (isBeingCancelled(state)) return conflict('the subscription is being cancelled');
  if (state.status !== 'active') return conflict(`only an active subscription can be paused; it is ${state.status}`);
  return null;
}

export function pause(state: SubscriptionState, now: Instant, until: Instant | null): SubscriptionState {
  const pauses: Pause[] = [...state.pauses, { since: now, until }];
  return { ...state, status: 'paused', pauses };
}

export function refuseResume(state: SubscriptionState): Refusal | null {
  if (isBeingCancelled(state)) return conflict('the subscription is being cancelled');
  if (state.status !== 'paused') return conflict(`only a paused subscription can be resumed; it is ${state.status}`);
  return null;
}

/**
 * Ends the pause at `at`; due dates from `at` on are collected, one at `at` too (decisions 23). A pause that was to end
 * by itself before `at`, and could not in an outage, ended then: resuming makes none longer.
 */
export function resume(state: SubscriptionState, at: Instant): SubscriptionState {
  const pauses = state.pauses.map((each, index) =>
    index === state.pauses.length - 1 ? { ...each, until: Math.min(at, each.until ?? at) } : each,
  );
  return { ...state, status: 'active', pauses: pausesFrom(pauses, dueAt(state.terms, state.cycle)) };
}

export function refuseCancel(state: SubscriptionState): Refusal | null {
  if (state.status === 'completed' || state.status === 'consent_failed') {
    return conflict(`the subscription is ${state.status}; nothing is left to cancel`);
  }
  return null;
}

/** No new attempt from here on; the status follows once the service has confirmed (decisions 24). */
export function startCancelling(state: SubscriptionState, cancellation: Cancellation): SubscriptionState {
  return { ...state, cancellation };
}

export function refuseAcknowledge(state: SubscriptionState): Refusal | null {
  return state.standing.attention.length === 0 ? conflict('nothing of this subscription needs attention') : null;
}

export function acknowledge(state: SubscriptionState): SubscriptionState {
  return { ...state, standing: { ...state.standing, attention: [] } };
}

/** Only `successful` makes the subscription active; everything else ends it (decisions 6). */
export function afterConsent(state: SubscriptionState, result: ConsentResult): SubscriptionState {
  if (state.status !== 'pending_consent') return state;
  switch (result.kind) {
    case 'granted':
      return { ...state, status: 'active' };
    case 'failed':
      return { ...state, status: 'consent_failed' };
    case 'cancelled':
      return { ...state, status: 'cancelled', cancelledBy: result.by };
  }
}
