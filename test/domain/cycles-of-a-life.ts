import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { collectionWindow, dueAt } from '../../src/domain/subscription/schedule';
import type { CollectPlan, PendingAttempt, SubscriptionState } from '../../src/domain/subscription/state';
import { afterClosing, afterCollect, afterPending } from '../../src/domain/subscription/transitions';
import type { Instant } from '../../src/domain/time';
import { isLast, startAttempt } from './steps-of-a-life';

/** What becomes of the current cycle of a subscription, as changes of its state. */

/** The attempt that is made now. @throws Error if none is */
export function planAt(state: SubscriptionState, now: Instant): CollectPlan {
  const step = nextStep(state, now, state.pending);
  if (step.kind !== 'collect') throw new Error(`no collection, but ${JSON.stringify(step)}`);
  return step.plan;
}

/** Collects the cycle at its due date, or when it may. */
export function collect(state: SubscriptionState, when = dueAt(state.terms, state.cycle)): SubscriptionState {
  const plan = planAt(state, when);
  const [authorizationId, captureId] = ['aut' as AuthorizationId, 'cap' as CaptureId];
  return afterCollect(startAttempt(state, plan), plan, { kind: 'collected', authorizationId, captureId, at: when });
}

/** The first attempt of the cycle is under way at its due date. */
export function begin(state: SubscriptionState): SubscriptionState {
  return startAttempt(state, planAt(state, dueAt(state.terms, state.cycle)));
}

/** The open cycle ends with its last retry. */
export function fail(state: SubscriptionState): SubscriptionState {
  const window = collectionWindow(state.terms, state.cycle);
  return afterClosing(state, { kind: 'close', cycle: state.cycle, window, status: 'failed', reason: 'retries_used' });
}

/** The cycle is sent at its due date, and still pending when its window closes. */
export function park(state: SubscriptionState): SubscriptionState {
  const plan = planAt(state, dueAt(state.terms, state.cycle));
  return afterCollect(startAttempt(state, plan), plan, { kind: 'pending', authorizationId: 'aut' as AuthorizationId });
}

/** The oldest attempt that is pending past its window succeeds at last. */
export function land(state: SubscriptionState, when: Instant): SubscriptionState {
  const [attempt] = state.pending as [PendingAttempt];
  const ids = { authorizationId: 'aut' as AuthorizationId, captureId: 'cap' as CaptureId };
  return afterPending(state, attempt, { kind: 'collected', ...ids, at: when }, isLast(state, attempt));
}

/** The oldest attempt that is pending past its window is refused at last. */
export function refuseLate(state: SubscriptionState, when: Instant): SubscriptionState {
  const [attempt] = state.pending as [PendingAttempt];
  const refused = { kind: 'rejected', at: when, detail: 'X', description: '', retryable: false } as const;
  return afterPending(state, attempt, refused, isLast(state, attempt));
}
