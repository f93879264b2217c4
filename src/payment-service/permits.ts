import { ARRIVES_WITHIN, type OwnPermits } from '../domain/call-permits';
import { SECOND } from '../domain/time';

/** The share that this process has of the calls. */
export interface CallShare {
  /** Between the arrivals of two calls through the same permit. Real ms. */
  readonly interval: number;
  /** The permits that are this process's now; null where that is not known yet. */
  own(): Pick<OwnPermits, 'permits'> | null;
}

/** What a call leaves with: it is the call's alone until its first byte has left, however long it connects. */
export interface Permit {
  /** The first byte is about to leave. False if it must not: the permit has gone to another process meanwhile. */
  leave(): boolean;
  /** The call that left has been answered: the next one may leave an interval later. */
  answered(): void;
  /** No call leaves with it. Changes nothing once one has left, or it was given back. */
  giveBack(): void;
}

/** One that is kept for a call until it leaves. */
export interface HeldPermit extends Permit {
  /** Whether the call may still leave with it. */
  isValid(): boolean;
}

/** Where it is not known when a call may leave, or that may change. Real ms. */
export const LOOK_AGAIN = SECOND / 5;
/** Of calls that would be evenly apart, those of so long may leave at once. */
const MOST_AT_ONCE = SECOND / 10;
/** The clocks of two machines do not go alike to the ms. */
const CLOCKS_DIFFER_BY = 5;

/** The permits of this process, each of them free, held, or used so lately that it rests. */
export class Permits {
  /** Those that are not free, until when by this process's monotonic clock; held ones for ever. */
  private readonly freeAt = new Map<number, number>();
  /** When the next call would leave if all were evenly apart. */
  private evenly = -Infinity;

  /** @param freed called where it becomes known that one is free sooner: its call left, was answered, or did not leave */
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
    let isHeld = true;
    let unlessAnswered = Infinity;
    const isValid = () => this.own.includes(permit);
    return {
      isValid,
      leave: () => {
        if (!isHeld || !isValid()) return false;
        isHeld = false;
        unlessAnswered = restFrom(performance.now() + ARRIVES_WITHIN);
        freeAt.set(permit, unlessAnswered);
        // It is known now when it will be free.
        this.freed();
        return true;
      },
      answered: () => {
        // Another call may have it by now.
        if (isHeld || freeAt.get(permit) !== unlessAnswered) return;
        freeAt.set(permit, Math.min(unlessAnswered, restFrom(performance.now())));
        this.freed();
      },
      giveBack: () => {
        if (!isHeld) return;
        isHeld = false;
        freeAt.delete(permit);
        this.evenly -= apart;
        this.freed();
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
