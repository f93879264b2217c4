import { continueAsNew, setCurrentDetails, sleep, workflowInfo, executeChild, uuid4 } from '@temporalio/workflow';
import { rootCause } from '@temporalio/common';
import {
  type DailyReport,
  type HousekeepingInput,
  type HousekeepingState,
  type ConsentLook,
  type ConsentPage,
  type OrphanPage,
  RECONCILIATION_WORKFLOW,
  type ReconciliationInput,
  type ReconciliationResult,
} from '../src/contract/housekeeping';
import { firstDailyFrom, LOOK_AHEAD, nextDailyAfter, LOOK_BACK } from '../src/domain/subscription/schedule';
import { realDelay, toBusiness, type Instant, toIso, DAY, HOUR } from '../src/domain/time';
import { lookAtConsentsDue, lookForOrphans, removeLeftovers, reconcileLedger } from './activities';
import { isFailure, realNow } from './runtime';

/** Days after which the workflow continues as new, so that no history grows long. */
const DAYS_PER_RUN = 30;

/**
 * The work of each day, on the business clock: looks for consents that have ended, holds the ledger against the
 * service, removes what is left over. A part that fails is left for the next day; the workflow never ends.
 */
export async function housekeeping({ clock, state }: HousekeepingInput): Promise<void> {
  const now = () => toBusiness(clock, realNow());
  let current = state ?? NEW;
  // When it is first started, Temporal may be a new one, or one restored.
  if (state === null) show(null, `At the start: ${await orFault(compareWithWorkflows)}`);
  for (let days = 0; days < DAYS_PER_RUN && !workflowInfo().continueAsNewSuggested; days += 1) {
    if (current.look === null) {
      const next = current.begunAt === null ? firstDailyFrom(now()) : nextDailyAfter(current.begunAt);
      show(current.last, `Next: ${toIso(next)}`);
      const delay = realDelay(clock, realNow(), next);
      if (delay > 0) await sleep(delay, { summary: `wait until ${toIso(next)} (daily work)` });
      current = begin(current, now());
    }
    show(current.last, 'Now: the work of the day');
    const late = (current.begunAt ?? 0) + LONGEST_LOOK;
    current = await workOfADay(current, () => now() >= late);
  }
  await continueAsNew<typeof housekeeping>({ clock, state: current });
}

const NEW: HousekeepingState = { begunAt: null, look: null, last: null };

function begin(state: HousekeepingState, at: Instant): HousekeepingState {
  return { ...state, begunAt: at, look: { dueBy: at + LOOK_AHEAD, after: null, asked: 0, ended: 0, unreadable: 0 } };
}

/** Current details for the Web UI; they cost no event. */
function show(last: DailyReport | null, doing: string): void {
  const lines =
    last === null
      ? ['Nothing done yet']
      : [
          `Last: ${toIso(last.at)}`,
          `Consents: ${last.consents}`,
          `Reconciliation: ${last.reconciliation}`,
          `Leftovers: ${last.leftovers}`,
          ...(last.orphans === undefined ? [] : [`Workflows: ${last.orphans}`]),
        ];
  setCurrentDetails([doing, ...lines].map((line) => `- ${line}`).join('\n'));
}

/** Real ms for which the service is asked again for the day's reconciliation. */
const PATIENCE = 2 * HOUR;

/** After so long the look at consents leaves what is due later for the next day. */
const LONGEST_LOOK = 12 * HOUR;

/**
 * One day's work; a look that is long enough for a new history comes back unfinished.
 * @param isLate whether the look has had its part of the day
 */
export async function workOfADay(state: HousekeepingState, isLate: () => boolean): Promise<HousekeepingState> {
  const { begunAt, look } = state;
  if (begunAt === null || look === null) return state;
  const looked = await lookForEnds(look, isLate);
  if (looked.kind === 'unfinished') return { ...state, look: looked.look };
  const leftovers = await orFault(removeOld);
  const orphans = await orFault(compareWithWorkflows);
  // Comparing may last until the next day: all else goes before it.
  const reconciled = await orFault(() => reconcile(begunAt));
  return {
    begunAt,
    look: null,
    last: { at: begunAt, consents: looked.words, reconciliation: reconciled, leftovers, orphans },
  };
}

type Looked =
  | { readonly kind: 'unfinished'; readonly look: ConsentLook }
  | { readonly kind: 'finished'; readonly words: string };

/** What each consent that has ended changes is in the ledger with its page (rules 7, 8). */
async function lookForEnds(begun: ConsentLook, isLate: () => boolean): Promise<Looked> {
  let look = begun;
  const looked = await orFault(async () => {
    do {
      const page = await lookAtConsentsDue.executeWithOptions({ summary: `due by ${toIso(look.dueBy)}` }, [
        { dueBy: look.dueBy, after: look.after },
      ]);
      look = withPage(look, page);
    } while (look.after !== null && !isLate() && !workflowInfo().continueAsNewSuggested);
    return 'looked';
  });
  if (looked === 'looked' && look.after !== null && !isLate()) return { kind: 'unfinished', look };
  const words = `${look.asked} asked, ${look.ended} ended, ${look.unreadable} not readable`;
  return { kind: 'finished', words: looked === 'looked' ? words : `${words}; ${looked}` };
}

function withPage(look: ConsentLook, page: ConsentPage): ConsentLook {
  return {
    dueBy: look.dueBy,
    after: page.after,
    asked: look.asked + page.asked,
    ended: look.ended + page.ended,
    unreadable: look.unreadable + page.unreadable,
  };
}

/**
 * Every subscription and payment that has not ended has its workflow (rule 30). One without a workflow opens an attention
 * item.
 */
export async function compareWithWorkflows(): Promise<string> {
  let [looked, orphaned, after]: [number, number, string | null] = [0, 0, null];
  do {
    const page: OrphanPage = await lookForOrphans({ after });
    looked += page.looked;
    orphaned += page.orphaned;
    after = page.after;
  } while (after !== null);
  return `${looked} looked at, ${orphaned} without a workflow`;
}

async function reconcile(day: Instant): Promise<string> {
  const span = { from: day - LOOK_BACK, to: day };
  const until = day + DAY;
  const input: ReconciliationInput = { span, actor: 'dueday', patience: PATIENCE, announce: true, until };
  const result = await executeChild<typeof reconciliation>(RECONCILIATION_WORKFLOW, {
    workflowId: `${RECONCILIATION_WORKFLOW}/${uuid4()}`,
    args: [input],
    staticSummary: `ledger and service, ${toIso(day)}`,
  });
  return describeReconciliation(result);
}

async function removeOld(): Promise<string> {
  const { drafts, reconciliations, payers } = await removeLeftovers();
  const erased = payers === undefined ? '' : `, ${payers} payers erased`;
  return `${drafts} drafts and ${reconciliations} old reconciliations removed${erased}`;
}

/** What it came to, or its fault in words: a part that fails ends neither the day nor the workflow. */
export async function orFault(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    return `failed: ${rootCause(error) ?? error.message}`;
  }
}

/** Holds the ledger against the service's records of a span, once; what it finds is in the ledger under its run's id. */
export async function reconciliation(input: ReconciliationInput): Promise<ReconciliationResult> {
  const { runId } = workflowInfo();
  const about = [`- Records from ${toIso(input.span.from)} to ${toIso(input.span.to)}`, `- Wanted by ${input.actor}`];
  setCurrentDetails(about.join('\n'));
  const result = await reconcileLedger({ ...input, runId });
  setCurrentDetails([...about, `- ${describeReconciliation(result)}`].join('\n'));
  return result;
}

export function describeReconciliation(result: ReconciliationResult): string {
  if (result.kind === 'service_unavailable') return `the service could not be asked: ${result.reason}`;
  const soFar = `${result.payments} payments compared, ${result.differences} differences`;
  return result.kind === 'stopped' ? `stopped: ${soFar}` : soFar;
}
