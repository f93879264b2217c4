import type { OrphanPage, OrphanPageInput } from '../../src/contract/housekeeping';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { MINUTE } from '../../src/domain/time';
import {
  endSettledWaits,
  endUnrecordableItems,
  type LiveSubject,
  queueOrphan,
  readLive,
  readMarkedAtEnd,
  recordLookFinished,
  unmarkOrphaned,
} from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import { type LongRun, readProgress } from './long-run';

/** A row younger than this may be on its way to its workflow. Real time. */
const SETTLED_AFTER = 2 * MINUTE;
/** Temporal is asked for so many at once. */
const AT_ONCE = 20;
const MOST_LOOKED_AT = 5_000;

/**
 * Describes the workflow of everything that is not over, by the ledger's own list, which lags behind nothing (rule 30).
 * What has none is restarted soon, by whichever API runs; one that an operator has to restart, and that runs again, is
 * unmarked.
 */
export async function lookForOrphans(
  deps: Dependencies,
  { after }: OrphanPageInput,
  { resumed, progress }: LongRun,
): Promise<OrphanPage> {
  let page = readProgress<OrphanPage>(resumed, 'looked') ?? { looked: 0, orphaned: 0, after };
  const before = deps.clock.realNow() - SETTLED_AFTER;
  while (page.looked < MOST_LOOKED_AT) {
    progress('orphans', { ...page });
    const found = await readLive(deps.ledger, page.after ?? '', before, AT_ONCE);
    const last = found.at(-1);
    if (last === undefined) {
      await unmarkAtEnd(deps);
      await endSettledWaits(deps.ledger);
      await recordLookFinished(deps.ledger, 'workflows', deps.clock.now());
      return { ...page, after: null };
    }
    const orphaned = await lookAtEach(deps, found);
    page = {
      ...page,
      looked: page.looked + found.length,
      orphaned: page.orphaned + orphaned.filter(Boolean).length,
      after: last.place,
    };
  }
  return page;
}

/** @returns of each whether it is an orphan; one that the ledger refuses to mark is found again the next day. */
async function lookAtEach(deps: Dependencies, found: readonly LiveSubject[]): Promise<readonly boolean[]> {
  const written: string[] = [];
  const orphaned = found.map((subject) =>
    passingOver(
      deps,
      refusedOf(subject),
      async () => {
        const isOrphan = await look(deps, subject);
        written.push(subject.id);
        return isOrphan;
      },
      () => true,
    ),
  );
  const all = await Promise.all(orphaned);
  await endUnrecordableItems(deps.ledger, ACTIVITY, written);
  return all;
}

const ACTIVITY = 'lookForOrphans';

function refusedOf({ kind, id }: Pick<LiveSubject, 'kind' | 'id'>) {
  const about = kind === 'subscription' ? { subscriptionId: id as SubscriptionId } : { paymentId: id as PaymentId };
  return { activity: ACTIVITY, id, about };
}

/** What has come to its end needs no workflow any more. */
async function unmarkAtEnd(deps: Dependencies): Promise<void> {
  const { ledger, clock } = deps;
  for (const marked of await readMarkedAtEnd(ledger)) {
    const unmark = () => unmarkOrphaned(ledger, marked, clock.now());
    await passingOver<unknown>(deps, refusedOf(marked), unmark, () => undefined);
  }
}

/** Whether it is an orphan. */
async function look(deps: Dependencies, subject: LiveSubject): Promise<boolean> {
  if (await deps.workflows.isRunning(subject.workflowId)) {
    if (subject.isMarked) await unmarkOrphaned(deps.ledger, subject, deps.clock.now());
    return false;
  }
  if (subject.isMarked) return false;
  const { kind, id, workflowId } = subject;
  const found = await queueOrphan(deps.ledger, subject, deps.clock.now());
  if (found === 'queued') deps.log.warn({ kind, id, workflowId }, 'no workflow runs for it, though it is not final');
  if (found === 'left')
    deps.log.error({ kind, id, workflowId }, 'its workflow ended again after three restarts within a day: restart it');
  return found !== 'final';
}
