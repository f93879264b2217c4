import { rootCause, TemporalFailure } from '@temporalio/common';
import {
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type ConsentLook,
  type ConsentPage,
  type HousekeepingState,
  type OrphanPage,
  RECONCILIATION_WORKFLOW,
} from '../src/contract/housekeeping';
import { lookAtConsentSignal } from '../src/contract/messages';
import { subscriptionWorkflowId } from '../src/contract/workflow-ids';
import { LOOK_BACK } from '../src/domain/subscription/schedule';
import type { SubscriptionId } from '../src/domain/ids';
import { HOUR, type Instant, toIso } from '../src/domain/time';
import { lookAtConsentsDue, lookForOrphans, removeLeftovers } from './activity-options';
import { describeReconciliation, type reconciliation } from './reconciliation';
import { sendNotice } from './send-notice';

/** Since 0.2: the ledger is held against Temporal's workflows too. */
export const ORPHAN_LOOK = 'orphan-look';

/** Real ms for which the service is asked again for the day's reconciliation. */
const PATIENCE = 2 * HOUR;

/** One day's work; a look that is long enough for a new history comes back unfinished. */
export async function workOfADay(state: HousekeepingState): Promise<HousekeepingState> {
  const { begunAt, look } = state;
  if (begunAt === null || look === null) return state;
  const looked = await lookForEnds(look);
  if (looked.kind === 'unfinished') return { ...state, look: looked.look };
  const reconciled = await orFault(() => reconcile(begunAt));
  const leftovers = await orFault(removeOld);
  const orphans = patched(ORPHAN_LOOK) ? { orphans: await orFault(compareWithWorkflows) } : {};
  return {
    begunAt,
    look: null,
    last: { at: begunAt, consents: looked.words, reconciliation: reconciled, leftovers, ...orphans },
  };
}

type Looked =
  { readonly kind: 'unfinished'; readonly look: ConsentLook } | { readonly kind: 'finished'; readonly words: string };

/** Each subscription whose consent has ended is told to look for itself: it decides, and nobody else (decisions 7, 8). */
async function lookForEnds(begun: ConsentLook): Promise<Looked> {
  let look = begun;
  const looked = await orFault(async () => {
    do {
      const page = await lookAtConsentsDue.executeWithOptions({ summary: `due by ${toIso(look.dueBy)}` }, [
        { dueBy: look.dueBy, after: look.after },
      ]);
      await Promise.all(page.ended.map(tell));
      look = withPage(look, page);
    } while (look.after !== null && !workflowInfo().continueAsNewSuggested);
    return 'looked';
  });
  if (looked === 'looked' && look.after !== null) return { kind: 'unfinished', look };
  const words = `${look.asked} asked, ${look.ended} ended, ${look.unreadable} not readable`;
  return { kind: 'finished', words: looked === 'looked' ? words : `${words}; ${looked}` };
}

/** One that has ended meanwhile needs not be told. */
async function tell(subscriptionId: SubscriptionId): Promise<void> {
  await orFault(async () => {
    await getExternalWorkflowHandle(subscriptionWorkflowId(subscriptionId)).signal(lookAtConsentSignal);
    return '';
  });
}

function withPage(look: ConsentLook, page: ConsentPage): ConsentLook {
  return {
    dueBy: look.dueBy,
    after: page.after,
    asked: look.asked + page.asked,
    ended: look.ended + page.ended.length,
    unreadable: look.unreadable + page.unreadable,
  };
}

/**
 * Every subscription and payment that is not over has its workflow (rule 30): what has none is told to people, a notice
 * that nobody delivers is begun again.
 */
export async function compareWithWorkflows(): Promise<string> {
  let [looked, orphaned, notices, after]: [number, number, number, string | null] = [0, 0, 0, null];
  do {
    const page: OrphanPage = await lookForOrphans({ after });
    await Promise.all(page.noticeIds.map(sendNotice));
    looked += page.looked;
    orphaned += page.orphaned;
    notices += page.noticeIds.length;
    after = page.after;
  } while (after !== null);
  return `${looked} looked at, ${orphaned} without a workflow, ${notices} notices begun again`;
}

async function reconcile(day: Instant): Promise<string> {
  const result = await executeChild<typeof reconciliation>(RECONCILIATION_WORKFLOW, {
    workflowId: `${RECONCILIATION_WORKFLOW}/${uuid4()}`,
    args: [{ span: { from: day - LOOK_BACK, to: day }, actor: 'dueday', patience: PATIENCE, announce: true }],
    staticSummary: `ledger and service, ${toIso(day)}`,
  });
  return describeReconciliation(result);
}

async function removeOld(): Promise<string> {
  const { drafts, reconciliations } = await removeLeftovers();
  return `${drafts} drafts and ${reconciliations} old reconciliations removed`;
}

/** What it came to, or a word of its fault: a part that fails ends neither the day nor the workflow. */
export async function orFault(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    return `failed: ${rootCause(error) ?? error.message}`;
  }
}
