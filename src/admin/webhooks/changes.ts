import type { Change, ChangesRead } from '../../ledger';

/** What the stream reports about a write: the id of its subject, if it has one, but not what was written. */
export interface ReportedChange {
  /** `installation_change` if there is no id, so that every `change` has one. */
  readonly event: 'change' | 'installation_change';
  readonly data: { readonly subscriptionId?: string; readonly paymentId?: string };
}

/** The subject whose writes are reported; all writes if no id is given. */
export interface WantedSubject {
  readonly subscriptionId?: string | undefined;
  readonly paymentId?: string | undefined;
  /** The subscription of which `paymentId` is the mandate, as writes about a mandate name only the subscription; null if none. */
  readonly mandateOf: string | null;
}

/** Minimum real ms between two reports of one subject. */
const MIN_INTERVAL = 1_000;
/** Number of audit entry ids before the start that may belong to a transaction which was still under way then. */
const LOOK_BACK = 200;

/**
 * Reports every subject that was written to, at least once, but not more often than once a second. Writes without a subject count as one
 * more subject, which no filter by subject matches.
 */
export class Changes {
  private readonly seen = new Set<number>();
  private readonly sentAt = new Map<string, number>();
  private readonly waiting = new Map<string, ReportedChange>();
  private last: number;
  /** The id after which the audit log must be read: all entries up to it have been seen. */
  after: number;
  /** The next value of `after`. It applies once all transactions that were running when it was noted have ended. */
  private next: { readonly after: number; readonly startedBefore: number } | null = null;

  /** @param end id of the last entry that is not reported */
  constructor(
    private readonly wanted: WantedSubject,
    end: number,
  ) {
    this.last = end;
    this.after = Math.max(0, end - LOOK_BACK);
  }

  /** Marks entries as seen that need not be reported to the reader. */
  skip({ changes }: ChangesRead): void {
    for (const { id } of changes) if (id <= this.last) this.seen.add(id);
  }

  /** Notes the writes that were read, and returns the reports that are due. @param now real time */
  takeDue(read: ChangesRead, now: number): readonly ReportedChange[] {
    const before = this.last;
    for (const change of read.changes) this.note(change);
    this.advance(read, before);
    for (const [key, at] of this.sentAt) if (now - at >= MIN_INTERVAL) this.sentAt.delete(key);
    const due = [...this.waiting].filter(([key]) => !this.sentAt.has(key));
    for (const [key] of due) {
      this.waiting.delete(key);
      this.sentAt.set(key, now);
    }
    return due.map(([, reported]) => reported);
  }

  /** Advances `after`: a transaction that can still write an entry up to `before` has started by now. */
  private advance({ endedBefore, startedBefore }: ChangesRead, before: number): void {
    if (this.next !== null && endedBefore >= this.next.startedBefore) {
      this.after = this.next.after;
      this.next = null;
      for (const old of this.seen) if (old <= this.after) this.seen.delete(old);
    }
    this.next ??= { after: before, startedBefore };
  }

  private note(change: Change): void {
    const { id } = change;
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.last = Math.max(this.last, id);
    if (!isWanted(change, this.wanted)) return;
    const reported = reportOf(change);
    this.waiting.set(JSON.stringify(reported.data), reported);
  }
}

function isWanted(change: Change, { subscriptionId, paymentId, mandateOf }: WantedSubject): boolean {
  if (subscriptionId !== undefined && subscriptionId !== change.subscriptionId) return false;
  if (paymentId === undefined || paymentId === change.paymentId) return true;
  return mandateOf !== null && mandateOf === change.subscriptionId;
}

function reportOf({ subscriptionId, paymentId }: Change): ReportedChange {
  if (subscriptionId !== null) return { event: 'change', data: { subscriptionId } };
  if (paymentId !== null) return { event: 'change', data: { paymentId } };
  return { event: 'installation_change', data: {} };
}
