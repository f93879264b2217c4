import type { CollectResult, Rejection } from '../src/domain/subscription';
import type { AttemptRecord } from '../src/ledger';
import { alert, type Collecting, pauseUntil } from './collecting';
import { endOfConsent, remember, toConsentResult } from './consent';
import { tryAgain } from './failures';
import { describe, retryAfter } from './service-answers';

/** The outcome that the ledger holds, as the workflow hears it, however often it asks. */
export async function storedOutcome(collecting: Collecting, row: AttemptRecord): Promise<CollectResult> {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId } = row;
  if (row.state === 'successful' && authorizationId !== null && captureId !== null) {
    return { kind: 'collected', authorizationId, captureId, at };
  }
  if (row.state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, detail: row.detail ?? 'CAPTURE_FAILED', at };
  }
  const detail = row.detail ?? 'UNKNOWN';
  const retryable = row.state === 'rejected_retryable';
  const refusal = { at, detail, description: row.description ?? '', retryable };
  if (!retryable) await alert(collecting, 'attempt.rejected_finally', { detail });
  if (detail === 'CONSENT_NOT_VALID') {
    const ended = await consentAfterRefusal(collecting, refusal);
    if (ended !== null) return ended;
  }
  return { kind: 'rejected', ...refusal };
}

/** After CONSENT_NOT_VALID the consent is asked first; its end is the subscription's (decisions 12 and 7). */
async function consentAfterRefusal(
  collecting: Collecting,
  refusal: Omit<Rejection, 'attempt'>,
): Promise<CollectResult | null> {
  const { deps, input } = collecting;
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    const pause = pauseUntil(collecting, input.collectBy, collecting.age(), retryAfter(consent));
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(consent)}`, pause);
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  return result === null || result.kind === 'granted' ? null : { ...endOfConsent(result), refusal };
}
