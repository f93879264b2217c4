import { isBehind, type TrailMark } from '../../src/domain/trail/event';
import { noticeRestore } from '../../src/ledger';
import type { Dependencies } from '../dependencies';

type Noticing = Pick<Dependencies, 'ledger' | 'clock' | 'log'>;

/**
 * What one worker has seen of the trail: a ledger that is set back under running processes, by a disk's snapshot that keeps
 * all that PostgreSQL says of itself, has come less far than that.
 */
export class TrailMemory {
  private furthest: TrailMark = { epoch: 0, entry: 0 };

  /** The furthest that was seen. */
  get mark(): TrailMark {
    return this.furthest;
  }

  /**
   * Works on the ledger, and holds how far it has come against what was known before: answers may come in another order than
   * that in which PostgreSQL looked. Where it has come less far, all sending is halted.
   * @param told what the workflow has heard, perhaps from another worker
   * @param work answers no mark where it says nothing of it
   */
  async watch<Found extends { readonly mark: TrailMark | null }>(
    deps: Noticing,
    told: TrailMark | undefined,
    work: () => Promise<Found>,
  ): Promise<Found> {
    const known = told === undefined ? this.furthest : further(this.furthest, told);
    const found = await work();
    if (found.mark === null) return found;
    if (isBehind(found.mark, known)) await notice(deps, found.mark, known);
    else this.furthest = further(this.furthest, found.mark);
    return found;
  }
}

function further(one: TrailMark, other: TrailMark): TrailMark {
  return isBehind(one, other) ? other : one;
}

async function notice({ ledger, clock, log }: Noticing, shown: TrailMark, known: TrailMark): Promise<void> {
  const seen = `the trail ends at entry ${shown.entry}, and has been seen to reach entry ${known.entry}: the ledger was restored, and lacks what was written last`;
  await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow(), log }, seen);
}
