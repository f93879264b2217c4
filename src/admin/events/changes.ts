import type { Change, FeedFilter } from '../../ledger';

/** The id of what was written to, and nothing of what. */
export type ChangedSubject = { readonly subscriptionId: string } | { readonly paymentId: string };

/** Real ms between two words of one subject. */
const AT_MOST_EVERY = 1_000;
/** Ids of the trail that are looked at again, as a transaction may commit late. */
const LOOK_BACK = 200;

/** Reports each subject of which something was written, at most once a second, and at least once. */
export class Changes {
  private readonly seen = new Set<number>();
  private readonly sentAt = new Map<string, number>();
  private readonly waiting = new Map<string, ChangedSubject>();
  private last: number;

  constructor(
    private readonly filter: FeedFilter,
    private readonly begin: number,
  ) {
    this.last = begin;
  }

  /** Behind which id the trail is to be read. */
  get after(): number {
    return Math.max(this.begin, this.last - LOOK_BACK);
  }

  /** @param now real time */
  takeDue(read: readonly Change[], now: number): readonly ChangedSubject[] {
    for (const change of read) this.note(change);
    for (const [key, at] of this.sentAt) if (now - at >= AT_MOST_EVERY) this.sentAt.delete(key);
    const due = [...this.waiting].filter(([key]) => !this.sentAt.has(key));
    for (const [key] of due) {
      this.waiting.delete(key);
      this.sentAt.set(key, now);
    }
    return due.map(([, subject]) => subject);
  }

  private note({ id, subscriptionId, paymentId }: Change): void {
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.last = Math.max(this.last, id);
    for (const old of this.seen) if (old <= this.last - LOOK_BACK) this.seen.delete(old);
    const { subscriptionId: wanted, paymentId: wantedPayment } = this.filter;
    if (wanted !== undefined && wanted !== subscriptionId) return;
    if (wantedPayment !== undefined && wantedPayment !== paymentId) return;
    if (subscriptionId !== null) this.waiting.set(`subscription/${subscriptionId}`, { subscriptionId });
    else if (paymentId !== null) this.waiting.set(`payment/${paymentId}`, { paymentId });
  }
}
