import { ActivityFailure } from '@temporalio/common';
import type { ConsentRequestResult, DiscardResult } from '../src/contract/activities';

/** The worker died with the request under way, or the time was up: what is on record only discarding tells. */
export function unavailable(error: unknown): ConsentRequestResult {
  if (!(error instanceof ActivityFailure)) throw error;
  return { kind: 'unavailable', reason: error.cause?.message ?? error.message };
}

/** What a request came to that the worker could not tell: the ledger has the last word (decisions 18). */
export function afterDiscarding(answer: ConsentRequestResult, discarded: DiscardResult): ConsentRequestResult {
  return discarded?.kind === 'on_record' ? { ...discarded, kind: 'requested' } : answer;
}
