import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';

/** How an attempt waits for the final outcome without leaving its slot: each time it leaves and returns costs a dispatch. */
export interface Polling {
  /** The attempt holds a slot while `work` runs. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits this many real ms.
   * @returns false if it must not wait, or not to the end: other work needs the slot, the worker stops, or the activity is
   * cancelled.
   */
  wait(ms: number): Promise<boolean>;
  /**
   * Present only within a workflow task, where an attempt does not wait for a permit. True once the task's time is used up: no
   * further request may be started, and the rest of the attempt is left to the queue.
   */
  readonly isOver?: () => boolean;
}

/** Leaves the slot at once: for clocks that are set by hand or skip time. */
export const NO_POLLING: Polling = { hold: (work) => work(), wait: async () => false };

/** Waits only if at least half of the slots are free, and at most until the worker stops. */
export class SlotPolling implements Polling {
  private held = 0;
  private isStopping = false;
  private readonly waiting = new Set<AbortController>();

  /** @param slots the number of slots of the collecting queue, or for local activities */
  constructor(private readonly slots: number) {}

  /** Whether at least half of the slots stay free if one more is taken. */
  hasRoom(): boolean {
    return !this.isStopping && 2 * (this.held + 1) <= this.slots;
  }

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
      // It rejects only when the wait is aborted.
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
