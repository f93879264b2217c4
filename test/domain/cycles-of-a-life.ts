import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { collectionWindow, dueAt } from '../../src/domain/subscription/schedule';
import type { CollectPlan, PendingAttempt, SubscriptionState } from '../../src/domain/subscription/state';
import { afterClosing, afterCollect, afterPending } from '../../src/domain/subscription/transitions';
import type { Instant } from '../../src/domain/time';
import { isLast, startAttempt } from './steps-of-a-life';

/** What becomes of the current cycle of a subscription, as changes of its state. */

/** The plan of the attempt that is made at `now`. @throws Error if the next step is not an attempt */
export function planAt(state: SubscriptionState, now: Instant): CollectPlan {
  const step = nextStep(state, now, state.pending);
  if (step.kind !== 'collect') throw new Error(`no collection, but ${JSON.stringify(step)}`);
  return step.plan;
}

/** Collects the current cycle, at its due date by default. */
export function collect(state: SubscriptionState, when = dueAt(state.terms, state.cycle)): SubscriptionState {
  const plan = planAt(state, when);
  const [authorizationId, captureId] = ['aut' as AuthorizationId, 'cap' as CaptureId];
  return afterCollect(startAttempt(state, plan), plan, { kind: 'collected', authorizationId, captureId, at: when });
}

/** Starts the first attempt of the current cycle at its due date. */
export function begin(state: SubscriptionState): SubscriptionState {
  return startAttempt(state, planAt(state, dueAt(state.terms, state.cycle)));
}

/** Closes the current cycle as failed because its retries are used up. */
export function fail(state: SubscriptionState): SubscriptionState {
  const window = collectionWindow(state.terms, state.cycle);
  return afterClosing(state, { kind: 'close', cycle: state.cycle, window, status: 'failed', reason: 'retries_used' });
}

/** Sends the current cycle at its due date; the debit is still pending when the window closes. */
export function park(state: SubscriptionState): SubscriptionState {
  const plan = planAt(state, dueAt(state.terms, state.cycle));
  return afterCollect(startAttempt(state, plan), plan, { kind: 'pending', authorizationId: 'aut' as AuthorizationId });
}

/** Lets the oldest attempt that is pending past its window succeed. */
export function land(state: SubscriptionState, when: Instant): SubscriptionState {
  const [attempt] = state.pending as [PendingAttempt];
  const ids = { authorizationId: 'aut' as AuthorizationId, captureId: 'cap' as CaptureId };
  return afterPending(state, attempt, { kind: 'collected', ...ids, at: when }, isLast(state, attempt));
}

/** Lets the oldest attempt that is pending past its window be refused. */
export function refuseLate(state: SubscriptionState, when: Instant): SubscriptionState {
  const [attempt] = state.pending as [PendingAttempt];
  const refused = { kind: 'rejected', at: when, detail: 'X', description: '', retryable: false } as const;
  return afterPending(state, attempt, refused, isLast(state, attempt));
}
