import type { SubscriptionState } from '../../src/domain/subscription/state';
import { amountOfCycle } from '../../src/domain/subscription/pending-change';
import { nextDueAt, nextUntried } from '../../src/domain/subscription/transitions';
import { waitUntil } from './wait-until';
import type { LedgerRow } from './workflow-bank';
import type { RunningSubscription } from './workflow-subscription';

/** Holds after every test: the ledger shows the workflow's state, and no key stands for two changes. */
export async function expectLedgerAgrees(subscription: RunningSubscription): Promise<void> {
  const { bank } = subscription;
  expect(bank.faults).toEqual([]);
  if (bank.row === null) return;
  // Read anew each time: where time is not skipped the life goes on meanwhile.
  let known = await subscription.state();
  const agrees = async () => {
    known = await subscription.state();
    return isSame(bank.row, shownFor(known));
  };
  await waitUntil('the ledger agrees with the workflow', agrees).catch(() => {
    expect(bank.row).toMatchObject(shownFor(known));
  });
}

function isSame(row: unknown, shown: Record<string, unknown>): boolean {
  return Object.entries(shown).every(([field, value]) => {
    return JSON.stringify((row as Record<string, unknown>)[field]) === JSON.stringify(value);
  });
}

function shownFor(state: SubscriptionState): Partial<LedgerRow> {
  const { attention, dunning, pastDue } = state.standing;
  const isPaused = state.status === 'paused';
  return {
    status: state.status,
    attention,
    dunning,
    pastDue,
    hold: state.cancellation !== null ? 'cancel' : isPaused ? 'pause' : null,
    pausedUntil: isPaused ? (state.pauses.at(-1)?.until ?? null) : null,
    cancelledBy: state.cancelledBy,
    nextDueAt: nextDueAt(state),
    amount: amountOfCycle(state, nextUntried(state)),
    pendingChange: state.pendingChange,
    lastIncreaseAt: state.lastIncreaseAt,
    replacedBy: state.replacedBy,
  };
}
