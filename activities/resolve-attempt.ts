import { ApplicationFailure } from '@temporalio/common';
import type { ResolveInput, ResolveResult } from '../src/contract/activities';
import { isRefusedByLedger, resolveAttempt as resolveInLedger, type ResolveResult as Resolved } from '../src/ledger';
import type { Dependencies } from './dependencies';
import { outcomeOf } from './stored-outcome';

/**
 * A person's word on an unresolved attempt, into the ledger; what the service has said meanwhile counts for more. It is
 * repeated within the subscription's turn, so what no repetition mends fails at once: nothing waits behind it (rule 32).
 */
export async function resolveAttempt(deps: Dependencies, input: ResolveInput): Promise<ResolveResult> {
  const result = await write(deps, input);
  switch (result.kind) {
    case 'stands':
      return { kind: 'stands' };
    case 'taken':
      return { kind: 'stands', taken: result.taken };
    case 'resolved': {
      const outcome = outcomeOf(result.attempt);
      if (outcome.kind === 'capture_failed')
        throw new Error('a person resolves an attempt as collected or failed only');
      return outcome;
    }
  }
}

async function write({ ledger, clock }: Dependencies, input: ResolveInput): Promise<Resolved> {
  try {
    return await resolveInLedger(ledger, { ...input, at: clock.now(), realAt: clock.realNow() });
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
    throw ApplicationFailure.nonRetryable(`the ledger refuses what was resolved: ${error.message}`, 'ledger_refuses');
  }
}
