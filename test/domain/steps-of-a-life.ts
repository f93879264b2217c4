import type {
  CollectPlan,
  NoticeState,
  OpenCycle,
  PendingAttempt,
  SubscriptionState,
} from '../../src/domain/subscription/state';

/** Changes of a subscription's state that the ledger's own writes cause, made here without a ledger. */

export type NewSubscription = Pick<SubscriptionState, 'terms' | 'policy' | 'spread' | 'replaces'>;

/** The state of a subscription whose consent has not been requested yet. */
export function newSubscription(input: NewSubscription): SubscriptionState {
  return {
    ...input,
    status: 'pending_consent',
    paymentId: null,
    cycle: 0,
    open: null,
    pending: [],
    pauses: [],
    skips: [],
    replacements: [],
    replacedBy: null,
    collectedOnce: false,
    current: input.terms.consentAmount,
    currentOf: null,
    pendingChange: null,
    lastIncreaseAt: null,
    standing: { attention: [], dunning: false, pastDue: false },
    cancellation: null,
    cancelledBy: null,
    revision: 0,
  };
}

/** Opens the cycle unless it is open: its amount is frozen (rule 9), and it keeps the subscription's retry policy (rule 14). */
export function startAttempt(state: SubscriptionState, plan: CollectPlan): SubscriptionState {
  if (state.open !== null) return { ...state, open: { ...state.open, retryFrom: null } };
  const open: OpenCycle = {
    cycle: plan.cycle,
    amount: plan.amount,
    policy: state.policy,
    attempt: plan.attempt,
    firstFailureAt: null,
    rejection: null,
    notice: { kind: 'due' },
    retryFrom: null,
    captureFailed: false,
    unsettled: 'none',
  };
  return { ...state, open };
}

export function afterNotice(state: SubscriptionState, notice: NoticeState): SubscriptionState {
  return state.open === null ? state : { ...state, open: { ...state.open, notice } };
}

/** Whether no cycle after the attempt's has started, in a life in which no such cycle was skipped. */
export function isLast({ cycle, open }: SubscriptionState, attempt: PendingAttempt): boolean {
  return attempt.cycle === cycle - 1 && open === null;
}
