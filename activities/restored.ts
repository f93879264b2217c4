import { isRestored } from '../src/ledger';
import type { Dependencies } from './dependencies';
import { activityAge, growingPause, HALTED, tryAgain } from './stops';

/**
 * Before a notice leaves, or a consent is ended: a restored or copied ledger sends nothing until an admin says which it is
 * (rule 45). The payers of a copy are those of the original.
 * @throws ApplicationFailure to be tried again
 */
export async function refuseWhileRestored({ ledger, clock }: Pick<Dependencies, 'ledger' | 'clock'>): Promise<void> {
  if (await isRestored(ledger)) throw tryAgain('halted', HALTED, growingPause(activityAge(clock)));
}
