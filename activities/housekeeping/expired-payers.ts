import { endUnrecordableItems, eraseExpiredPayer, findExpiredPayers } from '../../src/ledger';
import { DAY } from '../../src/domain/time';
import { loggable } from '../../src/platform/log';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';

/** Payers that are looked through with one statement; each is erased in a transaction of its own. */
const LOOKED_THROUGH = 500;
/** Of one day: where retention begins, what has ended in years goes over some days, and nothing else waits for it. */
const MOST_A_DAY = 10_000;
/** So many in a row that cannot be erased: it is the ledger, and not the payer. */
const FAILED_IN_A_ROW = 5;

/** One day's erasing. */
export interface Erasing {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log'>;
  /** Business days since all of a payer has ended. */
  readonly days: number;
  /** Called with how many were erased, after each stretch. */
  readonly progress: (erased: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Erases the payers of whom all has ended so many days ago. One that cannot be erased is left for the next day, and no
 * other waits for it.
 * @returns how many were erased; all that is stored with one reference counts as one
 * @throws the signal's reason once the worker stops, or the ledger's fault where it is away
 */
export async function eraseExpiredPayers({ deps, days, progress, signal }: Erasing): Promise<number> {
  const { ledger, clock, log } = deps;
  let [erased, failed, after]: [number, number, string | null] = [0, 0, null];
  do {
    const page = await findExpiredPayers(ledger, after, clock.now() - days * DAY, LOOKED_THROUGH);
    const written: string[] = [];
    for (const payerId of page.payerIds) {
      signal.throwIfAborted();
      if (erased >= MOST_A_DAY) return erased;
      try {
        const subject = { activity: 'removeLeftovers', id: payerId, about: {} };
        const erase = async () => {
          const done = await eraseExpiredPayer(ledger, payerId, { days, now: clock.now(), realNow: clock.realNow() });
          written.push(payerId);
          return done !== null;
        };
        if (await passingOver(deps, subject, erase, () => false)) erased += 1;
        failed = 0;
      } catch (error) {
        failed += 1;
        if (failed >= FAILED_IN_A_ROW) throw error;
        log.warn({ err: loggable(error), payerId }, 'a payer could not be erased');
      }
    }
    await endUnrecordableItems(ledger, 'removeLeftovers', written);
    progress(erased);
    after = page.after;
  } while (after !== null);
  return erased;
}
