import type { PaymentRef } from '../../src/contract/activities';
import { revived } from '../../src/domain/evidence';
import { knownAuthorizations, reopenedOf } from '../../src/ledger';
import { type Following, listed, reopenRefused } from '../collect/attempt';
import { settleBeside } from '../collect/contradictions';
import type { Shown } from './recover-attempts';

/**
 * Follows what was refused and is listed, or captured, after all, as the check before a POST does (rule 36): it is open in the ledger
 * from here on, and settled as far as the service says. What is still pending is asked for again each day.
 * @param shown by the service
 */
export async function followRefused(
  { deps, progress, memory }: Pick<Following, 'deps' | 'progress' | 'memory'>,
  payment: PaymentRef,
  { authorizations, captures }: Shown,
): Promise<void> {
  // Later cycles have moved the next due date.
  const following = (cycle: number): Following => {
    return { deps, progress, memory, input: { ...payment, cycle, parked: true, nextDueAt: null }, written: null };
  };
  const known = await knownAuthorizations(deps.ledger, payment.paymentId);
  for (const again of revived(authorizations.map(listed), captures, known)) {
    await reopenRefused(following(again.known.cycle), again, false);
  }
  for (const row of await reopenedOf(deps.ledger, payment.paymentId)) await settleBeside(following(row.cycle), row);
}
