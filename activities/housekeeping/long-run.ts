import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type Progress, withHeartbeat } from '../stops';

/** A run of work that may last for hours, and that another worker goes on with. */
export interface LongRun {
  /** What the run before, which died or stopped, had come to; anything else where there was none. */
  readonly resumed: unknown;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Stops where its worker does, between two payments or batches; another worker goes on from there. */
export async function inLongRun<T>(work: (run: LongRun) => Promise<T>): Promise<T> {
  const { info, cancellationSignal: signal } = Context.current();
  const resumed: unknown = info.heartbeatDetails;
  try {
    return await withHeartbeat((progress) => work({ resumed, progress, signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw ApplicationFailure.create({ type: 'worker_stopping', message: 'the worker stops', nextRetryDelay: 1 });
  }
}

/**
 * What the run before had come to, without the name of its step; null where there was none.
 * @param field by which it is known
 */
export function readProgress<Reached extends object>(resumed: unknown, field: keyof Reached & string): Reached | null {
  if (typeof resumed !== 'object' || resumed === null || !(field in resumed)) return null;
  return Object.fromEntries(Object.entries(resumed).filter(([name]) => name !== 'step')) as Reached;
}
