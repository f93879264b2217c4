import { setImmediate } from 'node:timers/promises';

/**
 * Interleaves the work of the callers of one process: in each round of the event loop each caller may run at most one piece of work,
 * in the order of its requests. Such work blocks the process, so many requests of one caller delay another caller's request by one
 * piece of work, not by all of them.
 */
export class FairQueue {
  /** The last scheduled round of each caller that waits for one. */
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when the caller may run; what follows synchronously is its piece of work. */
  async enter(caller: string): Promise<void> {
    const before = this.last.get(caller);
    const round = (async () => {
      await before;
      await setImmediate();
    })();
    this.last.set(caller, round);
    await round;
    if (this.last.get(caller) === round) this.last.delete(caller);
  }
}
