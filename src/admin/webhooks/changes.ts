import type { Change } from '../../ledger';

/** What the stream reports about a write: the id of its subject, if it has one, but not what was written. */
export interface ReportedChange {
  /** A separate event if there is no id, so that every `change` has one. */
  readonly event: 'change' | 'installation_change';
  readonly data: { readonly subscriptionId?: string; readonly paymentId?: string };
}

/** The subject whose writes are reported; all writes if no id is given. */
export interface WantedSubject {
  readonly subscriptionId?: string | undefined;
  readonly paymentId?: string | undefined;
  /** The subscription that the payment is the mandate of, because its writes name only the subscription; null if none. */
  readonly mandateOf: string | null;
}

/** Minimum real ms between two reports of one subject. */
const MIN_INTERVAL = 1_000;
/** Number of audit entry ids that are read again, because a transaction may commit late. */
const LOOK_BACK = 200;

/**
 * Reports each subject that was written to at least once, and at most once a second. Writes without a subject count as one
 * more subject, which no filter by subject matches.
 */
export class Changes {
  private readonly seen = new Set<number>();
  private readonly sentAt = new Map<string, number>();
  private readonly waiting = new Map<string, ReportedChange>();
  private last: number;

  constructor(
    private readonly wanted: WantedSubject,
    private readonly start: number,
  ) {
    this.last = start;
  }

  /** The id after which the audit log must be read. */
  get after(): number {
    return Math.max(this.start, this.last - LOOK_BACK);
  }

  /** @param now real time */
  takeDue(read: readonly Change[], now: number): readonly ReportedChange[] {
    for (const change of read) this.note(change);
    for (const [key, at] of this.sentAt) if (now - at >= MIN_INTERVAL) this.sentAt.delete(key);
    const due = [...this.waiting].filter(([key]) => !this.sentAt.has(key));
    for (const [key] of due) {
      this.waiting.delete(key);
      this.sentAt.set(key, now);
    }
    return due.map(([, reported]) => reported);
  }

  private note(change: Change): void {
    const { id } = change;
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.last = Math.max(this.last, id);
    for (const old of this.seen) if (old <= this.last - LOOK_BACK) this.seen.delete(old);
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
