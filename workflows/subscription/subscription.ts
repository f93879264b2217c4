import {
  allHandlersFinished,
  condition,
  continueAsNew,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubscriptionInput } from '../../src/contract/messages';
import { baseQueue, isPeopleQueue } from '../../src/contract/workflows';
import { isTerminal } from '../../src/domain/subscription/state';
import { SubscriptionLife } from './life';

/** Cycles after which a workflow of an earlier release continues as new: its histories are repeated. */
const CYCLES_PER_RUN_AT_FIRST = 12;

/**
 * The life of one subscription: request consent, then for each cycle wait for its due date, collect, dun, next; until
 * the end, a cancellation, or the payer's withdrawal.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  const life = new SubscriptionLife(input);
  await life.begin();
  if (isAgreed(life)) await goOnAmongAll(life, input);
  while (await life.goOn()) {
    if (!isLong(life, input)) continue;
    await condition(() => allHandlersFinished() && life.idle);
    await continueAsNew<typeof subscription>({ ...input, state: life.stateToContinue });
  }
  await condition(() => allHandlersFinished() && life.idle);
}

/** Created where people wait, it has what it was created for. */
function isAgreed({ state }: SubscriptionLife): boolean {
  if (!isPeopleQueue(workflowInfo().taskQueue)) return false;
  return state.paymentId !== null && state.cancellation === null && !isTerminal(state.status);
}

/** What falls due together with thousands of others must not be before those who are being created. */
async function goOnAmongAll(life: SubscriptionLife, input: SubscriptionInput): Promise<void> {
  await condition(() => allHandlersFinished() && life.idle);
  const taskQueue = baseQueue(workflowInfo().taskQueue);
  await makeContinueAsNewFunc<typeof subscription>({ taskQueue })({ ...input, state: life.stateToContinue });
}

/**
 * A history that is too long ends the run, also in the middle of a step: the next run continues from the same state
 * (rule 31).
 */
function isLong(life: SubscriptionLife, input: SubscriptionInput): boolean {
  if (workflowInfo().continueAsNewSuggested) return true;
  const { open, cancellation, pendingChange } = life.state;
  if (open !== null || cancellation !== null || pendingChange?.announcement.kind === 'sending') return false;
  return life.state.cycle - input.state.cycle >= (input.cyclesPerRun ?? CYCLES_PER_RUN_AT_FIRST);
}
