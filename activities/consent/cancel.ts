import type { ApplicationFailure } from '@temporalio/common';
import type { PaymentRef } from '../../src/contract/activities';
import { growingWait, slowWait } from '../../src/domain/attempt/waits';
import { type CancelledBy, consentEndedBy, type ConsentResult } from '../../src/domain/subscription/state';
import { HOUR, scaledTimeout } from '../../src/domain/time';
import {
  beginDeletion,
  hasSendOnWire,
  recordConsentAnswer,
  recordDeletionRefused,
  recordUnconfirmedDeletion,
} from '../../src/ledger';
import type { Consent, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { refuseWhileRestored } from '../guards';
import { longestOnWire } from '../../src/domain/attempt/limits';
import { activityAge, describe, retryAfter, tryAgain } from '../stops';
import { isGone, storeConsent } from './answer';

type Answer = ServiceResult<Consent>;

/** The result of one DELETE of a consent. */
interface DeletionResult {
  readonly answer: Answer;
  /** Real time of the first DELETE. */
  readonly since: number;
  /** Whether this DELETE, or an earlier one, may have ended the consent. */
  readonly mayHaveEnded: boolean;
}

/** A consent that the payer has not answered yet. */
export interface AwaitedConsent extends PaymentRef {
  /** Real time: the end of the consent session. */
  readonly sessionEndsRealAt: number;
}

/** Who ended the consent that had to be cancelled. */
interface ConsentEnd {
  readonly by: CancelledBy;
}

/** Waits until no POST is on the wire, deletes the consent, and polls until the service confirms it (rule 24). */
export async function cancelConsent(deps: Dependencies, input: PaymentRef): Promise<ConsentEnd> {
  const { clock, service, settings } = deps;
  if (await hasSendOnWire(deps.ledger, input.subscriptionId, clock.realNow() - longestOnWire(settings))) {
    throw tryAgain('blocked', 'an authorization POST is on the wire', growingWait(activityAge(clock)));
  }
  const deletion = await deleteConsent(deps, input);
  const askedAt = clock.now();
  const consent = await service.getConsent(input.paymentId);
  if (isGone(consent)) {
    await recordGone(deps, input);
    return { by: 'merchant' };
  }
  const ended = consent.kind === 'accepted' && hasEnded(consent.value) ? consent.value : null;
  if (consent.kind === 'accepted') await storeConsent(deps, input, consent.value, askedAt);
  const mayBeOurs = await settleDeletion(deps, input, deletion, consent.kind === 'accepted' && ended === null);
  if (ended !== null) return { by: consentEndedBy(ended.reason ?? null, mayBeOurs) };
  const seen = consent.kind === 'accepted' ? consent.value.status : describe(consent);
  throw await recordUnconfirmed(deps, input, deletion, { seen, atLeast: retryAfter(consent) });
}

/** Deletes the consent once its session has ended, so that the payer cannot approve it any more (rule 6). */
export async function endSession(deps: Dependencies, input: AwaitedConsent, read: Answer): Promise<ConsentResult> {
  const askedAt = deps.clock.now();
  const deletion = await deleteConsent(deps, input);
  const { answer } = deletion;
  const isGoneNow = answer.kind !== 'accepted' && isGone(read) && (answer.kind === 'rejected' || isGone(answer));
  if (answer.kind === 'accepted') await storeConsent(deps, input, answer.value, askedAt);
  if (isGoneNow) await recordGone(deps, input);
  if (isGoneNow || (answer.kind === 'accepted' && hasEnded(answer.value))) return { kind: 'failed', reason: 'timeout' };
  await settleDeletion(deps, input, deletion, read.kind === 'accepted');
  const seen = answer.kind === 'accepted' ? answer.value.status : describe(read);
  throw await recordUnconfirmed(deps, input, deletion, { seen, atLeast: 0 });
}

/** Records the deletion in the ledger, then sends the DELETE: an end that it causes counts as ours even if this process dies. */
async function deleteConsent(deps: Dependencies, input: PaymentRef): Promise<DeletionResult> {
  const { ledger, service, clock } = deps;
  await refuseWhileRestored(deps);
  const { since, mayHaveEnded: before } = await beginDeletion(ledger, input.subscriptionId, clock.realNow());
  const answer = await service.cancelConsent(input.paymentId);
  return { answer, since, mayHaveEnded: before || answer.kind === 'accepted' || !isRefusedOrUnsent(answer) };
}

/**
 * Records that no DELETE has ended the consent, once that is certain: this one was refused or not sent, and either the earlier ones
 * were, too, or the consent is still in force.
 * @param isInForce whether the service showed the consent as not ended. `endSession` reads the consent before this DELETE. That is
 *   enough: `isInForce` has an effect only if this DELETE was refused or not sent.
 * @returns whether we may have ended the consent
 */
async function settleDeletion(
  { ledger }: Dependencies,
  { subscriptionId }: PaymentRef,
  { answer, mayHaveEnded }: DeletionResult,
  isInForce: boolean,
): Promise<boolean> {
  if (mayHaveEnded && !(isInForce && isRefusedOrUnsent(answer))) return true;
  await recordDeletionRefused(ledger, subscriptionId);
  return false;
}

function isRefusedOrUnsent(answer: Answer): boolean {
  return answer.kind === 'not_sent' || isRefused(answer);
}

/** Temporary statuses that are not refusals: time-out, too early, too many. 401 means that the token was not accepted. */
const TEMPORARY = [401, 408, 425, 429];

/** Whether the service has processed the DELETE and declined it. */
function isRefused(answer: Answer): boolean {
  if (answer.kind === 'rejected') return true;
  const status = answer.kind === 'accepted' ? undefined : answer.httpStatus;
  return status !== undefined && status >= 400 && status < 500 && !TEMPORARY.includes(status);
}

function hasEnded({ status }: Consent): boolean {
  return status === 'cancelled' || status === 'failed';
}

/** Records that the service no longer has the consent, which confirms the cancellation (rule 41). */
function recordGone({ ledger, clock }: Dependencies, { subscriptionId }: PaymentRef): Promise<void> {
  return recordConsentAnswer(ledger, { subscriptionId, status: 'cancelled', at: clock.now(), reason: 'not_found' });
}

/** The number of settle times after which an unconfirmed cancellation is handed to an operator. */
const UNCONFIRMED_AFTER = 4;

/**
 * Hands an unconfirmed cancellation to an operator: a refusal at once, anything else if it persists (rule 41).
 * @returns the failure that has the activity repeat the DELETE, at growing intervals
 */
async function recordUnconfirmed(
  deps: Dependencies,
  { subscriptionId }: PaymentRef,
  { answer, since }: DeletionResult,
  { seen, atLeast }: { readonly seen: string; readonly atLeast: number },
): Promise<ApplicationFailure> {
  const { ledger, clock, log, settings } = deps;
  const age = clock.realNow() - since;
  const persists = age >= UNCONFIRMED_AFTER * settings.settle;
  const reason = `DELETE: ${describe(answer)}; the consent reads: ${seen}`;
  if (persists || isRefused(answer)) {
    log.warn({ subscriptionId, reason }, 'cancellation.unconfirmed');
    await recordUnconfirmedDeletion(ledger, { subscriptionId, at: clock.now(), realAt: clock.realNow(), reason });
  }
  const wait = persists ? scaledTimeout(clock.setting, HOUR) : slowWait(age, clock.setting);
  return tryAgain('service_unreadable', reason, Math.max(wait, atLeast, retryAfter(answer)));
}
