import type { FastifyInstance } from 'fastify';
import { SECOND } from '../domain/time';
import { readUnheard } from '../ledger';
import { loggable } from '../log';
import { type JobDeps, workRepeatedly } from './repeated-work';

/** Of real time. */
const EVERY = 5 * SECOND;
const AT_ONCE = 100;

/**
 * Notifies workflows of each request that was written to the ledger first, when the API starts and every few seconds, until
 * the workflow has read it: Temporal may have been away, or the process may have died after its commit (rule 31).
 */
export function notifyWorkflows(app: FastifyInstance, deps: JobDeps): void {
  let after = '';
  workRepeatedly(app, EVERY, async (signal) => {
    after = await notifyPage(deps, after, signal);
  });
}

/** @returns the id after which the next search begins; empty (the beginning) once all were notified. */
async function notifyPage({ db, subscriptions, logger }: JobDeps, after: string, signal: AbortSignal): Promise<string> {
  try {
    const unheard = await readUnheard(db, after, AT_ONCE);
    for (const { subscriptionId, revision } of unheard) {
      if (signal.aborted) return after;
      await subscriptions.notify(subscriptionId, revision).catch((error: unknown) => {
        logger.warn(
          { subscriptionId, revision, err: loggable(error) },
          'a workflow could not be notified of its new revision',
        );
      });
    }
    return unheard.length === AT_ONCE ? (unheard.at(-1)?.subscriptionId ?? '') : '';
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'the search for workflows to notify failed');
    return after;
  }
}
