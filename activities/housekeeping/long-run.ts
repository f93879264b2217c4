import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type Progress, withHeartbeat } from '../stops';

/** A run of work that may take hours and that another worker can continue. */
export interface LongRun {
  /** The progress that the previous run left when it died or stopped, unchecked; undefined if there was none. */
  readonly resumed: unknown;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Stops when its worker does, between two payments or batches; another worker continues from there. */
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
 * The progress of the previous run, without the name of its step; null if there was none.
 * @param field a field that only this kind of progress has
 */
export function readProgress<Reached extends object>(resumed: unknown, field: keyof Reached & string): Reached | null {
  if (typeof resumed !== 'object' || resumed === null || !(field in resumed)) return null;
  return Object.fromEntries(Object.entries(resumed).filter(([name]) => name !== 'step')) as Reached;
}
