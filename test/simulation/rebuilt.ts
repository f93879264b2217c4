import { setTimeout as pause } from 'node:timers/promises';
import type { SubscriptionId } from '../../src/domain/ids';
import { nextStep } from '../../src/domain/subscription/next-step';
import { restoreState } from '../../src/domain/subscription/state-from-ledger';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import { readFacts } from '../../src/ledger';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';

/** The workflow may be between two of its steps: real ms until it counts as different. */
const PATIENCE = 30_000;
const BETWEEN = 50;

/**
 * A workflow begun anew from the ledger would do next what the one that runs does (rule 30).
 * @param stateOf asks the workflow
 * @returns what it would do otherwise; null where nothing differs.
 */
export async function decidesOtherwise(
  stack: SimulatedStack,
  id: SubscriptionId,
  stateOf: () => Promise<SubscriptionState>,
): Promise<string | null> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const difference = await compare(stack, id, await stateOf());
    if (difference === null || performance.now() > until) return difference;
    await pause(BETWEEN);
  }
}

async function compare(stack: SimulatedStack, id: SubscriptionId, own: SubscriptionState): Promise<string | null> {
  const facts = await readFacts(stack.ledger, id, { policy: stack.retryPolicy, spread: 0 });
  if (facts === null) return `the ledger has no subscription ${id}`;
  const now = stack.clock.now();
  const rebuilt = restoreState(facts, now);
  if (isInTheMiddle(own, rebuilt)) return null;
  const [does, would] = [own, rebuilt].map((state) => JSON.stringify(nextStep(state, now)));
  return does === would ? null : `its workflow decides ${does}, and one begun anew from the ledger ${would}`;
}

/** An attempt or an announcement is under way: begun anew it is asked about, or told once more under its key. */
function isInTheMiddle(own: SubscriptionState, rebuilt: SubscriptionState): boolean {
  if (own.pendingChange?.announcement.kind === 'sending') return true;
  return (rebuilt.open?.doubt ?? 'none') !== (own.open?.doubt ?? 'none') && own.open?.doubt === 'none';
}
