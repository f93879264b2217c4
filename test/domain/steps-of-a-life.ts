import type {
  CollectPlan,
  NoticeState,
  OpenCycle,
  PendingAttempt,
  SubscriptionState,
} from '../../src/domain/subscription/state';

/** What rows of the ledger say once they are written, as changes of the state alone. */

export type NewSubscription = Pick<SubscriptionState, 'terms' | 'policy' | 'spread' | 'replaces'>;

/** Its payer has yet to be asked. */
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

/** The cycle is open from here on; its amount and retry policy are frozen (rule 9). */
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

/** Whether no later cycle has started, if none was skipped. */
export function isLast({ cycle, open }: SubscriptionState, attempt: PendingAttempt): boolean {
  return attempt.cycle === cycle - 1 && open === null;
}
