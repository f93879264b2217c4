import type { ResolveInput, ResolveResult } from '../src/contract/activities';
import { resolveAttempt as resolveInLedger } from '../src/ledger';
import type { Dependencies } from './dependencies';

/** A person's word on an unresolved attempt, into the ledger; what the service has said meanwhile counts for more. */
export async function resolveAttempt({ ledger, clock }: Dependencies, input: ResolveInput): Promise<ResolveResult> {
  const result = await resolveInLedger(ledger, { ...input, at: clock.now(), realAt: clock.realNow() });
  if (result.kind === 'stands') return { kind: 'stands' };
  const { authorizationId, captureId, detail } = result.attempt;
  const at = clock.now();
  return input.outcome === 'collected'
    ? { kind: 'collected', authorizationId, captureId, at }
    : { kind: 'rejected', at, detail: detail ?? '', description: input.evidence, retryable: false };
}
