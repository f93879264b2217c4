import { ARRIVES_WITHIN, type OwnPermits } from '../domain/call-permits';
import { SECOND } from '../domain/time';

/** This process's share of the calls. */
export interface CallShare {
  /** Minimum real ms between the arrivals of two calls with the same permit. */
  readonly interval: number;
  /** The permits that this process has now; null if that is not known yet. */
  own(): Pick<OwnPermits, 'permits'> | null;
}

/** Permission for one call: no other call gets this permit until the first byte is sent, however long connecting takes. */
export interface Permit {
  /** The first byte is about to be sent. False if it must not be: the permit has gone to another process meanwhile. */
  leave(): boolean;
  /** The call was answered: the next call with this permit may be sent an interval later. */
  answered(): void;
  /** Returns it unused. Has no effect once it was used or given back. */
  giveBack(): void;
}

/** A permit that is held for a call until it is sent. */
export interface HeldPermit extends Permit {
  /** Whether the call may still use it. */
  isValid(): boolean;
}

/** Real ms until the next check, if the time at which a call may be sent is unknown or may change. */
export const RECHECK_AFTER = SECOND / 5;
/** Calls are spaced evenly, but those due within this time may be sent at once. Real ms. */
const BURST = SECOND / 10;
/** Added to each interval, because this process and the service measure it by different clocks. Real ms. */
const CLOCK_SKEW = 5;

/** The permits of this process, each of them free, held, or used too recently. */
export class Permits {
  /** When each permit that is not free will be, by this process's monotonic clock; Infinity while it is held. */
  private readonly freeAt = new Map<number, number>();
  /** When the next call would be sent if all were spaced evenly. */
  private evenly = -Infinity;

  /** @param freed called when it becomes known that a permit is free sooner: its call was sent, answered, or not sent */
  constructor(
    private readonly share: CallShare,
    private readonly freed: () => void,
  ) {}

  /** Calls per second. */
  get perSecond(): number {
    return (this.own.length * SECOND) / this.share.interval;
  }

  /** Real ms after which to check again if none could be held. */
  get nextIn(): number {
    const free = Math.min(...this.own.map((permit) => this.freeAt.get(permit) ?? -Infinity));
    return Math.min(Math.max(free, this.evenly - BURST) - performance.now(), RECHECK_AFTER);
  }

  /** A permit for the next call; null if none is free yet. */
  hold(): HeldPermit | null {
    const { share, freeAt, own } = this;
    const permit = this.freeOf(own);
    if (permit === undefined || performance.now() < this.evenly - BURST) return null;
    const apart = share.interval / own.length;
    this.evenly = Math.max(this.evenly, performance.now()) + apart;
    freeAt.set(permit, Infinity);
    const restFrom = (arrived: number) => arrived + share.interval + CLOCK_SKEW;
    let isHeld = true;
    let freeUnlessAnswered = Infinity;
    const isValid = () => this.own.includes(permit);
    return {
      isValid,
      leave: () => {
        if (!isHeld || !isValid()) return false;
        isHeld = false;
        freeUnlessAnswered = restFrom(performance.now() + ARRIVES_WITHIN);
        freeAt.set(permit, freeUnlessAnswered);
        // From now on it is known when the permit will be free.
        this.freed();
        return true;
      },
      answered: () => {
        // Another call may hold it by now.
        if (isHeld || freeAt.get(permit) !== freeUnlessAnswered) return;
        freeAt.set(permit, Math.min(freeUnlessAnswered, restFrom(performance.now())));
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
