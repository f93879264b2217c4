import type { Clock } from '../clock';
import { DAY, HOUR, SECOND } from '../domain/time';
import { endPurgedDeadLetters, type Pool, purgeAnswers, purgeEvents, recordUpcoming } from '../ledger';
import { type Logger, loggable } from '../log';
import { repeat, type Repeated, type Work } from './repeated-work';

export interface KeepingDeps {
  readonly db: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Real ms for which events are kept, with what was delivered of them. */
  readonly retention: number;
  /** Ms of business time before its due date at which a cycle is announced; null: never. */
  readonly upcoming: number | null;
}

/** What endpoints answered is kept for so long. Real time. */
const ANSWERS_KEPT = 7 * DAY;
/** Short, so that a fast test clock passes no due date by. */
const LOOK_EVERY = 5 * SECOND;
const PURGE_EVERY = HOUR;
const AT_ONCE = 500;

/** Records upcoming cycles, and removes what is too old, in any number of processes, until it is stopped. */
export function keepEvents({ db, clock, logger, retention, upcoming }: KeepingDeps): Repeated {
  const logged = (failed: string, work: Work) => (signal: AbortSignal) =>
    work(signal).catch((error: unknown) => logger.warn({ err: loggable(error) }, failed));
  const looks = repeat(
    LOOK_EVERY,
    logged('upcoming cycles could not be recorded', async (signal) => {
      if (upcoming !== null) await untilNone(signal, () => recordUpcoming(db, clock.now(), clock.now() + upcoming));
    }),
  );
  const purges = repeat(
    PURGE_EVERY,
    logged('old events could not be removed', async (signal) => {
      await untilNone(signal, () => purgeAnswers(db, clock.realNow() - ANSWERS_KEPT, AT_ONCE));
      await untilNone(signal, () => purgeEvents(db, clock.realNow() - retention, AT_ONCE));
      await endPurgedDeadLetters(db);
    }),
  );
  return {
    async stop() {
      await Promise.all([looks.stop(), purges.stop()]);
    },
  };
}

/** @param work resolves to how many it has found */
async function untilNone(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await work()) > 0);
}
