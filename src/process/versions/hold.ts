import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../domain/time';
import { heldRuns, hold, movedBy, unpin, type VersionAccess, type WorkflowRun } from '../../temporal';
import { replayRuns, type Replaying } from './replay';

/**
 * What is needed to hold workflows back. A rollback pins the workflows that the restored release cannot replay: they
 * stay at the release that last completed a task of theirs. A promotion releases them.
 */
export interface Holding {
  readonly access: VersionAccess;
  /** Replays with the code of this release. */
  readonly replaying: Replaying;
}

/** Real ms until Temporal lists the workflows of which a worker has just completed a task. */
const LISTED_AFTER = 2 * SECOND;

/**
 * Pins the workflows that this release cannot replay to the current release; all others will continue here. They are
 * pinned before this release becomes current: otherwise they would fail here and make no progress for a while.
 * @param left the build that is current
 * @param leave makes this release current. Workflows on which the build `left` still worked meanwhile are checked and
 * held afterwards
 * @param report is called for each held workflow, with the reason
 */
export async function holdBack(
  { access, replaying }: Holding,
  left: string,
  leave: () => Promise<void>,
  report: (run: WorkflowRun, fault: string) => void,
): Promise<void> {
  const held = new Set<string>();
  const holdNew = async (seen: Set<string>) => {
    const before = seen.size;
    for await (const { fault, ...run } of replayRuns(replaying, unseen(movedBy(access, left), seen))) {
      if (fault === null) continue;
      await hold(access, run, left);
      held.add(run.runId);
      report(run, fault);
    }
    return seen.size > before;
  };
  await holdNew(new Set());
  await leave();
  // A workflow that could be replayed before may have taken a new path since.
  const seen = new Set(held);
  do await pause(LISTED_AFTER);
  while (await holdNew(seen));
}

async function* unseen(runs: AsyncIterable<WorkflowRun>, seen: Set<string>): AsyncGenerator<WorkflowRun> {
  for await (const run of runs) {
    if (seen.has(run.runId)) continue;
    seen.add(run.runId);
    yield run;
  }
}

/**
 * Releases workflows that are held at another release, if this one can replay them.
 * @returns how many continue here, and how many stay held
 */
export async function releaseHeld({
  access,
  replaying,
}: Holding): Promise<{ readonly released: number; readonly held: number }> {
  const counts = { released: 0, held: 0 };
  for await (const { fault, ...run } of replayRuns(replaying, heldRuns(access))) {
    counts[fault === null ? 'released' : 'held'] += 1;
    if (fault === null) await unpin(access, run);
  }
  return counts;
}
