import type { FastifyInstance } from 'fastify';
import { SECOND } from '../domain/time';
import { noticeRestore, raiseAlerts } from '../ledger';
import { loggable } from '../log';
import { type JobDeps, workRepeatedly } from './repeated-work';

/** Of real time. Short, so that a fast test clock passes no window by. */
const EVERY = 5 * SECOND;

/**
 * Looks, as long as the API runs, for what an operator should see before it costs money, and writes it to trail and
 * log, once. It needs the ledger alone: workers and Temporal may be what is down.
 */
export function watchForAlerts(app: FastifyInstance, deps: JobDeps): void {
  workRepeatedly(app, EVERY, () => look(deps));
}

async function look({ db, clock, logger }: JobDeps): Promise<void> {
  try {
    await noticeRestore(db, { at: clock.now(), realAt: clock.realNow(), log: logger });
    const raised = await raiseAlerts(db, clock.now(), clock.realNow());
    for (const { type, subscriptionId, paymentId, data } of raised) {
      logger.warn({ subscriptionId, paymentId, ...data }, type);
    }
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'the ledger could not be looked through for alerts');
  }
}
