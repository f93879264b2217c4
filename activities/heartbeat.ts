import { Context } from '@temporalio/activity';

const INTERVAL = 4_000;

/** Tells Temporal what is being done; people see it on the pending activity. */
export type Progress = (step: string, details?: Readonly<Record<string, unknown>>) => void;

/** Runs the work with a heartbeat every few seconds, so that a dead worker is noticed long before the time-out. */
export async function withHeartbeat<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const context = Context.current();
  let latest: Record<string, unknown> = { step: 'start' };
  const beat = () => context.heartbeat(latest);
  const timer = setInterval(beat, INTERVAL);
  try {
    return await work((step, details = {}) => {
      latest = { step, ...details };
      beat();
    });
  } finally {
    clearInterval(timer);
  }
}
