import type { CollectResult } from '../src/domain/subscription';
import type { AttemptRecord } from '../src/ledger';
import { type Collecting, pauseUntil } from './collecting';
import { describe, remember, toConsentResult } from './consent';
import { tryAgain } from './failures';

/** The outcome that the ledger holds, as the workflow hears it, however often it asks. */
export async function storedOutcome(collecting: Collecting, row: AttemptRecord): Promise<CollectResult> {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId } = row;
  if (row.state === 'successful' && authorizationId !== null && captureId !== null) {
    return { kind: 'collected', authorizationId, captureId, at };
  }
  if (row.state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, detail: row.detail ?? 'CAPTURE_FAILED' };
  }
  const detail = row.detail ?? 'UNKNOWN';
  if (detail === 'CONSENT_NOT_VALID') {
    const ended = await consentAfterRefusal(collecting);
    if (ended !== null) return ended;
  }
  const retryable = row.state === 'rejected_retryable';
  return { kind: 'rejected', at, detail, description: row.description ?? '', retryable };
}

/** After CONSENT_NOT_VALID the consent is asked first; its end is the subscription's (decisions 12 and 7). */
async function consentAfterRefusal(collecting: Collecting): Promise<CollectResult | null> {
  const { deps, input } = collecting;
  const consent = await deps.service.getConsent(input.paymentId);
  if (consent.kind !== 'accepted') {
    const pause = pauseUntil(collecting, input.collectBy);
    throw tryAgain('service_unreadable', `the consent cannot be read: ${describe(consent)}`, pause);
  }
  await remember(deps, input, consent.value);
  const result = await toConsentResult(deps, input, consent.value);
  if (result === null || result.kind === 'granted') return null;
  return { kind: 'consent_ended', by: result.kind === 'cancelled' ? result.by : 'payer', reason: result.reason };
}
