import { SECOND } from '../domain/time';
import { confirmStarts, type DueStart, type Pool, takeStarts } from '../ledger';
import { type Logger, loggable } from '../platform/log';
import { inLanes, logged, repeat, type Repeated } from './repeated-work';

export interface StartDeps {
  readonly db: Pool;
  /** Starts the workflow unless it is running. @throws if Temporal cannot be reached now */
  readonly start: (due: DueStart) => Promise<void>;
  readonly logger: Logger;
}

const EVERY = SECOND;
const AT_ONCE = 32;
/** If a process is killed, at most this many are started a second time, which has no effect while the workflow runs. */
const CONFIRMED_AT_ONCE = 100;

/**
 * Starts the workflows of imported subscriptions, in any number of processes, until it is stopped. The ledger records which of
 * them have no confirmed start, so that another process continues if one is killed.
 */
export function startWorkflows(deps: StartDeps): Repeated {
  return repeat(
    EVERY,
    logged(deps.logger, 'the workflows of imported subscriptions could not be started', (signal) =>
      startDue(deps, signal),
    ),
  );
}

/** Starts everything that may be started now, including what becomes due meanwhile. */
export async function startDue(deps: StartDeps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const due = await takeStarts(deps.db);
    if (due.length === 0) return;
    for (let from = 0; from < due.length; from += CONFIRMED_AT_ONCE) {
      if (signal?.aborted === true) return;
      await startEach(deps, due.slice(from, from + CONFIRMED_AT_ONCE));
    }
  }
}

/** @throws if none of them could be started: Temporal is unavailable, and they are tried again once their claim expires. */
async function startEach(deps: StartDeps, taken: readonly DueStart[]): Promise<void> {
  const errors = await inLanes(taken, AT_ONCE, (each) => startOne(deps, each));
  const started = taken.filter((_, index) => errors[index] === null);
  const ids = started.map(({ subscriptionId }) => subscriptionId);
  await confirmStarts(deps.db, ids);
  const [failed, ...others] = errors.filter((error) => error !== null);
  if (failed === undefined) return;
  if (started.length === 0) throw failed.error;
  const failures = 1 + others.length;
  deps.logger.warn(
    { err: loggable(failed.error), failures },
    'some workflows could not be started and will be tried again',
  );
}

/** Starts a workflow. @returns the error with which the start failed; null if the workflow runs */
async function startOne({ start }: StartDeps, due: DueStart): Promise<{ readonly error: unknown } | null> {
  try {
    await start(due);
    return null;
  } catch (error) {
    return { error };
  }
}
