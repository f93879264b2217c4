import { sameMoney } from '../../src/domain/money';
import type { Listed } from '../../src/domain/send';
import { type Calendar, COLLECTION_WINDOW, collectionWindow, dueAt } from '../../src/domain/subscription/schedule';
import type { Instant } from '../../src/domain/time';
import { adoptAuthorization, type AdoptionTerms } from '../../src/ledger';
import type { AuthorizationId } from '../../src/domain/ids';
import type { Collecting } from './attempt';

/**
 * From when on an authorization that the ledger lacks may be the cycle's debit: the service allows 120 hours either way of the due
 * date, and what lies in the window of the cycle before is that one's (rule 40).
 */
export function adoptionStart(calendar: Calendar, cycle: number): Instant {
  const earliest = dueAt(calendar, cycle) - COLLECTION_WINDOW;
  return cycle === 0 ? earliest : Math.max(earliest, collectionWindow(calendar, cycle - 1).collectBy);
}

/**
 * Takes an authorization that another system has made for the cycle's debit, if it is of the amount that the cycle collects, with or
 * without its pending change (rule 40).
 * @returns false if it cannot be that
 */
export async function adopt(collecting: Collecting, made: Listed, { currentAmount }: AdoptionTerms): Promise<boolean> {
  const { deps, input } = collecting;
  const { subscriptionId, paymentId, cycle, attempt, amount, dueAt: due, collectBy } = input;
  if (made.isOther === true || ![amount, currentAmount].some((each) => sameMoney(each, made.amount))) return false;
  const adopted = await adoptAuthorization(deps.ledger, {
    ...{ subscriptionId, paymentId, cycle, attempt, dueAt: due, collectBy },
    amount: made.amount,
    authorizationId: made.id as AuthorizationId,
    createdAt: made.createdAt,
    enteredAt: deps.clock.now(),
    realAt: deps.clock.realNow(),
    owner: deps.settings.owner,
  });
  return adopted.kind === 'adopted';
}
