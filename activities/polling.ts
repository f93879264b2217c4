import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';

/** How an attempt waits for the service's final word without leaving its slot: each return to it is a dispatch. */
export interface Polling {
  /** The attempt holds a slot as long as `work` lasts. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits so many real ms.
   * @returns false where it must not wait, or not to the end: others want the slot, the worker stops, the activity is
   * cancelled.
   */
  wait(ms: number): Promise<boolean>;
}

/** Leaves the slot at once: for clocks that are set by hand or skip. */
export const NO_POLLING: Polling = { hold: (work) => work(), wait: async () => false };

/** Waits while at least half of the slots are free, until the worker stops. */
export class SlotPolling implements Polling {
  private held = 0;
  private isStopping = false;
  private readonly waiting = new Set<AbortController>();

  /** @param slots of the queue that collects */
  constructor(private readonly slots: number) {}

  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.held += 1;
    try {
      return await work();
    } finally {
      this.held -= 1;
    }
  }

  async wait(ms: number): Promise<boolean> {
    const { cancellationSignal } = Context.current();
    if (this.isStopping || cancellationSignal.aborted || 2 * this.held > this.slots) return false;
    const end = new AbortController();
    const giveUp = () => end.abort();
    this.waiting.add(end);
    cancellationSignal.addEventListener('abort', giveUp, { once: true });
    try {
      // Only the end of the waiting rejects it.
      return await pause(ms, true, { signal: end.signal }).catch(() => false);
    } finally {
      this.waiting.delete(end);
      cancellationSignal.removeEventListener('abort', giveUp);
    }
  }

  /** Ends every wait, and refuses further ones. */
  stop(): void {
    this.isStopping = true;
    for (const end of this.waiting) end.abort();
  }
}
