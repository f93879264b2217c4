import type { PaymentRef } from '../../src/contract/activities';
import { revived } from '../../src/domain/evidence';
import { COLLECTION_WINDOW } from '../../src/domain/subscription/schedule';
import { type AttemptRecord, knownAuthorizations, reopenedOf, type Survey } from '../../src/ledger';
import type { Authorization, Capture } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import type { Progress } from '../stops';
import { type CollectInput, Debit } from './debit';
import { listed, reopenRefused } from './debit-records';
import { checkOnce } from './interpreter';
import type { TrailMemory } from './trail-memory';

/**
 * What has become of a refused attempt that was listed again is asked once, and waits for nothing. Later cycles have moved the next
 * due date.
 */
export function checkReopened(
  deps: Dependencies,
  { subscriptionId, paymentId, cycle, attempt, amount, dueAt }: AttemptRecord,
  memory: TrailMemory,
  progress: Progress,
): Promise<void> {
  const about = { subscriptionId, paymentId, cycle, attempt, amount, dueAt, collectBy: dueAt + COLLECTION_WINDOW };
  const plan = { sendBefore: dueAt, nextDueAt: null, settleOnly: true, parked: true, knownUnresolved: true };
  return checkOnce(deps, new Debit(deps, { ...about, ...plan, revision: 0 }, memory, async () => undefined), progress);
}

/** One attempt as the ledger plans it. @param survey what has just been read of it */
export function debitOf(
  deps: Dependencies,
  input: CollectInput,
  memory: TrailMemory,
  progress: Progress,
  survey: Survey | null = null,
): Debit {
  return new Debit(deps, input, memory, (row) => checkReopened(deps, row, memory, progress), survey);
}

/**
 * Follows what was refused and is listed, or captured, after all, as the check before a POST does (rule 36): it is open in the ledger
 * from here on, and settled as far as the service says. What is still pending is asked for again each day.
 * @param shown by the service
 */
export async function followRefused(
  {
    deps,
    memory,
    progress,
  }: { readonly deps: Dependencies; readonly memory: TrailMemory; readonly progress: Progress },
  payment: PaymentRef,
  {
    authorizations,
    captures,
  }: { readonly authorizations: readonly Authorization[]; readonly captures: readonly Capture[] },
): Promise<void> {
  const known = await knownAuthorizations(deps.ledger, payment.paymentId);
  for (const again of revived(authorizations.map(listed), captures, known)) {
    await reopenRefused(deps, payment, again, false);
  }
  for (const row of await reopenedOf(deps.ledger, payment.paymentId)) await checkReopened(deps, row, memory, progress);
}
