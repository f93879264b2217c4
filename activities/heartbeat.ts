import { Context } from '@temporalio/activity';

const LONGEST_INTERVAL = 4_000;

/** Tells Temporal what is being done; people see it on the pending activity. */
export type Progress = (step: string, details?: Readonly<Record<string, unknown>>) => void;

/** Runs the work with a heartbeat every few seconds, so that a dead worker is noticed long before the time-out. */
export async function withHeartbeat<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const context = Context.current();
  let latest: Record<string, unknown> = { step: 'start' };
  const beat = () => context.heartbeat(latest);
  const timer = setInterval(beat, intervalOf(context));
  try {
    return await work((step, details = {}) => {
      latest = { step, ...details };
      beat();
    });
  } finally {
    clearInterval(timer);
  }
}

/** Several within the time after which a worker that says nothing counts as dead. Real ms. */
function intervalOf({ info }: Context): number {
  return Math.min(LONGEST_INTERVAL, (info.heartbeatTimeoutMs ?? Infinity) / 4);
}
