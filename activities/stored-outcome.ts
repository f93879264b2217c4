import type { CollectResult, Rejection } from '../src/domain/subscription/state';
import type { AttemptRecord } from '../src/ledger';
import { alert, type Collecting, pauseUntil } from './collecting';
import { endOfConsent, remember, toConsentResult } from './consent';
import { tryAgain } from './failures';
import { describe, retryAfter } from './service-answers';

/** The outcome that the ledger holds, as the workflow hears it, however often it asks. */
export async function storedOutcome(collecting: Collecting, row: AttemptRecord): Promise<CollectResult> {
  const outcome = outcomeOf(row);
  if (outcome.kind !== 'rejected' || row.resolvedBy !== null) return outcome;
  const { kind, ...refusal } = outcome;
  if (!refusal.retryable) await alert(collecting, 'attempt.rejected_finally', { detail: refusal.detail });
  if (refusal.detail === 'CONSENT_NOT_VALID') {
    const ended = await consentAfterRefusal(collecting, refusal);
    if (ended !== null) return ended;
  }
  return { kind, ...refusal };
}

/**
 * What the row says, be it the service's word or a person's. A person need not have named ids (rule 33), and what was
 * written as evidence is for the merchant alone, where a refusal's description is told to the payer.
 * @throws where the row has no outcome yet, or the send never arrived.
 */
export function outcomeOf(row: AttemptRecord): Outcome {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId, state } = row;
  if (state === 'successful') return { kind: 'collected', authorizationId, captureId, at };
  if (state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, detail: row.detail ?? 'CAPTURE_FAILED', at };
  }
  if (state !== 'rejected' && state !== 'rejected_retryable') {
    throw new Error(`the send ${row.cycle}/${row.attempt}/${row.send} is ${state}, which is no outcome to tell`);
  }
  const description = row.resolvedBy === null ? (row.description ?? '') : '';
  const retryable = state === 'rejected_retryable';
  return { kind: 'rejected', at, detail: row.detail ?? 'UNKNOWN', description, retryable };
}

type Outcome = Extract<CollectResult, { kind: 'collected' | 'capture_failed' | 'rejected' }>;

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
