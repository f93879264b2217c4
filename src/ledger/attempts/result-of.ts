import type { CollectResult } from '../../domain/subscription/state';
import type { AttemptRecord } from './attempts';

export type FinalResult = Extract<CollectResult, { kind: 'collected' | 'capture_failed' | 'rejected' }>;

/**
 * What the row says, from the service's answer or from an operator's resolution. An operator need not have named ids (rule
 * 33). The evidence is for the merchant alone, while a refusal's description is sent to the payer.
 * @throws if the row has no outcome yet, or the send never arrived.
 */
export function resultOf(row: AttemptRecord): FinalResult {
  const at = row.authorizationCreatedAt ?? row.outcomeAt ?? row.at;
  const { authorizationId, captureId, state } = row;
  if (state === 'successful') return { kind: 'collected', authorizationId, captureId, at };
  if (state === 'capture_failed' && authorizationId !== null) {
    return { kind: 'capture_failed', authorizationId, captureId, detail: row.detail ?? 'CAPTURE_FAILED', at };
  }
  if (state !== 'rejected' && state !== 'rejected_retryable') {
    throw new Error(`the send ${row.cycle}/${row.attempt}/${row.send} is ${state}, which is no outcome to answer`);
  }
  const description = row.resolvedBy === null ? (row.description ?? '') : '';
  const retryable = state === 'rejected_retryable';
  const refusal = { at, sentAt: row.at, detail: row.detail ?? 'UNKNOWN', description, retryable };
  // What follows from a refusal followed when it was refused first.
  return { kind: 'rejected', ...refusal, ...(row.refusedAs === null ? {} : { again: true as const }) };
}
