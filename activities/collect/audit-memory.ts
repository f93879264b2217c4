import { isBehind, type SignedMark, type AuditPosition } from '../../src/domain/audit/event';
import { MINUTE } from '../../src/domain/time';
import { isGenuineMark, noticeRestore, readMarkSecret, signMark } from '../../src/ledger';
import type { Dependencies } from '../dependencies';

type Watching = Pick<Dependencies, 'ledger' | 'clock' | 'log'>;

/**
 * What one worker has seen of the audit log. If a disk snapshot is restored under running processes, PostgreSQL's own identifiers
 * are unchanged, but the audit log ends earlier than this worker has seen.
 */
export class AuditMemory {
  private furthest: AuditPosition = { epoch: 0, entry: 0 };
  private secret: Buffer | null = null;
  private forged = 0;
  /** Real time of the last log line about forged positions; null if there has been none. */
  private reportedAt: number | null = null;

  /** The furthest position seen. */
  get mark(): AuditPosition {
    return this.furthest;
  }

  /** The furthest position seen, signed, for a workflow that passes it on to later activities (rule 4). */
  async signed({ ledger }: Watching): Promise<SignedMark> {
    this.secret ??= await readMarkSecret(ledger);
    return signMark(this.secret, this.furthest);
  }

  /**
   * Runs work on the ledger and compares the audit log's position with the one known before the work started: answers may arrive in
   * another order than PostgreSQL ran the queries. If the log ends earlier than known, all sending is halted.
   * @param claimed the position that the workflow passed in, perhaps from another worker; ignored if the ledger never signed it
   * @param work returns a null mark if it did not read the position
   * @param readAgain for work that only reads: run again after all sending was halted, as the first result does not show the halt
   */
  async watch<Found extends { readonly mark: AuditPosition | null }>(
    deps: Watching,
    claimed: SignedMark | undefined,
    work: () => Promise<Found>,
    readAgain?: () => Promise<Found>,
  ): Promise<Found> {
    const isKnown = claimed !== undefined && (await this.isGenuine(deps, claimed));
    const known = isKnown ? further(this.furthest, claimed) : this.furthest;
    const found = await work();
    if (found.mark === null) return found;
    if (isBehind(found.mark, known)) {
      await reportRestore(deps, found.mark, known);
      return readAgain === undefined ? found : readAgain();
    }
    this.furthest = further(this.furthest, found.mark);
    return found;
  }

  private async isGenuine(deps: Watching, claimed: SignedMark): Promise<boolean> {
    this.secret ??= await readMarkSecret(deps.ledger);
    if (isGenuineMark(this.secret, claimed)) return true;
    this.forged += 1;
    const now = deps.clock.realNow();
    if (this.reportedAt !== null && now - this.reportedAt < MINUTE) return false;
    this.reportedAt = now;
    const seen = { security: 'audit_log_position.not_ours', ignored: this.forged };
    deps.log.warn(seen, 'ignored audit log positions that this ledger did not sign');
    this.forged = 0;
    return false;
  }
}

function further(one: AuditPosition, other: AuditPosition): AuditPosition {
  return isBehind(one, other) ? other : one;
}

async function reportRestore(
  { ledger, clock, log }: Watching,
  shown: AuditPosition,
  known: AuditPosition,
): Promise<void> {
  const seen = `the audit log ends at entry ${shown.entry} but has been seen at entry ${known.entry}: the ledger was restored and lacks its latest entries`;
  await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow(), log }, seen);
}
