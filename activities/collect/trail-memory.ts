import { isBehind, type SignedMark, type TrailMark } from '../../src/domain/audit/event';
import { MINUTE } from '../../src/domain/time';
import { isGenuineMark, noticeRestore, readMarkSecret, signMark } from '../../src/ledger';
import type { Dependencies } from '../dependencies';

type Noticing = Pick<Dependencies, 'ledger' | 'clock' | 'log'>;

/**
 * What one worker has seen of the trail: a ledger that is set back under running processes, by a disk's snapshot that keeps
 * all that PostgreSQL says of itself, has come less far than that.
 */
export class TrailMemory {
  private furthest: TrailMark = { epoch: 0, entry: 0 };
  private secret: Buffer | null = null;
  private forged = 0;
  /** Real time; none was reported yet where it is null. */
  private reportedAt: number | null = null;

  /** The furthest that was seen. */
  get mark(): TrailMark {
    return this.furthest;
  }

  /** The same for a workflow, which brings it back (rule 4). */
  async signed({ ledger }: Noticing): Promise<SignedMark> {
    this.secret ??= await readMarkSecret(ledger);
    return signMark(this.secret, this.furthest);
  }

  /**
   * Works on the ledger, and holds how far it has come against what was known before: answers may come in another order than
   * that in which PostgreSQL looked. Where it has come less far, all sending is halted.
   * @param told what the workflow brings back, perhaps from another worker; ignored where the ledger never signed it
   * @param work answers no mark where it says nothing of it
   * @param readAgain for work that only reads, after all sending was halted: what it had read does not show the halt
   */
  async watch<Found extends { readonly mark: TrailMark | null }>(
    deps: Noticing,
    told: SignedMark | undefined,
    work: () => Promise<Found>,
    readAgain?: () => Promise<Found>,
  ): Promise<Found> {
    const isKnown = told !== undefined && (await this.isGenuine(deps, told));
    const known = isKnown ? further(this.furthest, told) : this.furthest;
    const found = await work();
    if (found.mark === null) return found;
    if (isBehind(found.mark, known)) {
      await notice(deps, found.mark, known);
      return readAgain === undefined ? found : readAgain();
    }
    this.furthest = further(this.furthest, found.mark);
    return found;
  }

  private async isGenuine(deps: Noticing, told: SignedMark): Promise<boolean> {
    this.secret ??= await readMarkSecret(deps.ledger);
    if (isGenuineMark(this.secret, told)) return true;
    this.forged += 1;
    const now = deps.clock.realNow();
    if (this.reportedAt !== null && now - this.reportedAt < MINUTE) return false;
    this.reportedAt = now;
    const seen = { security: 'audit_log_position.not_ours', ignored: this.forged };
    deps.log.warn(seen, 'positions in the audit log that this ledger did not sign were ignored');
    this.forged = 0;
    return false;
  }
}

function further(one: TrailMark, other: TrailMark): TrailMark {
  return isBehind(one, other) ? other : one;
}

async function notice({ ledger, clock, log }: Noticing, shown: TrailMark, known: TrailMark): Promise<void> {
  const seen = `the trail ends at entry ${shown.entry}, and has been seen to reach entry ${known.entry}: the ledger was restored, and lacks what was written last`;
  await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow(), log }, seen);
}
