import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { MINUTE } from '../src/domain/time';

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
  protected held = 0;
  protected isStopping = false;
  private readonly waiting = new Set<AbortController>();

  /** @param slots the number of slots of the collecting queue, or for local activities */
  constructor(protected readonly slots: number) {}

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

/** Real ms for which no attempt is made within a workflow task after one has run out of time there. */
const SLOW_FOR = MINUTE;

/** The slots for attempts within workflow tasks. */
export class InPlaceSlots extends SlotPolling {
  /** Real time, epoch ms. */
  private slowUntil = 0;

  /** Whether an attempt of the last minute ran out of time: the bank or the service is slow. */
  isSlow(realNow: number): boolean {
    const left = this.slowUntil - realNow;
    // More than a minute is left only if the clock was set back.
    return left > 0 && left <= SLOW_FOR;
  }

  /**
   * Whether an attempt may be made within its workflow task: at least half of the slots stay free, and the attempts of the last
   * minute did not run out of time. One that does has cost a wait in a slot in addition to its activity on the queue.
   */
  hasRoom(realNow: number): boolean {
    return !this.isStopping && !this.isSlow(realNow) && 2 * (this.held + 1) <= this.slots;
  }

  /** Notes that an attempt ran out of time. */
  noteSlow(realNow: number): void {
    this.slowUntil = realNow + SLOW_FOR;
  }
}
