import { isBehind, type TrailMark } from '../../src/domain/trail/event';
import { noticeRestore } from '../../src/ledger';
import type { Dependencies } from '../dependencies';

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
   * Holds what the ledger shows now against what is known; where it has come less far, all sending is halted.
   * @param told what the workflow has heard, perhaps from another worker
   */
  async compare(deps: Dependencies, shown: TrailMark, told: TrailMark | undefined): Promise<void> {
    const known = told !== undefined && isBehind(this.furthest, told) ? told : this.furthest;
    if (!isBehind(shown, known)) {
      this.furthest = shown;
      return;
    }
    const { ledger, clock, log } = deps;
    const seen = `the trail ends at entry ${shown.entry}, and has been seen to reach entry ${known.entry}: the ledger was restored, and lacks what was written last`;
    const reason = await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow() }, seen);
    if (reason !== null) log.error({ reason }, 'all sending is halted: the ledger was restored');
  }
}
