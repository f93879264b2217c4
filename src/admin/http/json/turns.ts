import { setImmediate } from 'node:timers/promises';

/**
 * Interleaves the callers of one process: in each round of the event loop each caller may run at most one piece of work, in the
 * order of their requests. Such work blocks the process, so many requests of one caller delay another caller's request by one
 * piece of work, not by all of them.
 */
export class Turns {
  /** The last scheduled round of each caller that waits for one. */
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when the caller may run; what follows synchronously is its piece of work. */
  async take(caller: string): Promise<void> {
    const before = this.last.get(caller);
    const turn = (async () => {
      await before;
      await setImmediate();
    })();
    this.last.set(caller, turn);
    await turn;
    if (this.last.get(caller) === turn) this.last.delete(caller);
  }
}
