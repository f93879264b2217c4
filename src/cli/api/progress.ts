import { setTimeout as pause } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { type Access, ask } from './call';

/** How far something has come, drawn on standard error for the person who looks on. */
export interface Progress {
  advance(by: number): void;
  stop(): void;
}

const UNSEEN: Progress = { advance: () => undefined, stop: () => undefined };

/**
 * Nothing is drawn where no person looks on, or where what is printed would come between.
 * @param total null where it is not known before the end
 */
export function drawProgress(unit: string, total: number | null): Progress {
  if (!process.stderr.isTTY || process.stdout.isTTY) return UNSEEN;
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

/** Real ms between two looks. */
const LOOK_EVERY = 500;

/**
 * Draws how far a job has come, until it is over or Ctrl-C, which leaves the job running.
 * @returns the job as it is then; at once where no person looks on
 * @throws CommandError as `callApi` does
 */
export async function followJob(access: Access, begun: Job): Promise<Job> {
  if (!process.stderr.isTTY) return begun;
  const bar = openBar('done', begun.total);
  try {
    for (;;) {
      const job = await ask<Job>(access, 'getJob', { path: { id: begun.jobId } });
      bar.update(job.done);
      if (job.state !== 'running') return job;
      await pause(LOOK_EVERY);
    }
  } finally {
    bar.stop();
  }
}

/** Whether an answer is a job that was begun; a dry run is none. */
export function isJob(answer: unknown): answer is Job {
  return typeof answer === 'object' && answer !== null && 'jobId' in answer && 'state' in answer;
}
