import { ActivityFailure } from '@temporalio/common';
import type { ConsentRequestResult } from '../src/contract/activities';

/** The worker died with the request under way, or the time was up: nobody has the redirectURL (decisions 18). */
export function unavailable(error: unknown): ConsentRequestResult {
  if (!(error instanceof ActivityFailure)) throw error;
  return { kind: 'unavailable', reason: error.cause?.message ?? error.message };
}
