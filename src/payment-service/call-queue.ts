/** Who goes first where calls are capped: people and payers wait for nobody's collecting, and the daily work for all. */
export const PRIORITIES = ['people', 'collecting', 'daily_work'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Something that waits until a call may leave. */
export interface Waiting {
  /** `under_way`: a turn that has begun. What was begun is ended before anything else begins. */
  readonly rank: Priority | 'under_way';
  /** Calls that it will make one after the other, the next one among them. */
  readonly calls: number;
  /** The call may leave until then. */
  grant(until: number): void;
  /** It will not leave. */
  refuse(): void;
}

const RANKS = ['under_way', ...PRIORITIES] as const;

/** What waits, in the order in which it goes: by rank, then whoever came first; of turns under way, who has least left. */
export class CallQueue {
  private waiting: readonly Waiting[] = [];

  get length(): number {
    return this.waiting.length;
  }

  add(waiting: Waiting): void {
    const place = this.waiting.findLastIndex((each) => !goesBefore(waiting, each)) + 1;
    this.waiting = this.waiting.toSpliced(place, 0, waiting);
  }

  remove(waiting: Waiting): void {
    this.waiting = this.waiting.filter((each) => each !== waiting);
  }

  /**
   * Takes out whatever goes next.
   * @param room for calls of turns that are still to be begun
   */
  next(room: number): Waiting | null {
    const next = this.waiting.find(({ rank, calls }) => rank === 'under_way' || calls === 1 || calls <= room) ?? null;
    if (next !== null) this.remove(next);
    return next;
  }

  /** Takes out all that have not begun. */
  takeWaiting(): readonly Waiting[] {
    const taken = this.waiting.filter(({ rank }) => rank !== 'under_way');
    this.waiting = this.waiting.filter(({ rank }) => rank === 'under_way');
    return taken;
  }
}

function goesBefore(one: Waiting, other: Waiting): boolean {
  if (one.rank !== other.rank) return RANKS.indexOf(one.rank) < RANKS.indexOf(other.rank);
  return one.rank === 'under_way' && one.calls < other.calls;
}
