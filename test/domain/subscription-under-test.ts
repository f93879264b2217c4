import type { Repetition } from '../../src/domain/subscription/schedule';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { RetryPolicy } from '../../src/domain/subscription/retries';
import {
  type OpenCycle,
  type Rejection,
  type SubscriptionState,
  type Terms,
} from '../../src/domain/subscription/state';
import { newSubscription } from './steps-of-a-life';

/** The instant of a date (midnight UTC), or of a date with a time in UTC. */
export function at(text: string): Instant {
  return Date.parse(text.includes('T') ? `${text}Z` : `${text}T00:00:00.000Z`);
}

/** The first due date: 31 January 2027, ten in the morning UTC. */
export const FIRST = at('2027-01-31T10:00:00.000');
/** A policy without a transit margin, so that limits are exactly those of the rules. */
export const NO_MARGIN: RetryPolicy = { offsets: [24 * HOUR, 48 * HOUR, 71 * HOUR], transit: 0, gap: 6 * HOUR };
export const MINUTE_MARGIN: RetryPolicy = { ...NO_MARGIN, transit: MINUTE };

export interface Wanted {
  readonly terms?: Partial<Terms>;
  readonly policy?: RetryPolicy;
  readonly spread?: number;
}

export function termsOf(wanted: Partial<Terms> & { readonly repetition?: Repetition } = {}): Terms {
  return {
    subscriptionId: 'sub_1' as SubscriptionId,
    consentAmount: euros(1999),
    startAt: FIRST,
    firstPaymentAt: FIRST,
    repetition: 'MONTHLY',
    endAt: null,
    onExhausted: 'continue',
    ...wanted,
  };
}

/** The state of an active subscription at cycle 0, of which nothing was sent. */
export function active(wanted: Wanted = {}, state: Partial<SubscriptionState> = {}): SubscriptionState {
  const { terms = {}, policy = NO_MARGIN, spread = 0 } = wanted;
  return { ...newSubscription({ terms: termsOf(terms), policy, spread, replaces: null }), status: 'active', ...state };
}

/** Cycle 0, open, with its first attempt made or under way. */
export function openCycle(wanted: Partial<OpenCycle> = {}): OpenCycle {
  return {
    cycle: 0,
    amount: euros(1999),
    policy: NO_MARGIN,
    attempt: 0,
    firstFailureAt: null,
    rejection: null,
    notice: { kind: 'due' },
    retryFrom: null,
    captureFailed: false,
    unsettled: 'none',
    ...wanted,
  };
}

export function rejection(wanted: Partial<Rejection> = {}): Rejection {
  return {
    attempt: 0,
    at: FIRST,
    detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
    description: 'contact the payer before retrying',
    retryable: true,
    ...wanted,
  };
}

/** Cycle 0 after its first retryable rejection at `failedAt`. */
export function rejectedOnce(failedAt: Instant = FIRST, wanted: Partial<OpenCycle> = {}): OpenCycle {
  return openCycle({ attempt: 1, firstFailureAt: failedAt, rejection: rejection({ at: failedAt }), ...wanted });
}
