import type { DailyInput } from '../../src/contract/housekeeping';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import {
  closeItemsOfFinalOrders,
  endUnrecordableItems,
  type LiveSubject,
  queueOrphan,
  readLive,
  readMarkedAtEnd,
  recordCheckFinished,
  unmarkOrphaned,
} from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';
import { type LongRun, readProgress } from './long-run';

/** The workflow of a row has started by this age. Real time. */
const STARTED_AFTER = 2 * MINUTE;
/** Concurrent requests to Temporal. */
const BATCH_SIZE = 20;
const MAX_PER_PAGE = 5_000;

export interface OrphanPage {
  readonly checked: number;
  /** Subjects newly found without a workflow. They are restarted, or left to an operator after three restarts within a day. */
  readonly orphaned: number;
  /** Subjects after this position are still to be checked; null if none is left. */
  readonly after: string | null;
}

/**
 * Checks the workflow of every subscription and payment that is not final, using the ledger's own list, which never lags (rule
 * 30). Those without a workflow are restarted soon, by any API process; a subject that was marked for an operator to restart but runs
 * again is unmarked.
 */
export async function findOrphans(
  deps: Dependencies,
  { after }: DailyInput<'workflows'>,
  { resumed, progress }: LongRun,
): Promise<OrphanPage> {
  let page = readProgress<OrphanPage>(resumed, 'checked') ?? { checked: 0, orphaned: 0, after };
  const before = deps.clock.realNow() - STARTED_AFTER;
  while (page.checked < MAX_PER_PAGE) {
    progress('orphans', { ...page });
    const found = await readLive(deps.ledger, page.after ?? '', before, BATCH_SIZE);
    const last = found.at(-1);
    if (last === undefined) {
      await unmarkAtEnd(deps);
      // Once a day, for items that the outcome itself did not close.
      await closeItemsOfFinalOrders(deps.ledger);
      await recordCheckFinished(deps.ledger, 'workflows', deps.clock.now());
      return { ...page, after: null };
    }
    const orphaned = await checkEach(deps, found);
    page = {
      ...page,
      checked: page.checked + found.length,
      orphaned: page.orphaned + orphaned.filter(Boolean).length,
      after: last.position,
    };
  }
  return page;
}

/** @returns for each subject whether it is a newly found orphan; an orphan that the ledger refuses to mark is found again the next day */
async function checkEach(deps: Dependencies, found: readonly LiveSubject[]): Promise<readonly boolean[]> {
  const written: string[] = [];
  const orphaned = found.map((subject) =>
    skipIfRefused(
      deps,
      refusedOf(subject),
      async () => {
        const isOrphan = await checkSubject(deps, subject);
        written.push(subject.id);
        return isOrphan;
      },
      // Only a subject that is not marked yet is queued; for a marked one, removing the mark was refused.
      () => !subject.isMarked,
    ),
  );
  const all = await Promise.all(orphaned);
  await endUnrecordableItems(deps.ledger, ACTIVITY, written);
  return all;
}

const ACTIVITY = 'findOrphans';

function refusedOf({ kind, id }: Pick<LiveSubject, 'kind' | 'id'>) {
  const about = kind === 'subscription' ? { subscriptionId: id as SubscriptionId } : { paymentId: id as PaymentId };
  return { activity: ACTIVITY, id, about };
}

/** Unmarks the subjects that have ended, which need no workflow. */
async function unmarkAtEnd(deps: Dependencies): Promise<void> {
  const { ledger, clock } = deps;
  for (const marked of await readMarkedAtEnd(ledger)) {
    const unmark = () => unmarkOrphaned(ledger, marked, clock.now());
    await skipIfRefused<unknown>(deps, refusedOf(marked), unmark, () => undefined);
  }
}

/**
 * Unmarks a subject whose workflow runs again; queues one without a workflow for a restart.
 * @returns whether it is a newly found orphan
 */
async function checkSubject(deps: Dependencies, subject: LiveSubject): Promise<boolean> {
  if (await deps.workflows.isRunning(subject.workflowId)) {
    if (subject.isMarked) await unmarkOrphaned(deps.ledger, subject, deps.clock.now());
    return false;
  }
  if (subject.isMarked) return false;
  const { kind, id, workflowId } = subject;
  const result = await queueOrphan(deps.ledger, subject, deps.clock.now());
  if (result === 'queued')
    deps.log.warn(
      { kind, id, workflowId },
      'a subscription or payment that has not ended has no running workflow: it will be restarted',
    );
  if (result === 'left_to_operator')
    deps.log.error(
      { kind, id, workflowId },
      'a workflow ended again after three restarts within a day: an operator must restart it',
    );
  return result !== 'nothing_to_do';
}
