import { setImmediate } from 'node:timers/promises';

/**
 * Gives the callers of one process their turns: of each caller at most one in a round of the event loop, in the order in which
 * they asked. What is done in a turn blocks the process, so that many requests of one caller delay each request of another by
 * one turn and not by all of them.
 */
export class Turns {
  /** The last turn of each caller who has one to come. */
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when the turn has come; what follows without waiting is done in it. */
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
