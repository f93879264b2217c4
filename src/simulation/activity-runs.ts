import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Instant, toIso } from '../domain/time';
import type { HandClock } from './hand-clock';

/** @returns the next work and its time; null if there is none */
export type Work = () => Promise<Next | null>;

export interface Next {
  /** Business time. */
  readonly at: Instant;
  readonly work: Work;
  /** Whether it is a local activity. */
  readonly isLocal?: boolean;
}

/**
 * After how many real ms a failed run is repeated, unless its error was an activity's planned stop. @throws to end everything
 * @param runs the number of runs so far
 */
export type WaitAfterFault = (fault: unknown, runs: number) => number;

/** A chain of work: each piece is repeated until it is done, then the next one starts. */
interface Process {
  wakesAt: Instant;
  readonly work: Work;
  /** Runs of the current work, and the real time of the first. */
  runs: number;
  since: number;
  readonly isLocal: boolean;
  isRunningNow: boolean;
}

/** Far more than any simulated subscription needs. */
const MAX_RUNS = 1_000_000;
/** No worker starts in the very millisecond that work is due. */
const LATENCY = 1;
const HEARTBEAT_TIMEOUT = 20_000;
const SILENT = new DefaultLogger('ERROR', () => undefined);

/**
 * Runs activities on a manual clock: one at a time, in the order in which they are due. Time passes only between them, and then it
 * jumps to the next instant at which one is due.
 */
export class ActivityRuns {
  private readonly processes = new Map<string, Process>();

  constructor(
    private readonly clock: HandClock,
    private readonly waitAfterFault: WaitAfterFault,
  ) {}

  /** Starts a process, or replaces what the process of this name waits for. */
  start(name: string, { at, work, isLocal = false }: Next): void {
    this.processes.set(name, { work, wakesAt: at, runs: 0, since: 0, isLocal, isRunningNow: false });
  }

  has(name: string): boolean {
    return this.processes.has(name);
  }

  /** Whether a run of the process of this name is in progress. */
  isRunningNow(name: string): boolean {
    return this.processes.get(name)?.isRunningNow === true;
  }

  /** Advances the clock to the instant and runs everything that is due by then. @throws what `waitAfterFault` throws */
  async passUntil(at: Instant): Promise<void> {
    for (let runs = 0; runs < MAX_RUNS; runs += 1) {
      const next = this.first();
      if (next === null || next[1].wakesAt > at) {
        this.clock.passUntil(at);
        return;
      }
      this.clock.passUntil(next[1].wakesAt + LATENCY);
      await this.run(...next);
    }
    throw new Error(`more than ${MAX_RUNS} runs of activities before ${toIso(at)}`);
  }

  private first(): readonly [string, Process] | null {
    let first: readonly [string, Process] | null = null;
    for (const entry of this.processes) if (first === null || entry[1].wakesAt < first[1].wakesAt) first = entry;
    return first;
  }

  private async run(name: string, process: Process): Promise<void> {
    if (process.runs === 0) process.since = this.clock.realNow();
    process.runs += 1;
    process.isRunningNow = true;
    try {
      const next = await this.environmentOf(process).run<[], Next | null, Work>(process.work);
      if (next === null) this.processes.delete(name);
      else this.start(name, next);
    } catch (error) {
      process.wakesAt = this.clock.now() + this.waitAfter(error, process.runs);
    } finally {
      process.isRunningNow = false;
    }
  }

  /** The activity context, as a worker would provide it. */
  private environmentOf({ since: scheduledTimestampMs, runs, isLocal }: Process): MockActivityEnvironment {
    // A local activity that is repeated belongs to a repeated workflow task.
    const attempt = isLocal ? 1 : runs;
    const info = { scheduledTimestampMs, attempt, isLocal, heartbeatTimeoutMs: HEARTBEAT_TIMEOUT };
    return new MockActivityEnvironment(info, { logger: SILENT });
  }

  private waitAfter(error: unknown, runs: number): number {
    const isStop = error instanceof ApplicationFailure && error.nextRetryDelay != null;
    return isStop ? msToNumber(error.nextRetryDelay ?? 0) : this.waitAfterFault(error, runs);
  }
}
