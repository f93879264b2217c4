import type { FastifyInstance } from 'fastify';
import { SECOND } from '../domain/time';
import { readUnheard } from '../ledger';
import { loggable } from '../log';
import { type JobDeps, workRepeatedly } from './repeated-work';

/** Of real time. */
const EVERY = 5 * SECOND;
const AT_ONCE = 100;

/**
 * Tells workflows of what was steered in the ledger until they have heard of it, when the API comes up and every few
 * seconds: Temporal may have been away, or a process have died after the ledger had it (rule 31).
 */
export function tellWorkflows(app: FastifyInstance, deps: JobDeps): void {
  let after = '';
  workRepeatedly(app, EVERY, async (signal) => {
    after = await tellThose(deps, after, signal);
  });
}

/** @returns behind which to look the next time; the beginning again where all were told. */
async function tellThose({ db, subscriptions, logger }: JobDeps, after: string, signal: AbortSignal): Promise<string> {
  try {
    const unheard = await readUnheard(db, after, AT_ONCE);
    for (const { subscriptionId, revision } of unheard) {
      if (signal.aborted) return after;
      await subscriptions.tell(subscriptionId, revision).catch((error: unknown) => {
        logger.warn({ subscriptionId, revision, err: loggable(error) }, 'a workflow could not be told of its row');
      });
    }
    return unheard.length === AT_ONCE ? (unheard.at(-1)?.subscriptionId ?? '') : '';
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'workflows to be told could not be looked for');
    return after;
  }
}
