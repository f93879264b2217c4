import type { ApplicationFailure } from '@temporalio/common';
import type { PaymentRef } from '../../src/contract/activities';
import { growingPause, slowPause } from '../../src/domain/attempt/pauses';
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
import { isGone, remember } from './answer';

type Answer = ServiceResult<Consent>;

/** What one DELETE of a consent has come to. */
interface Deleted {
  readonly answer: Answer;
  /** Real time of the first one. */
  readonly since: number;
  /** Whether this one, or one before it, may have ended the consent. */
  readonly mayHaveEnded: boolean;
}

/** A consent that the payer has still to answer. */
export interface AwaitedConsent extends PaymentRef {
  /** Real time: the end of the consent session. */
  readonly sessionEndsRealAt: number;
}

/** Who has ended the consent that was to be cancelled. */
interface ConsentEnd {
  readonly by: CancelledBy;
}

/** Waits until no POST is on the wire, deletes, and asks until the service says so (rule 24). */
export async function cancelConsent(deps: Dependencies, input: PaymentRef): Promise<ConsentEnd> {
  const { clock, service, settings } = deps;
  if (await hasSendOnWire(deps.ledger, input.subscriptionId, clock.realNow() - longestOnWire(settings))) {
    throw tryAgain('blocked', 'an authorization is on the wire', growingPause(activityAge(clock)));
  }
  const deleted = await deleteConsent(deps, input);
  const consent = await service.getConsent(input.paymentId);
  if (isGone(consent)) {
    await recordGone(deps, input);
    return { by: 'merchant' };
  }
  const ended = consent.kind === 'accepted' && hasEnded(consent.value) ? consent.value : null;
  if (consent.kind === 'accepted') await remember(deps, input, consent.value);
  const mayBeOurs = await settleDeletion(deps, input, deleted, consent.kind === 'accepted' && ended === null);
  if (ended !== null) return { by: consentEndedBy(ended.reason ?? null, mayBeOurs) };
  const seen = consent.kind === 'accepted' ? consent.value.status : describe(consent);
  throw await unconfirmed(deps, input, deleted, { seen, atLeast: retryAfter(consent) });
}

/** So that no orphan can be approved, once the session is over (rule 6). */
export async function endSession(deps: Dependencies, input: AwaitedConsent, read: Answer): Promise<ConsentResult> {
  const deleted = await deleteConsent(deps, input);
  const { answer } = deleted;
  const wasAnswered = answer.kind === 'accepted' || answer.kind === 'rejected' || isGone(answer);
  if (answer.kind === 'accepted') await remember(deps, input, answer.value);
  else if (isGone(read) && wasAnswered) await recordGone(deps, input);
  const isOver = answer.kind === 'accepted' ? hasEnded(answer.value) : isGone(read) && wasAnswered;
  if (isOver) return { kind: 'failed', reason: 'timeout' };
  await settleDeletion(deps, input, deleted, read.kind === 'accepted');
  const seen = answer.kind === 'accepted' ? answer.value.status : describe(read);
  throw await unconfirmed(deps, input, deleted, { seen, atLeast: 0 });
}

/** Marked first: whatever becomes of this process, the end that the DELETE brings is our doing. */
async function deleteConsent(deps: Dependencies, input: PaymentRef): Promise<Deleted> {
  const { ledger, service, clock } = deps;
  await refuseWhileRestored(deps);
  const { since, mayHaveEnded: before } = await beginDeletion(ledger, input.subscriptionId, clock.realNow());
  const answer = await service.cancelConsent(input.paymentId);
  return { answer, since, mayHaveEnded: before || answer.kind === 'accepted' || !isRefusedOrUnsent(answer) };
}

/**
 * A DELETE that the service refused, or never got, has ended nothing; nor have those before it where the consent still stands.
 * @param stands whether the consent was read as not ended after all DELETEs but a refused one
 * @returns whether an end of the consent may be our doing
 */
async function settleDeletion(
  { ledger }: Dependencies,
  { subscriptionId }: PaymentRef,
  { answer, mayHaveEnded }: Deleted,
  stands: boolean,
): Promise<boolean> {
  if (mayHaveEnded && !(stands && isRefusedOrUnsent(answer))) return true;
  await recordDeletionRefused(ledger, subscriptionId);
  return false;
}

function isRefusedOrUnsent(answer: Answer): boolean {
  return answer.kind === 'not_sent' || isRefused(answer);
}

/** Asks for patience, as against a refusal: time-out, too early, too many. 401 says that the token is not taken. */
const PASSING = [401, 408, 425, 429];

/** The service has looked at the DELETE and does not do it. */
function isRefused(answer: Answer): boolean {
  if (answer.kind === 'rejected') return true;
  const status = answer.kind === 'accepted' ? undefined : answer.httpStatus;
  return status !== undefined && status >= 400 && status < 500 && !PASSING.includes(status);
}

function hasEnded({ status }: Consent): boolean {
  return status === 'cancelled' || status === 'failed';
}

/** The service knows of no such consent any more, which confirms the cancellation (rule 41). */
function recordGone({ ledger, clock }: Dependencies, { subscriptionId }: PaymentRef): Promise<void> {
  return recordConsentAnswer(ledger, { subscriptionId, status: 'cancelled', at: clock.now(), reason: 'not_found' });
}

/** Settle times after which an unconfirmed cancellation is for an operator. */
const UNCONFIRMED_AFTER = 4;

/** Repeated in growing pauses; an operator is told of a refusal at once, of anything else once it lasts (rule 41). */
async function unconfirmed(
  deps: Dependencies,
  { subscriptionId }: PaymentRef,
  { answer, since }: Deleted,
  { seen, atLeast }: { readonly seen: string; readonly atLeast: number },
): Promise<ApplicationFailure> {
  const { ledger, clock, log, settings } = deps;
  const age = clock.realNow() - since;
  const lasts = age >= UNCONFIRMED_AFTER * settings.settle;
  const reason = `DELETE: ${describe(answer)}; the consent reads: ${seen}`;
  if (lasts || isRefused(answer)) {
    log.warn({ subscriptionId, reason }, 'cancellation.unconfirmed');
    await recordUnconfirmedDeletion(ledger, { subscriptionId, at: clock.now(), realAt: clock.realNow(), reason });
  }
  const pause = lasts ? scaledTimeout(clock.setting, HOUR) : slowPause(age, clock.setting);
  return tryAgain('service_unreadable', reason, Math.max(pause, atLeast, retryAfter(answer)));
}
