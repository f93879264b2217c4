import { ApplicationFailure } from '@temporalio/common';
import type { SubscriptionId } from '../src/domain/ids';
import { recordFailedCheck } from '../src/ledger';
import type { Dependencies } from './dependencies';
import { isOutside } from './stops';

/**
 * Does the work of a subscription, and notes it if the payment service could not be asked or did not answer readably: while
 * that is so, what waits for it is not overdue (rule 43).
 */
export async function notingFailedChecks<T>(
  { ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>,
  { subscriptionId }: { readonly subscriptionId: SubscriptionId },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const type = error instanceof ApplicationFailure ? error.type : null;
    // The stop counts, not that it could not be noted.
    if (isOutside(type) || type === 'outcome_unknown')
      await recordFailedCheck(ledger, subscriptionId, clock.realNow()).catch(() => undefined);
    throw error;
  }
}
