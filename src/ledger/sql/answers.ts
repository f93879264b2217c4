import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { loggable, type Logger } from '../../platform/log';

/**
 * Triggers of the ledger notify this channel of `subscription/<id>` and `payment/<request id>` when their status changes, or the
 * service's answer to their draft is stored.
 */
const CHANNEL = 'dueday_answers';

/** Real ms. A caller reads again after this time in any case: a notification may be lost with its connection. */
const MAX_UNNOTIFIED = 800;
const RECONNECT_AFTER = 1_000;

/** What an answer is about, as the triggers name it. */
export type AnswerSubject = `subscription/${string}` | `payment/${string}`;

/** Waits until another process has recorded something in the ledger. */
export interface Answers {
  /**
   * Reads at once, after each notification about the subject, and at the end; without a notification every 800 ms.
   * @param until by `performance.now`
   * @returns the first answer that is accepted, or the last one, whose read ended at or after `until`
   */
  wait<T>(subject: AnswerSubject, read: () => Promise<T>, isAnswer: (answer: T) => boolean, until: number): Promise<T>;
}

/**
 * One connection for all callers of a process, opened for the first of them and again a second after it is lost.
 * @param pool a separate pool with one connection
 */
export class AnswerListener implements Answers {
  private readonly notified = new EventEmitter().setMaxListeners(0);
  private readonly closing = new AbortController();
  private connecting: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly log?: Logger,
  ) {}

  async wait<T>(
    subject: AnswerSubject,
    read: () => Promise<T>,
    isAnswer: (answer: T) => boolean,
    until: number,
  ): Promise<T> {
    this.connecting ??= this.stayConnected();
    for (;;) {
      const waiting = new AbortController();
      // Listens from before the read, so that no notification is lost between the read and the wait.
      const notification = this.notification(subject, waiting.signal);
      try {
        const answer = await read();
        const left = until - performance.now();
        if (isAnswer(answer) || left <= 0) return answer;
        const late = pause(Math.min(left, MAX_UNNOTIFIED), undefined, { signal: waiting.signal });
        await Promise.race([notification, late.catch(() => undefined)]);
      } finally {
        waiting.abort();
      }
    }
  }

  /** Resolves with the next notification about the subject, or with the signal. */
  private notification(subject: AnswerSubject, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.notified.off(subject, end);
        resolve();
      };
      this.notified.on(subject, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  private async stayConnected(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.listen().catch((error: unknown) => this.noteLost(error));
      await pause(RECONNECT_AFTER, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private noteLost(error: unknown): void {
    this.log?.warn({ err: loggable(error) }, 'the ledger cannot notify this process of answers');
  }

  /** Resolves once the connection has ended. */
  private async listen(): Promise<void> {
    const client = await this.pool.connect();
    const { signal } = this.closing;
    const ended = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        this.noteLost(error);
        resolve();
      });
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    client.on('notification', ({ payload }) => this.notified.emit(payload ?? ''));
    try {
      await client.query(`listen ${CHANNEL}`);
      // Whatever was recorded while nothing was listening is read now.
      for (const subject of this.notified.eventNames()) this.notified.emit(subject);
      await ended;
    } finally {
      client.release(true);
    }
  }

  /** Ends the connection; callers that still wait read every 800 ms until the end of their wait. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.connecting;
    await this.pool.end();
  }
}
