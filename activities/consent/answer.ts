import type { PaymentRef } from '../../src/contract/activities';
import { consentEndedBy, type ConsentResult, type CollectResult } from '../../src/domain/subscription/state';
import type { Instant } from '../../src/domain/time';
import { type ConsentAnswer, getSubscription, recordConsentAnswer, recordUnreadableConsent } from '../../src/ledger';
import type { Consent, ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { describe } from '../stops';

/** The payer's answer, or the end of the consent; null while it is pending. */
export async function toConsentResult(
  deps: Dependencies,
  input: PaymentRef,
  consent: Consent,
): Promise<ConsentResult | null> {
  const reason = consent.reason ?? null;
  switch (consent.status) {
    case 'pending':
      return null;
    case 'successful':
      return { kind: 'granted' };
    case 'failed':
      return { kind: 'failed', reason: reason ?? 'unknown' };
    case 'cancelled': {
      const subscription = await getSubscription(deps.ledger, input.subscriptionId);
      return { kind: 'cancelled', by: consentEndedBy(reason, subscription?.consent.merchantDeleted === true), reason };
    }
  }
}

/**
 * Stores the consent that the service returned.
 * @param askedAt as for {@link consentAnswer}
 * @param checkedFor the due date that the daily check has covered and need not check again
 */
export async function storeConsent(
  { ledger }: Pick<Dependencies, 'ledger'>,
  input: PaymentRef,
  consent: Consent,
  askedAt: Instant,
  checkedFor: Instant | null = null,
): Promise<void> {
  await recordConsentAnswer(ledger, { ...consentAnswer(input, consent, askedAt), checkedFor });
}

/**
 * The consent as the service has returned it.
 * @param askedAt business time before the request: two workers may ask concurrently, and the slower answer may be the older one
 */
export function consentAnswer({ subscriptionId }: PaymentRef, consent: Consent, askedAt: Instant): ConsentAnswer {
  return { subscriptionId, status: consent.status, at: askedAt, reason: consent.reason ?? null };
}

/** `cancelled` or `failed` ends the subscription (rule 7). */
export function endOfConsent(
  result: Exclude<ConsentResult, { kind: 'granted' }>,
): Extract<CollectResult, { kind: 'consent_ended' }> {
  const by = result.kind === 'cancelled' ? result.by : consentEndedBy(result.reason, false);
  return { kind: 'consent_ended', by, reason: result.reason };
}

/** Whether the service has answered that there is no such consent: a readable NOT_FOUND, or 410. */
export function isGone(answer: ServiceResult<unknown>): boolean {
  if (answer.kind === 'accepted') return false;
  if (answer.kind !== 'rejected') return answer.httpStatus === GONE;
  return answer.failure.detail === 'NOT_FOUND' || answer.failure.httpStatus === GONE;
}

const GONE = 410;

/**
 * Records that the consent of an active subscription cannot be read, or is pending: nothing is collected. If the service was not
 * reached, or answered 401 or 429, nothing is recorded, as that says nothing about this consent; a 403 may concern it alone.
 */
export async function noteUnreadable(
  { ledger, clock, settings }: Dependencies,
  { subscriptionId }: PaymentRef,
  answer: ServiceResult<Consent>,
): Promise<void> {
  if (answer.kind === 'not_sent' && answer.httpStatus !== FORBIDDEN) return;
  const reason = answer.kind === 'accepted' ? `its status is ${answer.value.status}` : describe(answer);
  const check = { subscriptionId, at: clock.now(), realAt: clock.realNow(), reason };
  await recordUnreadableConsent(ledger, check, settings.settle);
}

const FORBIDDEN = 403;
