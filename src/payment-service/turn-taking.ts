import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallRate, Turn } from './call-rate';
import type { Priority } from './call-queue';

/**
 * Calls take the priority, or the turn, of the work in which they are made: it is a matter of the activity, and no call
 * that the activity makes names it.
 */
export class TurnTaking {
  private readonly current = new AsyncLocalStorage<{ readonly priority: Priority; readonly turn: Turn | null }>();

  constructor(private readonly rate: CallRate) {}

  /** What nobody has said of is people's. */
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

  /** Resolves when the next call of the work at hand may leave; false where it may not any more. */
  take(): Promise<boolean> {
    return this.current.getStore()?.turn?.take() ?? this.rate.take(this.priority);
  }

  /** The same for the token that all wait for. */
  takeForAll(): Promise<boolean> {
    return this.rate.take('people');
  }
}
