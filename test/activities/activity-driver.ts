import { MockActivityEnvironment } from '@temporalio/testing';
import { type ActivityInterceptorsFactory, DefaultLogger } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import type { HandClock } from '../../src/simulation/hand-clock';

/** A worker that died: what it was doing is left as it is, and Temporal runs the activity again. */
export class Crash extends Error {}

export interface Stop {
  readonly type: string;
  readonly message: string;
  /** Real ms until the next run. */
  readonly wait: number;
}

export interface DrivenRun<T> {
  readonly result: T;
  /** What ended each run but the last. */
  readonly stops: readonly Stop[];
  /** The steps that were shown, in order, each once if it was reported several times in a row. */
  readonly steps: readonly string[];
}

/** How a worker runs the activity: under which name, with which input and interceptors. */
export interface RunAs {
  readonly activityType: string;
  readonly input: unknown;
  readonly interceptors: ActivityInterceptorsFactory[];
}

export interface DriveOptions {
  /** Called at each stop, before its wait has passed. */
  readonly onStop?: ((stop: Stop, runs: number) => void | Promise<void>) | undefined;
  readonly maxRuns?: number | undefined;
  /** Machine ms, within which four heartbeats are sent. The default is so short that every step is seen. */
  readonly heartbeatTimeoutMs?: number | undefined;
  /** Whether it runs as a local activity. */
  readonly isLocal?: boolean | undefined;
  readonly as?: RunAs | undefined;
}

const NEVER_ENDS = 400;
const EACH_STEP_IS_SEEN = 4;
const BEFORE_THE_FIRST = 'start';
const DEAD_WORKER = 20_000;
const AS_IT_IS: RunAs = { activityType: 'unknown', input: undefined, interceptors: [] };

/** Runs an activity as Temporal does, until it returns a result. Waits pass by setting the clock forward. */
export class ActivityDriver {
  /** Everything that Temporal or an operator would see of the runs: results, failures, heartbeats, log messages. */
  readonly seen: unknown[] = [];

  private readonly logger = new DefaultLogger('TRACE', ({ message, meta }) => {
    this.seen.push(message, describeError(meta?.['error']));
  });

  constructor(private readonly clock: HandClock) {}

  async drive<T>(work: () => Promise<T>, options: DriveOptions = {}): Promise<DrivenRun<T>> {
    const {
      onStop,
      maxRuns = NEVER_ENDS,
      heartbeatTimeoutMs = EACH_STEP_IS_SEEN,
      as = AS_IT_IS,
      isLocal = false,
    } = options;
    const scheduledTimestampMs = this.clock.realNow();
    const stops: Stop[] = [];
    const steps: string[] = [];
    let heartbeatDetails: unknown;
    for (let attempt = 1; attempt <= maxRuns; attempt += 1) {
      const environment = new MockActivityEnvironment(
        { scheduledTimestampMs, attempt, heartbeatTimeoutMs, heartbeatDetails, isLocal, activityType: as.activityType },
        { logger: this.logger, interceptors: as.interceptors },
      );
      environment.on('heartbeat', (details: { step: string }) => {
        this.seen.push(details);
        heartbeatDetails = details;
        if (details.step !== BEFORE_THE_FIRST && steps.at(-1) !== details.step) steps.push(details.step);
      });
      try {
        const result = await environment.run<[unknown], T, (input: unknown) => Promise<T>>(() => work(), as.input);
        this.seen.push(result);
        return { result, stops, steps };
      } catch (error) {
        const stop = toStop(error, attempt);
        this.seen.push(stop, describeError(error));
        stops.push(stop);
        await onStop?.(stop, attempt);
        this.clock.pass(stop.wait);
      }
    }
    throw new Error(`no answer after ${maxRuns} runs; the last stops: ${JSON.stringify(stops.slice(-3))}`);
  }

  /** Runs an activity once. @returns the stop if the run returned no result */
  async once<T>(work: () => Promise<T>, isLocal = false): Promise<DrivenRun<T> | Stop> {
    let stopped: Stop | null = null;
    const driven = this.drive(work, { maxRuns: 1, isLocal, onStop: (stop) => void (stopped = stop) });
    return driven.catch((error: unknown) => {
      if (stopped === null) throw error;
      return stopped;
    });
  }
}

export function toStop(error: unknown, attempt: number): Stop {
  if (error instanceof ApplicationFailure) {
    const wait = Number(error.nextRetryDelay);
    if (error.nonRetryable === true || !(wait >= 1)) throw error;
    return { type: error.type ?? '', message: error.message, wait };
  }
  if (error instanceof Crash) return { type: 'crash', message: error.message, wait: DEAD_WORKER };
  if (!(error instanceof Error)) throw error;
  return { type: 'fault', message: error.message, wait: Math.min(60_000, 1000 * 2 ** (attempt - 1)) };
}

/** Describes an error with the parts that Temporal's failure converter keeps. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const details = error instanceof ApplicationFailure ? error.details : undefined;
  return { message: error.message, stack: error.stack, details, cause: describeError(error.cause) };
}
