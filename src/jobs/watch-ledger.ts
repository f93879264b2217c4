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

/** What the API sees in the ledger as long as it runs: what is to be reported, and what is too old. */

/** Of real time. Short, so that a fast test clock passes no window by. */
const EVERY = 5 * SECOND;
const AT_ONCE = 100;

/**
 * Looks, as long as the API runs, for what an operator should see before it costs money, and writes it to trail and
 * log, once. It needs the ledger alone: workers and Temporal may be what is down.
 */
export function watchForAlerts(app: FastifyInstance, { db, clock, logger }: JobDeps): void {
  const look = logged(logger, 'the ledger could not be looked through for alerts', async () => {
    await noticeRestore(db, { at: clock.now(), realAt: clock.realNow(), log: logger });
    const raised = await raiseAlerts(db, clock.now(), clock.realNow());
    for (const { type, subscriptionId, paymentId, data } of raised) {
      logger.warn({ subscriptionId, paymentId, ...data }, type);
    }
  });
  workRepeatedly(app, EVERY, look);
}

/**
 * Notifies workflows of each request that was written to the ledger first, when the API starts and every few seconds, until
 * the workflow has read it: Temporal may have been away, or the process may have died after its commit (rule 31).
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
  const look = logged(logger, 'the search for workflows to notify failed', async (signal) => {
    for (const round of rounds) await round(signal);
  });
  workRepeatedly(app, EVERY, look);
}

interface Unacknowledged<Row> {
  /** Those behind a key, in the order of their keys. */
  readonly list: (after: string) => Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => string;
  readonly notify: (row: Row) => Promise<void>;
}

/** Each run goes on behind the row to which the last has come, and begins again behind the end. */
function notifyInRounds<Row extends object>(logger: JobDeps['logger'], rows: Unacknowledged<Row>): Work {
  let after = '';
  return async (signal) => {
    const found = await rows.list(after);
    for (const row of found) {
      if (signal.aborted) return;
      await rows.notify(row).catch((error: unknown) => {
        const about: object = { ...row, err: loggable(error) };
        logger.warn(about, 'a workflow could not be notified of its new revision');
      });
    }
    const last = found.at(-1);
    after = found.length === AT_ONCE && last !== undefined ? rows.keyOf(last) : '';
  };
}

/**
 * Removes answers that are too old to be given again, when the API comes up and every hour of real time. What cannot be
 * removed now will be in an hour; until then it counts as gone already.
 */
export function purgeKeptAnswers(app: FastifyInstance, { db, clock, logger }: JobDeps): void {
  const purge = logged(logger, 'old idempotent answers could not be removed', async () => {
    const removed = await purgeIdempotent(db, clock.realNow() - IDEMPOTENCY_LIFE);
    if (removed > 0) logger.debug({ removed }, 'old idempotent answers removed');
  });
  workRepeatedly(app, HOUR, purge);
}
