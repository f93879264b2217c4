import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { SubscriptionId } from '../src/domain/ids';
import {
  describeRefusal,
  endUnrecordableItem,
  isRefusedByLedger,
  isRestored,
  openUnrecordableItem,
  recordFailedCheck,
} from '../src/ledger';
import type { Dependencies } from './dependencies';
import { activityAge, growingPause, HALTED, isOutside, patientPause, tryAgain } from './stops';

/**
 * Before a notice leaves, or a consent is ended: a restored or copied ledger sends nothing until an admin says which it is
 * (rule 45). The payers of a copy are those of the original.
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

/** Work that PostgreSQL may refuse to write down. */
interface RefusedWork {
  /** What was to be written. */
  readonly name: string;
  readonly subscriptionId: SubscriptionId;
  /** An activity before this one may have met the refusal. */
  readonly wasRefused?: boolean;
}

/**
 * Does the work of a subscription. What PostgreSQL refuses for its data is not repeated as it is: an operator has the item, and the
 * work ends otherwise, or is tried again ever more rarely (rule 43).
 * @param otherwise what the work answers then; without it, or if it answers null, it is tried again
 */
export async function notingRefusedWrites<T>(
  deps: Pick<Dependencies, 'ledger' | 'clock' | 'log'>,
  { name, subscriptionId, wasRefused = false }: RefusedWork,
  work: () => Promise<T>,
  otherwise: (reason: string) => T | null = () => null,
): Promise<T> {
  const { ledger, clock, log } = deps;
  try {
    const result = await work();
    if (wasRefused || Context.current().info.attempt > 1) await endUnrecordableItem(ledger, { subscriptionId });
    return result;
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
    const reason = `the ledger refuses what ${name} has to write: ${describeRefusal(error)}`;
    log.error({ subscriptionId, reason }, 'a write was refused');
    await openUnrecordableItem(ledger, { subscriptionId }, reason, clock.now());
    const answer = otherwise(reason);
    if (answer !== null) return answer;
    throw tryAgain('unrecordable', reason, patientPause(activityAge(clock), clock));
  }
}
