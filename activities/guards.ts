import { ApplicationFailure } from '@temporalio/common';
import { HALTED, isServiceFault } from '../src/domain/attempt/action';
import { growingWait } from '../src/domain/attempt/waits';
import type { SubscriptionId } from '../src/domain/ids';
import { isRestored, recordFailedCheck } from '../src/ledger';
import { loggable } from '../src/platform/log';
import type { Dependencies } from './dependencies';
import { activityAge, tryAgain } from './stops';

/**
 * To be called before a consent is ended or an authorization is released: a restored or copied ledger sends nothing until an admin
 * says which it is (rule 45), because a copy has the payers of the original.
 * @throws ApplicationFailure to be retried
 */
export async function refuseWhileRestored({ ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>): Promise<void> {
  if (await isRestored(ledger)) throw tryAgain('halted', HALTED, growingWait(activityAge(clock)));
}

/**
 * Does the work of a subscription. If the payment service was unavailable or did not answer readably, records that as a failed
 * check: meanwhile, work that waits for it is not overdue (rule 43).
 */
export async function recordingFailedChecks<T>(
  { ledger, clock, log }: Pick<Dependencies, 'ledger' | 'clock' | 'log'>,
  { subscriptionId }: { readonly subscriptionId: SubscriptionId },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const type = error instanceof ApplicationFailure ? error.type : null;
    // A failure to record it must not hide the original error.
    if (isServiceFault(type) || type === 'outcome_unknown')
      await recordFailedCheck(ledger, subscriptionId, clock.realNow()).catch((fault: unknown) => {
        log.warn({ err: loggable(fault), subscriptionId }, 'a failed check could not be recorded');
      });
    throw error;
  }
}
