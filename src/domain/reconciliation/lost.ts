import { sameMoney } from '../money';
import { CLOCK_SKEW, hasUnknownOutcome } from '../send';
import { amountOfCycle } from '../subscription/pending-change';
import { dueFrom } from '../subscription/transitions';
import { collectionWindow, type CollectionWindow, firstCycleFrom } from '../subscription/schedule';
import type { SubscriptionState } from '../subscription/state';
import type { Instant } from '../time';
import { idsOf, isForeign } from './compare';
import type { LedgerPayment, ServicePayment } from './records';

/** An attempt that a restored ledger lacks, as the service shows it. */
export interface LostAttempt extends CollectionWindow {
  readonly cycle: number;
  readonly attempt: number;
  readonly authorizationId: string;
  /** The due date after this cycle's; null if there is none. */
  readonly nextDueAt: Instant | null;
}

type ServiceAuthorization = ServicePayment['authorizations'][number];

/**
 * The earliest authorization that the ledger lacks and that can only be an attempt of one cycle: it was created in the
 * window of a cycle that has not ended and whose attempts were all refused retryably or never made, it has the amount
 * of the cycle, and the ledger lacks no other one from that window (rule 17). Null if there is none. All other
 * authorizations that the ledger lacks are differences, for an operator.
 * @param state the subscription's state in the ledger
 */
export function findLostAttempt(
  state: SubscriptionState,
  { attempts, knownSince }: LedgerPayment,
  { authorizations }: Pick<ServicePayment, 'authorizations'>,
): LostAttempt | null {
  // A send with an unknown outcome may have created any of these authorizations, so it is settled first.
  if (attempts.some((each) => hasUnknownOutcome(each.state))) return null;
  const ownIds = idsOf(attempts.map((each) => each.authorizationId));
  const unknown = authorizations.filter((each) => isForeign(each, each.authorizationId, ownIds, knownSince));
  const closed = attempts.filter(({ state: made }) => made !== 'not_sent' && made !== 'rejected_retryable');
  for (const each of unknown.toSorted((one, other) => one.createdAt - other.createdAt)) {
    const cycle = cycleOf(state, each);
    if (cycle === null || cycle < state.cycle || closed.some((known) => known.cycle === cycle)) continue;
    if (!sameMoney(each.amount, amountOfCycle(state, cycle))) continue;
    if (unknown.filter((other) => cycleOf(state, other) === cycle).length > 1) continue;
    const refused = authorizations.filter(
      (other) => isRefused(other) && !ownIds.includes(other.authorizationId) && cycleOf(state, other) === cycle,
    );
    return {
      ...collectionWindow(state.terms, cycle),
      cycle,
      // Refused authorizations that the ledger also lacks were earlier attempts.
      attempt: nextAttempt(state, cycle) + refused.filter(({ createdAt }) => createdAt < each.createdAt).length,
      authorizationId: each.authorizationId,
      nextDueAt: dueFrom(state, cycle + 1),
    };
  }
  return null;
}

/** The cycle in whose window the authorization was created, by a clock that may differ slightly from ours; null if in none. */
function cycleOf({ terms }: SubscriptionState, { createdAt }: ServiceAuthorization): number | null {
  const cycle = firstCycleFrom(terms, createdAt + CLOCK_SKEW + 1) - 1;
  return cycle >= 0 && createdAt < collectionWindow(terms, cycle).collectBy + CLOCK_SKEW ? cycle : null;
}

function isRefused({ status }: ServiceAuthorization): boolean {
  return status !== 'pending' && status !== 'successful';
}

function nextAttempt({ open }: SubscriptionState, cycle: number): number {
  return open?.cycle === cycle ? open.attempt : 0;
}
