import type { FastifyInstance } from 'fastify';
import { SECOND } from '../domain/time';
import { followHolds } from '../ledger';
import { type JobDeps, logged, workRepeatedly } from './repeated-work';

/** Real time. Short, so that a fast test clock does not skip the day of the warning. */
const EVERY = 5 * SECOND;

/** Warns, while the API runs, of holds that are about to lose collection windows, and notes the end of those that have passed. */
export function watchHolds(app: FastifyInstance, { db, clock, logger }: JobDeps): void {
  const follow = logged(logger, 'the holds could not be followed', () => followHolds(db, clock.now()));
  workRepeatedly(app, EVERY, follow);
}
