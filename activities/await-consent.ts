import type { AwaitConsentInput } from '../src/contract/activities';
import { CONSENT_SESSION, type ConsentResult } from '../src/domain/subscription/state';
import { getSubscription, markConsentDeleted } from '../src/ledger';
import { remember, toConsentResult } from './consent';
import { pauseInSession } from './consent-session';
import type { Dependencies } from './dependencies';
import { growingPause, tryAgain } from './failures';
import { describe, retryAfter } from './service-answers';

/** Polled to the end of the session and on until one answer is readable; pending still: deleted (decisions 6). */
export async function awaitConsent(deps: Dependencies, input: AwaitConsentInput): Promise<ConsentResult> {
  const answer = await deps.service.getConsent(input.paymentId);
  const overdue = deps.clock.realNow() - input.sessionEndsRealAt;
  const pause = pauseInSession(CONSENT_SESSION + overdue);
  if (answer.kind !== 'accepted') {
    const atLeast = Math.max(pause, retryAfter(answer));
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(answer)}`, atLeast);
  }
  await remember(deps, input, answer.value);
  const result = await toConsentResult(deps, input, answer.value);
  if (result !== null)
    return (await endedBySession(deps, input, result)) ? { kind: 'failed', reason: 'timeout' } : result;
  if (overdue < 0) throw tryAgain('pending', 'the payer has not answered yet', Math.min(-overdue, pause));
  return endSession(deps, input, overdue);
}

/** So that no orphan can be approved. Marked first: the end that the DELETE brings is our doing. */
async function endSession(deps: Dependencies, input: AwaitConsentInput, overdue: number): Promise<ConsentResult> {
  await markConsentDeleted(deps.ledger, input.subscriptionId);
  const deleted = await deps.service.cancelConsent(input.paymentId);
  if (deleted.kind === 'accepted') {
    await remember(deps, input, deleted.value);
    if (deleted.value.status === 'cancelled' || deleted.value.status === 'failed') {
      return { kind: 'failed', reason: 'timeout' };
    }
  }
  const seen = deleted.kind === 'accepted' ? `it still reads ${deleted.value.status}` : describe(deleted);
  const pause = Math.max(growingPause(overdue), retryAfter(deleted));
  throw tryAgain('service_unreadable', `the consent cannot be deleted: ${seen}`, pause);
}

/** The end of a session that we deleted, its answer lost; unless a person cancelled, who sets the hold first. */
async function endedBySession(deps: Dependencies, input: AwaitConsentInput, result: ConsentResult): Promise<boolean> {
  if (result.kind !== 'cancelled') return false;
  const subscription = await getSubscription(deps.ledger, input.subscriptionId);
  return subscription?.consent.merchantDeleted === true && subscription.hold !== 'cancel';
}
