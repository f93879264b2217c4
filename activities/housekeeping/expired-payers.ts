import { ERASING_EXPIRED, eraseExpiredPayer, findExpiredPayers } from '../../src/ledger';
import { DAY } from '../../src/domain/time';
import { loggable } from '../../src/platform/log';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';

/** Payers checked in one statement; each is erased in its own transaction. */
const PAGE_SIZE = 500;
/** When retention is first configured, the payers of past years are erased over several days, so that nothing else waits. */
const MAX_PER_DAY = 10_000;
/**
 * After this many failures in a row, the ledger is at fault rather than the payers. A write that PostgreSQL refuses because of its
 * data does not count.
 */
const MAX_FAILURES_IN_A_ROW = 5;

/** One day's erasing. */
export interface Erasing {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log'>;
  /** Days of business time for which nothing of the payer was in force or has changed. */
  readonly days: number;
  /** Called with the number erased, after each page. */
  readonly progress: (erased: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Erases the payers whose subscriptions and payments have all ended, and have not changed for at least `days` days. A payer who
 * cannot be erased is left for the next day and does not hold up the others.
 * @returns the number of payers erased; all that is stored under one reference counts as one payer
 * @throws the signal's reason once the worker stops, or the ledger's error if it is unavailable
 */
export async function eraseExpiredPayers({ deps, days, progress, signal }: Erasing): Promise<number> {
  const { ledger, clock, log } = deps;
  let erased = 0;
  let failuresInARow = 0;
  let after: string | null = null;
  do {
    const page = await findExpiredPayers(ledger, after, clock.now() - days * DAY, PAGE_SIZE);
    for (const payerId of page.payerIds) {
      signal.throwIfAborted();
      if (erased >= MAX_PER_DAY) return erased;
      try {
        const subject = { activity: ERASING_EXPIRED, id: payerId, about: {} };
        const erase = async () =>
          (await eraseExpiredPayer(ledger, payerId, { days, now: clock.now(), realNow: clock.realNow() })) !== null;
        if (await skipIfRefused(deps, subject, erase, () => false)) erased += 1;
        failuresInARow = 0;
      } catch (error) {
        failuresInARow += 1;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW) throw error;
        log.warn({ err: loggable(error), payerId }, 'a payer could not be erased');
      }
    }
    progress(erased);
    after = page.after;
  } while (after !== null);
  return erased;
}
