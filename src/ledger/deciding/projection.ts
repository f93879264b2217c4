import { currentPause } from '../../domain/subscription/pauses';
import { amountOfCycle, waitedAtTheEnd } from '../../domain/subscription/pending-change';
import type { SubscriptionState } from '../../domain/subscription/state';
import { nextDueAt, nextToCollect } from '../../domain/subscription/transitions';
import type { SubscriptionPatch } from '../rows/change';

/**
 * The state of a subscription as the ledger stores it, without `stoppedBy`, which decisions set and clear themselves.
 */
export type Projection = Required<Omit<SubscriptionPatch, 'stoppedBy'>>;

export function project(state: SubscriptionState): Projection {
  return {
    status: state.status,
    attention: state.standing.attention,
    dunning: state.standing.dunning,
    pastDue: state.standing.pastDue,
    pausedUntil: currentPause(state)?.until ?? null,
    cancelledBy: state.cancelledBy,
    nextDueAt: nextDueAt(state),
    amount: amountOfCycle(state, nextToCollect(state)),
    replacedBy: state.replacedBy,
    pendingChange: state.pendingChange,
    lastIncreaseAt: state.lastIncreaseAt,
    pauses: state.pauses,
    skips: state.skips,
    replacements: state.replacements,
    current: state.current,
    cancellation: state.cancellation,
    endSeenAt: waitedAtTheEnd(state),
  };
}

/** The fields of `after` that differ from `before`. */
export function patchBetween(before: Projection, after: Projection): SubscriptionPatch {
  const changed = Object.entries(after).filter(([field, value]) => {
    return JSON.stringify(value) !== JSON.stringify(before[field as keyof Projection]);
  });
  return Object.fromEntries(changed);
}
