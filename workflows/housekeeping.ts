import { continueAsNew, patched, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { DailyReport, HousekeepingInput, HousekeepingState } from '../src/contract/housekeeping';
import { realDelay, toBusiness, type Instant, toIso } from '../src/domain/time';
import { firstDailyFrom, LOOK_AHEAD, nextDailyAfter } from '../src/domain/subscription/schedule';
import { compareWithWorkflows, orFault, ORPHAN_LOOK, workOfADay } from './housekeeping-day';

/** Days after which the workflow continues as new, so that no history grows long. */
const DAYS_PER_RUN = 30;

/**
 * The work of each day, on the business clock: looks for consents that have ended, holds the ledger against the service,
 * removes what is left over. Whatever fails is left for the next day; the workflow never ends.
 */
export async function housekeeping({ clock, state }: HousekeepingInput): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- inside a workflow Date is the workflow's own time
  const real = () => Date.now();
  const now = () => toBusiness(clock, real());
  let current = state ?? NEW;
  // Where it is first started, Temporal may be a new one, or one restored.
  if (state === null && patched(ORPHAN_LOOK)) show(null, `At the start: ${await orFault(compareWithWorkflows)}`);
  for (let days = 0; days < DAYS_PER_RUN && !workflowInfo().continueAsNewSuggested; days += 1) {
    if (current.look === null) {
      const next = current.begunAt === null ? firstDailyFrom(now()) : nextDailyAfter(current.begunAt);
      show(current.last, `Next: ${toIso(next)}`);
      const delay = realDelay(clock, real(), next);
      if (delay > 0) await sleep(delay, { summary: `until ${toIso(next)}` });
      current = begin(current, now());
    }
    show(current.last, 'Now: the work of the day');
    current = await workOfADay(current);
  }
  await continueAsNew<typeof housekeeping>({ clock, state: current });
}

const NEW: HousekeepingState = { begunAt: null, look: null, last: null };

function begin(state: HousekeepingState, at: Instant): HousekeepingState {
  return { ...state, begunAt: at, look: { dueBy: at + LOOK_AHEAD, after: null, asked: 0, ended: 0, unreadable: 0 } };
}

/** Current details for the Web UI; they cost no event. */
function show(last: DailyReport | null, doing: string): void {
  const told =
    last === null
      ? ['Nothing done yet']
      : [
          `Last: ${toIso(last.at)}`,
          `Consents: ${last.consents}`,
          `Reconciliation: ${last.reconciliation}`,
          `Leftovers: ${last.leftovers}`,
          ...(last.orphans === undefined ? [] : [`Workflows: ${last.orphans}`]),
        ];
  setCurrentDetails([doing, ...told].map((line) => `- ${line}`).join('\n'));
}
