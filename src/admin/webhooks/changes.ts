import type { Change } from '../../ledger';

/** What the stream says of a write: the id of its subject, where it has one, and nothing of what was written. */
export interface ToldChange {
  /** By an event of its own where there is no id: whoever listens for `change` finds one in each. */
  readonly event: 'change' | 'installation_change';
  readonly data: { readonly subscriptionId?: string; readonly paymentId?: string };
}

/** Whose writes are reported; those of all where nothing is named. */
export interface WantedSubject {
  readonly subscriptionId?: string | undefined;
  readonly paymentId?: string | undefined;
  /** Whose mandate the payment is: its writes name the subscription alone. Null where it is of none. */
  readonly mandateOf: string | null;
}

/** Real ms between two words of one subject. */
const AT_MOST_EVERY = 1_000;
/** Ids of the trail that are looked at again, as a transaction may commit late. */
const LOOK_BACK = 200;

/**
 * Reports each subject of which something was written, at most once a second, and at least once. Writes that have no
 * subject count as those of one more, which no filter by a subject lets through.
 */
export class Changes {
  private readonly seen = new Set<number>();
  private readonly sentAt = new Map<string, number>();
  private readonly waiting = new Map<string, ToldChange>();
  private last: number;

  constructor(
    private readonly wanted: WantedSubject,
    private readonly begin: number,
  ) {
    this.last = begin;
  }

  /** Behind which id the trail is to be read. */
  get after(): number {
    return Math.max(this.begin, this.last - LOOK_BACK);
  }

  /** @param now real time */
  takeDue(read: readonly Change[], now: number): readonly ToldChange[] {
    for (const change of read) this.note(change);
    for (const [key, at] of this.sentAt) if (now - at >= AT_MOST_EVERY) this.sentAt.delete(key);
    const due = [...this.waiting].filter(([key]) => !this.sentAt.has(key));
    for (const [key] of due) {
      this.waiting.delete(key);
      this.sentAt.set(key, now);
    }
    return due.map(([, told]) => told);
  }

  private note(change: Change): void {
    const { id } = change;
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.last = Math.max(this.last, id);
    for (const old of this.seen) if (old <= this.last - LOOK_BACK) this.seen.delete(old);
    if (!isWanted(change, this.wanted)) return;
    const told = toldOf(change);
    this.waiting.set(JSON.stringify(told.data), told);
  }
}

function isWanted(change: Change, { subscriptionId, paymentId, mandateOf }: WantedSubject): boolean {
  if (subscriptionId !== undefined && subscriptionId !== change.subscriptionId) return false;
  if (paymentId === undefined || paymentId === change.paymentId) return true;
  return mandateOf !== null && mandateOf === change.subscriptionId;
}

function toldOf({ subscriptionId, paymentId }: Change): ToldChange {
  if (subscriptionId !== null) return { event: 'change', data: { subscriptionId } };
  if (paymentId !== null) return { event: 'change', data: { paymentId } };
  return { event: 'installation_change', data: {} };
}
