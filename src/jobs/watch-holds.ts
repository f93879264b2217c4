import type { FastifyInstance } from 'fastify';
import { SECOND } from '../domain/time';
import { type ChangedRow, followHolds } from '../ledger';
import { inLanes, type JobDeps, logged, workRepeatedly } from './repeated-work';

/** Real time. Short, so that a fast test clock does not skip the day of the warning. */
const EVERY = 5 * SECOND;

/** Maximum number of workflows notified concurrently. */
const LANES = 8;

/** Warns, while the API runs, of collection windows that will soon end during a hold, and records the end of holds whose time is over. */
export function watchHolds(app: FastifyInstance, deps: JobDeps): void {
  const { db, clock, logger } = deps;
  const follow = logged(logger, 'holds could not be updated', async () =>
    notifyWaiting(deps, await followHolds(db, clock.now())),
  );
  workRepeatedly(app, EVERY, follow);
}

/** Notifies the workflows that waited for the end of a hold. `notifyWorkflows` (watch-ledger.ts) repeats notifications that fail. */
export async function notifyWaiting(
  { subscriptions }: Pick<JobDeps, 'subscriptions'>,
  waiting: readonly ChangedRow[],
): Promise<void> {
  await inLanes(waiting, LANES, ({ subscriptionId, revision }) =>
    subscriptions.notify(subscriptionId, revision).catch(() => undefined),
  );
}
