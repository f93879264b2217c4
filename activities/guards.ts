import { ApplicationFailure } from '@temporalio/common';
import { HALTED, isOutside } from '../src/domain/attempt/action';
import { growingPause } from '../src/domain/attempt/pauses';
import type { SubscriptionId } from '../src/domain/ids';
import { isRestored, recordFailedCheck } from '../src/ledger';
import type { Dependencies } from './dependencies';
import { activityAge, tryAgain } from './stops';

/**
 * Before a consent is ended: a restored or copied ledger sends nothing until an admin says which it is (rule 45). The payers
 * of a copy are those of the original.
 * @throws ApplicationFailure to be tried again
 */
export async function refuseWhileRestored({ ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>): Promise<void> {
  if (await isRestored(ledger)) throw tryAgain('halted', HALTED, growingPause(activityAge(clock)));
}

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
