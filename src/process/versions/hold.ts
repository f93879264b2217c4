import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../domain/time';
import { heldRuns, hold, letGo, movedBy, type VersionAccess, type WorkflowRun } from '../../temporal';
import { replayRuns, type Replaying } from './replay';

/** What a release that is taken back, or comes back, does with what has gone a new way in another one. */
export interface Holding {
  readonly access: VersionAccess;
  /** By the code of this release. */
  readonly replaying: Replaying;
}

/** Real ms until Temporal lists what a worker was about to move. */
const LISTED_AFTER = 2 * SECOND;

/**
 * Holds at the release that is left what that one has moved so far that this one does not repeat; all else will go on here. It is
 * held before this one is current: a workflow that it had failed to move would go on nowhere for a while.
 * @param left the build that is current
 * @param leave makes this one current; what the other one has moved by then is held after it
 * @param tell hears of each that is held, with the reason
 */
export async function holdBack(
  { access, replaying }: Holding,
  left: string,
  leave: () => Promise<void>,
  tell: (run: WorkflowRun, fault: string) => void,
): Promise<void> {
  const held = new Set<string>();
  const holdNew = async (seen: Set<string>) => {
    const before = seen.size;
    for await (const { fault, ...run } of replayRuns(replaying, unseen(movedBy(access, left), seen))) {
      if (fault === null) continue;
      await hold(access, run, left);
      held.add(run.runId);
      tell(run, fault);
    }
    return seen.size > before;
  };
  await holdNew(new Set());
  await leave();
  // What was repeated before may have gone a new way since.
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
 * Lets what is held elsewhere go on in this release, as far as it repeats it.
 * @returns how many go on here, and how many stay
 */
export async function letHeldGo({
  access,
  replaying,
}: Holding): Promise<{ readonly gone: number; readonly held: number }> {
  const counts = { gone: 0, held: 0 };
  for await (const { fault, ...run } of replayRuns(replaying, heldRuns(access))) {
    counts[fault === null ? 'gone' : 'held'] += 1;
    if (fault === null) await letGo(access, run);
  }
  return counts;
}
