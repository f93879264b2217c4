import type { FastifyInstance } from 'fastify';
import { HOUR, SECOND } from '../domain/time';
import {
  IDEMPOTENCY_LIFE,
  listUnacknowledged,
  listUnacknowledgedPayments,
  noticeRestore,
  purgeIdempotent,
  raiseAlerts,
} from '../ledger';
import { loggable } from '../platform/log';
import { type JobDeps, logged, type Work, workRepeatedly } from './repeated-work';

/**
 * What the API does with the ledger while it runs: raise alerts, notify workflows of changes, and remove stored responses that
 * are too old.
 */

/** Real time. Short, so that a fast test clock does not skip a window. */
const EVERY = 5 * SECOND;
const AT_ONCE = 100;

/**
 * Finds, while the API runs, what an operator should see before it costs money, and writes it once to the audit log and to the
 * log. The check needs only the ledger, as workers and Temporal may be down.
 */
export function watchForAlerts(app: FastifyInstance, { db, clock, logger }: JobDeps): void {
  const check = logged(logger, 'the ledger could not be checked for alerts', async () => {
    await noticeRestore(db, { at: clock.now(), realAt: clock.realNow(), log: logger });
    const raised = await raiseAlerts(db, clock.now(), clock.realNow());
    for (const { type, subscriptionId, paymentId, data } of raised) {
      logger.warn({ subscriptionId, paymentId, ...data }, type);
    }
  });
  workRepeatedly(app, EVERY, check);
}

/**
 * Notifies workflows of changes in their rows, when the API starts and every few seconds, until the workflow has read each
 * change: Temporal may have been unavailable, or the process may have died after the commit (rule 31).
 */
export function notifyWorkflows(app: FastifyInstance, { db, subscriptions, payments, logger }: JobDeps): void {
  const rounds = [
    notifyInRounds(logger, {
      list: (after) => listUnacknowledged(db, after, AT_ONCE),
      keyOf: ({ subscriptionId }) => subscriptionId,
      notify: ({ subscriptionId, revision }) => subscriptions.notify(subscriptionId, revision),
    }),
    notifyInRounds(logger, {
      list: (after) => listUnacknowledgedPayments(db, after, AT_ONCE),
      keyOf: ({ requestId }) => requestId,
      notify: (changed) => payments.notify(changed),
    }),
  ];
  const check = logged(logger, 'the search for workflows to notify failed', async (signal) => {
    for (const round of rounds) await round(signal);
  });
  workRepeatedly(app, EVERY, check);
}

interface Unacknowledged<Row> {
  /** Rows after a key, in the order of their keys. */
  readonly list: (after: string) => Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => string;
  readonly notify: (row: Row) => Promise<void>;
}

/**
 * Each run goes through all rows; a failure ends it, as Temporal may be unavailable, and the next run continues after the row that
 * failed.
 */
export function notifyInRounds<Row extends object>(logger: JobDeps['logger'], rows: Unacknowledged<Row>): Work {
  let after = '';
  return async (signal) => {
    for (;;) {
      const found = await rows.list(after);
      for (const row of found) {
        if (signal.aborted) return;
        after = rows.keyOf(row);
        try {
          await rows.notify(row);
        } catch (error) {
          const about: object = { ...row, err: loggable(error) };
          logger.warn(about, 'a workflow could not be notified of its new revision');
          return;
        }
      }
      if (found.length < AT_ONCE) break;
    }
    after = '';
  };
}

/**
 * Removes responses that are too old to be repeated, when the API starts and every hour of real time. What cannot be removed now
 * is removed in an hour; until then such a response is ignored.
 */
export function purgeStoredAnswers(app: FastifyInstance, { db, clock, logger }: JobDeps): void {
  const purge = logged(logger, 'old idempotent answers could not be removed', async () => {
    const removed = await purgeIdempotent(db, clock.realNow() - IDEMPOTENCY_LIFE);
    if (removed > 0) logger.debug({ removed }, 'old idempotent answers removed');
  });
  workRepeatedly(app, HOUR, purge);
}
