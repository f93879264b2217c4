import type { Clock } from '../platform/clock';
import { DAY, HOUR, SECOND } from '../domain/time';
import {
  chainAuditLog,
  endPurgedDeadLetters,
  inTransaction,
  isHeadDue,
  orderUpcomingNotices,
  type Pool,
  publishHead,
  purgeAnswers,
  purgeEvents,
  readChainWork,
  recordUpcoming,
  type UpcomingTerm,
} from '../ledger';
import type { Logger } from '../platform/log';
import { logged, repeat, type Repeated } from './repeated-work';

export interface ChainingDeps {
  /** A separate pool, so that no other part waits for it. */
  readonly db: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface MaintenanceDeps extends ChainingDeps {
  /** Real ms for which events are kept, with their deliveries. */
  readonly retention: number;
  /** How long before its due date a cycle is announced to the merchant, in ms of business time; null: never. */
  readonly upcoming: number | null;
  /** When payers are notified of a coming debit, by repetition; empty: never. */
  readonly payerUpcoming: readonly UpcomingTerm[];
}

/** Real ms between two checks for entries that are not chained. */
const CHAIN_EVERY = SECOND;
/** How long response bodies of endpoints are kept. Real time. */
const ANSWERS_KEPT = 7 * DAY;
/** Short, so that a fast test clock does not skip a due date. */
const CHECK_EVERY = 5 * SECOND;
const PURGE_EVERY = HOUR;
const BATCH_SIZE = 500;

/**
 * Appends committed audit entries to the hash chain and publishes the chain head once a day of business time, in any number of
 * processes, until it is stopped.
 */
export function chainEntries({ db, clock, logger }: ChainingDeps): Repeated {
  const check = logged(logger, 'the audit log could not be chained', async (signal) => {
    const work = await readChainWork(db);
    for (let more = work.isBehind; more && !signal.aborted;) more = await chainAuditLog(db);
    if (signal.aborted || !isHeadDue(work, clock.now())) return;
    const head = await publishHead(db, clock.now());
    if (head !== null) logger.info({ entries: head.position, head: head.hash }, 'audit.head');
  });
  return repeat(CHAIN_EVERY, check);
}

/**
 * Records upcoming cycles, creates the notices of coming debits, and removes expired events, in any number of processes, until it
 * is stopped.
 */
export function maintainEvents({ db, clock, logger, retention, upcoming, payerUpcoming }: MaintenanceDeps): Repeated {
  const announce = (ahead: number) =>
    logged(logger, 'upcoming cycles could not be recorded', (signal) =>
      untilNone(signal, () => inTransaction(db, (tx) => recordUpcoming(tx, clock.now(), clock.now() + ahead))),
    );
  const notify = logged(logger, 'notices of coming debits could not be created', async (signal) => {
    for (const term of payerUpcoming)
      await untilNone(signal, () => inTransaction(db, (tx) => orderUpcomingNotices(tx, clock.now(), term)));
  });
  const purge = logged(logger, 'old events could not be removed', async (signal) => {
    await untilNone(signal, () => purgeAnswers(db, clock.realNow() - ANSWERS_KEPT, BATCH_SIZE));
    await untilNone(signal, () => purgeEvents(db, clock.realNow() - retention, BATCH_SIZE));
    await endPurgedDeadLetters(db);
  });
  const all = [
    ...(upcoming === null ? [] : [repeat(CHECK_EVERY, announce(upcoming))]),
    ...(payerUpcoming.length === 0 ? [] : [repeat(CHECK_EVERY, notify)]),
    repeat(PURGE_EVERY, purge),
  ];
  return {
    async stop() {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

/** Repeats until nothing is found. @param work resolves to how many it has found */
async function untilNone(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) > 0);
}
