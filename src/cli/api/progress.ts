import { setTimeout as pause } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { CommandError } from '../../process/command-error';
import { type Access, ApiUnavailableError, ask } from './call';

/** A progress bar on standard error. */
export interface Progress {
  advance(by: number): void;
  stop(): void;
}

const HIDDEN: Progress = { advance: () => undefined, stop: () => undefined };

/**
 * Draws nothing if standard error is not a terminal, or if the output would interrupt the bar.
 * @param total null if it is not known before the end
 * @param isQuiet whether nothing is printed before the bar ends
 */
export function drawProgress(unit: string, total: number | null, isQuiet = false): Progress {
  if (!process.stderr.isTTY || (process.stdout.isTTY && !isQuiet)) return HIDDEN;
  const bar = openBar(unit, total);
  return { advance: (by) => bar.increment(by), stop: () => bar.stop() };
}

function openBar(unit: string, total: number | null): SingleBar {
  const format = total === null ? `{value} ${unit}` : `{bar} {percentage} % of {total} ${unit}`;
  const bar = new SingleBar({ format, stream: process.stderr });
  bar.start(total ?? 0, 0);
  return bar;
}

interface Job {
  readonly jobId: string;
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
}

/** Real ms between two polls. */
const POLL_EVERY = 500;

/**
 * Shows the progress of a job until it ends, or until Ctrl-C, which leaves the job running.
 * @returns the job in its last state; at once if standard error is not a terminal
 * @throws CommandError as `callApi` does; it names the job, which may still be running
 */
export async function followJob(access: Access, started: Job): Promise<Job> {
  if (!process.stderr.isTTY) return started;
  const bar = openBar('done', started.total);
  try {
    for (;;) {
      const job = await ask<Job>(access, 'getJob', { path: { id: started.jobId } }).catch((fault: unknown) => {
        throw withJobNamed(fault, started);
      });
      bar.update(job.done);
      if (job.state !== 'running') return job;
      await pause(POLL_EVERY);
    }
  } finally {
    bar.stop();
  }
}

/** Adds the id of the started job to an error. Without it, the user could only start another job. */
function withJobNamed(fault: unknown, { jobId }: Job): unknown {
  if (!(fault instanceof CommandError)) return fault;
  const text = `${fault.message.replace(/\.$/, '')}. The job was started and may still be running: see dueday jobs show ${jobId}`;
  return fault instanceof ApiUnavailableError ? new ApiUnavailableError(text) : new CommandError(text);
}

/** Whether an answer is a started job, and not the result of a dry run. */
export function isJob(answer: unknown): answer is Job {
  return typeof answer === 'object' && answer !== null && 'jobId' in answer && 'state' in answer;
}
