import { rootCause } from '@temporalio/common';
import { continueAsNew, executeChild, setCurrentDetails, sleep, uuid4, workflowInfo } from '@temporalio/workflow';
import {
  type DailyDecision,
  type DailyQuestion,
  type HousekeepingInput,
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  type ReconciliationResult,
} from '../src/contract/housekeeping';
import { type ClockSetting, HOUR, realDelay, SECOND } from '../src/contract/steps';
import { activities } from './activities';
import { isFailure, realNow } from './runtime';

/** Days after which the workflow continues as new, so that no history grows long. */
const DAYS_PER_RUN = 30;

/**
 * Carries out the daily work, step by step. An activity decides the next step and adds each result to the state. Never
 * ends.
 */
export async function housekeeping({ clock, state }: HousekeepingInput): Promise<void> {
  let decided = await activities.decideDaily({ state, came: null });
  for (let days = 0; days < DAYS_PER_RUN && !workflowInfo().continueAsNewSuggested;) {
    setCurrentDetails(decided.details);
    const came = await carryOut(clock, decided).catch(failed);
    if (decided.step.kind === 'wait') days += 1;
    decided = await activities.decideDaily({ state: decided.state, came });
  }
  await continueAsNew<typeof housekeeping>({ clock, state: decided.state });
}

async function carryOut(clock: ClockSetting | null, { step, summary }: DailyDecision): Promise<DailyQuestion['came']> {
  switch (step.kind) {
    case 'wait':
      // At least a second: the clock of the worker that decided the step may be behind.
      await sleep(Math.max(SECOND, realDelay(clock, realNow(), step.until)), { summary });
      return null;
    case 'consents':
      return activities.checkDueConsents.executeWithOptions({ summary }, [step]);
    case 'leftovers':
      return activities.removeLeftovers();
    case 'workflows':
      return activities.findOrphans(step);
    case 'reconciliation': {
      const { period, until, timeout } = step;
      return executeChild<typeof reconciliation>(RECONCILIATION_WORKFLOW, {
        workflowId: `${RECONCILIATION_WORKFLOW}/${uuid4()}`,
        args: [{ period, until, timeout, actor: 'dueday', announce: true }],
        staticSummary: summary,
      });
    }
    default:
      // A step of a newer release: another worker may know it.
      await sleep(HOUR, { summary: 'waiting for a newer release' });
      return null;
  }
}

/** A part that fails ends neither the daily work nor the workflow. */
function failed(error: unknown): DailyQuestion['came'] {
  if (!isFailure(error)) throw error;
  return { kind: 'failed', reason: rootCause(error) ?? error.message };
}

/**
 * Compares the ledger with the service's records of a period, once. The differences are stored under this workflow's
 * run id.
 */
export async function reconciliation(input: ReconciliationInput): Promise<ReconciliationResult> {
  return activities.reconcileLedger({ ...input, runId: workflowInfo().runId });
}
