import { AsyncLocalStorage } from 'node:async_hooks';
import { SECOND } from '../domain/time';
import type { ExchangeOutcome, HttpExchange, WireRequest } from './http-exchange';
import { type CallShare, type HeldPermit, LOOK_AGAIN, type Permit, Permits } from './permits';

/** Who goes first where calls are capped: calls for people and payers, then collecting, then the daily work. */
export const PRIORITIES = ['people', 'collecting', 'daily_work'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Something that waits until a call may leave. */
export interface Waiting {
  /** `under_way`: a turn that has begun. What was begun is ended before anything else begins. */
  readonly rank: Priority | 'under_way';
  /** Calls that it will make one after the other, the next one among them. */
  readonly calls: number;
  /** The call may leave. */
  grant(permit: HeldPermit): void;
  /** It will not leave. */
  refuse(): void;
}

const RANKS = ['under_way', ...PRIORITIES] as const;

/**
 * What waits, in the order in which it goes: by rank, then in the order of arrival; of turns under way, the one with
 * the fewest calls left.
 */
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
   * What goes next.
   * @param room for calls of turns that are still to be begun
   */
  next(room: number): Waiting | null {
    return this.waiting.find(({ rank, calls }) => rank === 'under_way' || calls === 1 || calls <= room) ?? null;
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

/**
 * Calls take the priority, or the turn, of the work in which they are made: the activity sets it, and its calls do not
 * name it.
 */
export class TurnTaking {
  private readonly current = new AsyncLocalStorage<{ readonly priority: Priority; readonly turn: Turn | null }>();

  constructor(private readonly rate: CallRate) {}

  /** Calls without a priority count as `people`. */
  private get priority(): Priority {
    return this.current.getStore()?.priority ?? 'people';
  }

  as<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
    return this.current.run({ priority, turn: null }, work);
  }

  async inTurn<T>(calls: number, work: (turn: Turn) => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    const { priority } = this;
    const turn = await this.rate.turn(priority, calls, signal);
    if (turn === null) return null;
    try {
      return await this.current.run({ priority, turn }, () => work(turn));
    } finally {
      turn.end();
    }
  }

  /** Resolves when the next call of the work at hand may be made; null where it may not any more. */
  take(): Promise<Permit | null> {
    return this.current.getStore()?.turn?.take() ?? this.rate.take(this.priority);
  }

  /** The same for the token that all wait for. */
  takeForAll(): Promise<Permit | null> {
    return this.rate.take('people');
  }
}

/** Calls that are made one after the other, and that nothing comes between once the first may be made. */
export interface Turn {
  /** Waits until the next call may be made. */
  ready(): Promise<void>;
  /** Resolves when the next call may be made, at once where {@link ready} did a moment ago. */
  take(): Promise<Permit>;
  /** What was not taken is free for others. */
  end(): void;
}

/** Holds calls back, so that no more leave in any second than all processes together may make. Each permit is used or given back. */
export interface CallRate {
  /** Resolves when a call may be made; null where it may not any more. */
  take(priority: Priority): Promise<Permit | null>;
  /** Resolves when the first of so many calls may leave; null where it may not any more, or the signal aborts. */
  turn(priority: Priority, calls: number, signal?: AbortSignal): Promise<Turn | null>;
  /** Nothing more is begun; what is under way ends. */
  close(): void;
}

/** Sends the request with its permit, which counts from the first byte, and is given back if none leaves. */
export async function sendWith(permit: Permit, exchange: HttpExchange, request: WireRequest): Promise<ExchangeOutcome> {
  try {
    const outcome = await exchange.send({ ...request, leave: () => permit.leave() });
    if (outcome.kind === 'answered') permit.answered();
    return outcome;
  } finally {
    permit.giveBack();
  }
}

const FREE: Permit = { leave: () => true, answered: () => undefined, giveBack: () => undefined };

/** Nothing is held back. */
export const UNLIMITED: CallRate = {
  take: () => Promise.resolve(FREE),
  turn: () =>
    Promise.resolve({ ready: () => Promise.resolve(), take: () => Promise.resolve(FREE), end: () => undefined }),
  close: () => undefined,
};

/** Of turns, no more are under way than this process ends in so long: none of them waits longer for its last call. */
const MOST_UNDER_WAY = 5 * SECOND;

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
        timer = setTimeout(serve, waiting === null ? LOOK_AGAIN : Math.ceil(permits.nextIn));
        return;
      }
      queue.remove(waiting);
      waiting.grant(permit);
    }
  }

  function room(): number {
    return reserved === 0 ? Infinity : (permits.perSecond * MOST_UNDER_WAY) / SECOND - reserved;
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
      if (signal?.aborted === true || (isClosed && rank !== 'under_way')) {
        resolve(null);
        return;
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(waiting);
      serve();
    });
  }

  function beginTurn(calls: number, first: HeldPermit): Turn {
    let left = calls;
    let held: HeldPermit | null = first;
    reserved += calls;
    const ready = async () => {
      if (held?.isValid() === true) return held;
      held?.giveBack();
      held = null;
      const next = await wait('under_way', Math.max(1, left));
      if (next === null) throw new Error('a turn that is under way was refused a call');
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
    async turn(priority, calls, signal) {
      const permit = await wait(priority, calls, signal);
      return permit === null ? null : beginTurn(calls, permit);
    },
    close() {
      isClosed = true;
      queue.takeWaiting().forEach((waiting) => waiting.refuse());
    },
  };
}
