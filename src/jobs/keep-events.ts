import type { Clock } from '../platform/clock';
import { DAY, HOUR, SECOND } from '../domain/time';
import {
  chainTrail,
  endPurgedDeadLetters,
  isHeadDue,
  type Pool,
  publishHead,
  purgeAnswers,
  purgeEvents,
  readChainWork,
  recordUpcoming,
} from '../ledger';
import type { Logger } from '../platform/log';
import { logged, repeat, type Repeated } from './repeated-work';

export interface ChainingDeps {
  /** A pool that no other part waits for. */
  readonly db: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KeepingDeps extends ChainingDeps {
  /** Real ms for which events are kept, with what was delivered of them. */
  readonly retention: number;
  /** Ms of business time before its due date at which a cycle is announced; null: never. */
  readonly upcoming: number | null;
}

/** Real ms between two looks at what is not chained. */
const CHAIN_EVERY = SECOND;
/** What endpoints answered is kept for so long. Real time. */
const ANSWERS_KEPT = 7 * DAY;
/** Short, so that a fast test clock passes no due date by. */
const LOOK_EVERY = 5 * SECOND;
const PURGE_EVERY = HOUR;
const AT_ONCE = 500;

/**
 * Appends the trail's entries to the hash chain over it, after commit, and has its head leave the house once a business day,
 * in any number of processes, until it is stopped.
 */
export function chainEntries({ db, clock, logger }: ChainingDeps): Repeated {
  const look = logged(logger, 'the trail could not be chained', async (signal) => {
    const work = await readChainWork(db);
    for (let more = work.isBehind; more && !signal.aborted;) more = await chainTrail(db);
    if (signal.aborted || !isHeadDue(work, clock.now())) return;
    const head = await publishHead(db, clock.now());
    if (head !== null) logger.info({ entries: head.position, head: head.hash }, 'audit.head');
  });
  return repeat(CHAIN_EVERY, look);
}

/** Records upcoming cycles, and removes what is too old, in any number of processes, until it is stopped. */
export function keepEvents({ db, clock, logger, retention, upcoming }: KeepingDeps): Repeated {
  const look = logged(logger, 'upcoming cycles could not be recorded', async (signal) => {
    if (upcoming !== null) await untilNone(signal, () => recordUpcoming(db, clock.now(), clock.now() + upcoming));
  });
  const purge = logged(logger, 'old events could not be removed', async (signal) => {
    await untilNone(signal, () => purgeAnswers(db, clock.realNow() - ANSWERS_KEPT, AT_ONCE));
    await untilNone(signal, () => purgeEvents(db, clock.realNow() - retention, AT_ONCE));
    await endPurgedDeadLetters(db);
  });
  const both = [repeat(LOOK_EVERY, look), repeat(PURGE_EVERY, purge)];
  return {
    async stop() {
      await Promise.all(both.map((each) => each.stop()));
    },
  };
}

/** @param work resolves to how many it has found */
async function untilNone(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) > 0);
}
