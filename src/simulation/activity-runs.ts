import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Instant, toIso } from '../domain/time';
import type { HandClock } from './hand-clock';

/** @returns what is done next, and when; null if nothing is */
export type Work = () => Promise<Next | null>;

export interface Next {
  /** Business time. */
  readonly at: Instant;
  readonly work: Work;
}

/**
 * Real ms until work that ended with a fault, and not with a stop of an activity, is repeated. @throws what ends everything
 * @param runs how often it has run
 */
export type PauseAfterFault = (fault: unknown, runs: number) => number;

/** What goes on by itself. Its work is repeated until it is done, and the next one begins. */
interface Process {
  wakesAt: Instant;
  readonly work: Work;
  /** Runs of the work, and when the first began. Real ms. */
  runs: number;
  since: number;
  isUnderWay: boolean;
}

/** Many more than there are in any life. */
const MOST_RUNS = 1_000_000;
/** No worker begins in the millisecond in which it is to. */
const LATENCY = 1;
const HEARTBEAT_TIMEOUT = 20_000;
const SILENT = new DefaultLogger('ERROR', () => undefined);

/**
 * Runs of activities on a clock that is set by hand: one after the other, in the order in which they are due. No time passes but
 * between them, and then it jumps to the next instant for which one of them waits.
 */
export class ActivityRuns {
  private readonly processes = new Map<string, Process>();

  constructor(
    private readonly clock: HandClock,
    private readonly pauseAfterFault: PauseAfterFault,
  ) {}

  /** Begins a process, or ends what the one of this name waits for: it does this instead. */
  begin(name: string, { at, work }: Next): void {
    this.processes.set(name, { work, wakesAt: at, runs: 0, since: 0, isUnderWay: false });
  }

  has(name: string): boolean {
    return this.processes.has(name);
  }

  /** Whether a run of it has begun and not ended. */
  isUnderWay(name: string): boolean {
    return this.processes.get(name)?.isUnderWay === true;
  }

  /** Lets time pass, and all that is due before the instant happen. @throws the fault of a run */
  async passUntil(at: Instant): Promise<void> {
    for (let runs = 0; runs < MOST_RUNS; runs += 1) {
      const next = this.first();
      if (next === null || next[1].wakesAt > at) {
        this.clock.passUntil(at);
        return;
      }
      this.clock.passUntil(next[1].wakesAt + LATENCY);
      await this.run(...next);
    }
    throw new Error(`more than ${MOST_RUNS} runs of activities before ${toIso(at)}`);
  }

  private first(): readonly [string, Process] | null {
    let first: readonly [string, Process] | null = null;
    for (const entry of this.processes) if (first === null || entry[1].wakesAt < first[1].wakesAt) first = entry;
    return first;
  }

  private async run(name: string, process: Process): Promise<void> {
    if (process.runs === 0) process.since = this.clock.realNow();
    process.runs += 1;
    process.isUnderWay = true;
    try {
      const next = await this.environmentOf(process).run<[], Next | null, Work>(process.work);
      if (next === null) this.processes.delete(name);
      else this.begin(name, next);
    } catch (error) {
      process.wakesAt = this.clock.now() + this.pauseAfter(error, process.runs);
    } finally {
      process.isUnderWay = false;
    }
  }

  /** What the worker shows an activity of its run. */
  private environmentOf({ since: scheduledTimestampMs, runs: attempt }: Process): MockActivityEnvironment {
    const info = { scheduledTimestampMs, attempt, heartbeatTimeoutMs: HEARTBEAT_TIMEOUT };
    return new MockActivityEnvironment(info, { logger: SILENT });
  }

  private pauseAfter(error: unknown, runs: number): number {
    const isStop = error instanceof ApplicationFailure && error.nextRetryDelay != null;
    return isStop ? msToNumber(error.nextRetryDelay ?? 0) : this.pauseAfterFault(error, runs);
  }
}
