import { ARRIVES_WITHIN, type OwnPermits } from '../domain/call-permits';
import { SECOND } from '../domain/time';

/** The share that this process has of the calls. */
export interface CallShare {
  /** Between the arrivals of two calls through the same permit. Real ms. */
  readonly interval: number;
  /** The permits that are this process's now; null where that is not known yet. */
  own(): Pick<OwnPermits, 'permits'> | null;
}

/** What a call leaves with. */
export interface Permit {
  /** Whether it is not too late to leave with it. */
  isFresh(): boolean;
  /** The call has been answered, or never left: the next one may leave an interval later. */
  answered(): void;
}

/** One that is kept for a call until it leaves. */
export interface HeldPermit extends Permit {
  /** Whether the call may still leave with it. */
  isValid(): boolean;
  leave(): void;
  /** No call leaves with it. */
  giveBack(): void;
}

/** Where it is not known when a call may leave, or that may change. Real ms. */
export const LOOK_AGAIN = SECOND / 5;
/** Of calls that would be evenly apart, those of so long may leave at once. */
const MOST_AT_ONCE = SECOND / 10;
/** What is to leave at once leaves within so long. */
const LEAVES_WITHIN = SECOND / 20;
/** The clocks of two machines do not go alike to the ms. */
const CLOCKS_DIFFER_BY = 5;

/** The permits of this process, each of them free, held, or used so lately that it rests. */
export class Permits {
  /** Those that are not free, until when by this process's monotonic clock; held ones for ever. */
  private readonly freeAt = new Map<number, number>();
  /** When the next call would leave if all were evenly apart. */
  private evenly = -Infinity;

  /** @param freed called where one is free sooner than it seemed, as its call was answered */
  constructor(
    private readonly share: CallShare,
    private readonly freed: () => void,
  ) {}

  /** Calls a second. */
  get perSecond(): number {
    return (this.own.length * SECOND) / this.share.interval;
  }

  /** Real ms after which it is worth to look again where none could be held. */
  get nextIn(): number {
    const free = Math.min(...this.own.map((permit) => this.freeAt.get(permit) ?? -Infinity));
    return Math.min(Math.max(free, this.evenly - MOST_AT_ONCE) - performance.now(), LOOK_AGAIN);
  }

  /** One for the next call; null where none is free yet. */
  hold(): HeldPermit | null {
    const { share, freeAt, own } = this;
    const permit = this.freeOf(own);
    if (permit === undefined || performance.now() < this.evenly - MOST_AT_ONCE) return null;
    const apart = share.interval / own.length;
    this.evenly = Math.max(this.evenly, performance.now()) + apart;
    freeAt.set(permit, Infinity);
    const restFrom = (arrived: number) => arrived + share.interval + CLOCKS_DIFFER_BY;
    let left = NaN;
    let unlessAnswered = Infinity;
    return {
      isValid: () => this.own.includes(permit),
      isFresh: () => performance.now() < left + LEAVES_WITHIN,
      leave: () => {
        left = performance.now();
        unlessAnswered = restFrom(left + ARRIVES_WITHIN);
        freeAt.set(permit, unlessAnswered);
      },
      answered: () => {
        // Another call may have it by now.
        if (freeAt.get(permit) !== unlessAnswered) return;
        freeAt.set(permit, Math.min(unlessAnswered, restFrom(performance.now())));
        this.freed();
      },
      giveBack: () => {
        freeAt.delete(permit);
        this.evenly -= apart;
      },
    };
  }

  private get own(): readonly number[] {
    return this.share.own()?.permits ?? [];
  }

  private freeOf(own: readonly number[]): number | undefined {
    const now = performance.now();
    for (const [permit, at] of this.freeAt) if (at <= now) this.freeAt.delete(permit);
    return own.find((permit) => !this.freeAt.has(permit));
  }
}
