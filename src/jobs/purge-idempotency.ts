import type { FastifyInstance } from 'fastify';
import { HOUR } from '../domain/time';
import { IDEMPOTENCY_LIFE, purgeIdempotent } from '../ledger';
import { loggable } from '../log';
import { type JobDeps, workRepeatedly } from './repeated-work';

/** Removes answers that are too old to be given again, when the API comes up and every hour of real time. */
export function purgeKeptAnswers(app: FastifyInstance, deps: JobDeps): void {
  workRepeatedly(app, HOUR, () => purgeOnce(deps));
}

/** What cannot be removed now will be in an hour; until then it counts as gone all the same. */
async function purgeOnce({ db, clock, logger }: JobDeps): Promise<void> {
  try {
    const removed = await purgeIdempotent(db, clock.realNow() - IDEMPOTENCY_LIFE);
    if (removed > 0) logger.debug({ removed }, 'old idempotent answers removed');
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'old idempotent answers could not be removed');
  }
}
