import { AsyncLocalStorage } from 'node:async_hooks';
import { SECOND } from '../domain/time';
import type { ExchangeOutcome, HttpExchange, WireRequest } from './http-exchange';
import { type CallShare, type HeldPermit, RECHECK_AFTER, type Permit, Permits } from './permits';

/** Priorities if calls are capped: calls that operators and payers wait for, then collecting, then the daily work. */
export const PRIORITIES = ['interactive', 'collecting', 'daily_work'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A caller that waits until a call may be sent. */
export interface Waiting {
  /** `reserved`: a reservation that has started. Its calls go before those of all callers that have not started. */
  readonly rank: Priority | 'reserved';
  /** Consecutive calls that it will make, including the next one. */
  readonly calls: number;
  /** The call may be sent. */
  grant(permit: HeldPermit): void;
  /** The call will not be sent. */
  refuse(): void;
}

const RANKS = ['reserved', ...PRIORITIES] as const;

/**
 * The waiting callers in the order in which they are served: by rank, then by arrival; among started reservations,
 * those with the fewest remaining calls first.
 */
export class CallQueue {
  private waiting: readonly Waiting[] = [];

  get length(): number {
    return this.waiting.length;
  }

  add(waiting: Waiting): void {
    const position = this.waiting.findLastIndex((each) => !goesBefore(waiting, each)) + 1;
    this.waiting = this.waiting.toSpliced(position, 0, waiting);
  }

  remove(waiting: Waiting): void {
    this.waiting = this.waiting.filter((each) => each !== waiting);
  }

  /**
   * The caller to serve next.
   * @param room how many more calls may be reserved by starting another reservation
   */
  next(room: number): Waiting | null {
    return this.waiting.find(({ rank, calls }) => rank === 'reserved' || calls === 1 || calls <= room) ?? null;
  }

  /** Removes and returns all callers except started reservations. */
  takeWaiting(): readonly Waiting[] {
    const taken = this.waiting.filter(({ rank }) => rank !== 'reserved');
    this.waiting = this.waiting.filter(({ rank }) => rank === 'reserved');
    return taken;
  }
}

function goesBefore(one: Waiting, other: Waiting): boolean {
  if (one.rank !== other.rank) return RANKS.indexOf(one.rank) < RANKS.indexOf(other.rank);
  return one.rank === 'reserved' && one.calls < other.calls;
}

/**
 * Calls take the priority, or the reservation, of the work in which they are made: the activity sets it, and its calls need not
 * pass it.
 */
export class WorkPermits {
  private readonly current = new AsyncLocalStorage<{
    readonly priority: Priority;
    readonly reservation: Reservation | null;
  }>();

  constructor(private readonly rate: CallRate) {}

  /** Calls without a priority count as `interactive`. */
  private get priority(): Priority {
    return this.current.getStore()?.priority ?? 'interactive';
  }

  as<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
    return this.current.run({ priority, reservation: null }, work);
  }

  async withReservation<T>(
    calls: number,
    work: (reservation: Reservation) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | null> {
    const { priority } = this;
    const reservation = await this.rate.reserve(priority, calls, signal);
    if (reservation === null) return null;
    try {
      return await this.current.run({ priority, reservation }, () => work(reservation));
    } finally {
      reservation.end();
    }
  }

  /** Resolves when the next call of the current work may be made; null if it no longer may. */
  take(): Promise<Permit | null> {
    return this.current.getStore()?.reservation?.take() ?? this.rate.take(this.priority);
  }

  /** Resolves when the token request, for which all calls wait, may be made; null if it no longer may. */
  takeForToken(): Promise<Permit | null> {
    return this.rate.take('interactive');
  }
}

/** Consecutive calls: once the first may be made, the others go before all calls of callers that have not started. */
export interface Reservation {
  /** Waits until the next call may be made. */
  ready(): Promise<void>;
  /** Resolves when the next call may be made; at once if {@link ready} has just resolved. */
  take(): Promise<Permit>;
  /** Gives back the calls that were not made, so that others can make theirs. */
  end(): void;
}

/** Delays calls so that all processes together stay within the cap per second. Each permit is used or given back. */
export interface CallRate {
  /** Resolves when a call may be made; null if it no longer may. */
  take(priority: Priority): Promise<Permit | null>;
  /** Resolves when the first of this many calls may be sent; null if it no longer may, or the signal aborts. */
  reserve(priority: Priority, calls: number, signal?: AbortSignal): Promise<Reservation | null>;
  /** Starts nothing more; reservations in progress are completed. */
  close(): void;
}

/** Sends the request with its permit, which counts from the first byte and is given back if none is sent. */
export async function sendWith(permit: Permit, exchange: HttpExchange, request: WireRequest): Promise<ExchangeOutcome> {
  try {
    const outcome = await exchange.send({ ...request, usePermit: () => permit.leave() });
    if (outcome.kind === 'answered') permit.answered();
    return outcome;
  } finally {
    permit.giveBack();
  }
}

const FREE: Permit = { leave: () => true, answered: () => undefined, giveBack: () => undefined };

/** Delays nothing. */
export const UNLIMITED: CallRate = {
  take: () => Promise.resolve(FREE),
  reserve: () =>
    Promise.resolve({ ready: () => Promise.resolve(), take: () => Promise.resolve(FREE), end: () => undefined }),
  close: () => undefined,
};

/** Limits started reservations to the calls that this process can make in this time: no reservation waits longer for its last call. */
const MAX_RESERVED_TIME = 5 * SECOND;

export function createCallRate(share: CallShare): CallRate {
  const queue = new CallQueue();
  const permits = new Permits(share, serve);
  let reserved = 0;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function serve(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (queue.length > 0) {
      const waiting = queue.next(room());
      const permit = waiting === null ? null : permits.hold();
      if (waiting === null || permit === null) {
        timer = setTimeout(serve, waiting === null ? RECHECK_AFTER : Math.ceil(permits.nextIn));
        return;
      }
      queue.remove(waiting);
      waiting.grant(permit);
    }
  }

  function room(): number {
    return reserved === 0 ? Infinity : (permits.perSecond * MAX_RESERVED_TIME) / SECOND - reserved;
  }

  function wait(rank: Waiting['rank'], calls: number, signal?: AbortSignal): Promise<HeldPermit | null> {
    return new Promise((resolve) => {
      const settle = (permit: HeldPermit | null) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(permit);
      };
      const waiting: Waiting = { rank, calls, grant: settle, refuse: () => settle(null) };
      const giveUp = () => {
        queue.remove(waiting);
        settle(null);
      };
      if (signal?.aborted === true || (isClosed && rank !== 'reserved')) {
        resolve(null);
        return;
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(waiting);
      serve();
    });
  }

  function startReservation(calls: number, first: HeldPermit): Reservation {
    let left = calls;
    let held: HeldPermit | null = first;
    reserved += calls;
    const ready = async () => {
      if (held?.isValid() === true) return held;
      held?.giveBack();
      held = null;
      const next = await wait('reserved', Math.max(1, left));
      if (next === null) throw new Error('a started reservation was refused a call');
      held = next;
      return next;
    };
    return {
      ready: async () => void (await ready()),
      async take() {
        const permit = await ready();
        held = null;
        if (left > 0) [left, reserved] = [left - 1, reserved - 1];
        return permit;
      },
      end() {
        reserved -= left;
        left = 0;
        held?.giveBack();
        held = null;
        serve();
      },
    };
  }

  return {
    take: (priority) => wait(priority, 1),
    async reserve(priority, calls, signal) {
      const permit = await wait(priority, calls, signal);
      return permit === null ? null : startReservation(calls, permit);
    },
    close() {
      isClosed = true;
      queue.takeWaiting().forEach((waiting) => waiting.refuse());
    },
  };
}
