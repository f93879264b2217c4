import type { Clock } from '../clock';
import { SECOND } from '../domain/time';
import { chainTrail, isHeadDue, type Pool, publishHead, readChainWork } from '../ledger';
import { type Logger, loggable } from '../log';
import { repeat, type Repeated } from './repeated-work';

export interface ChainingDeps {
  /** A pool that no other part waits for. */
  readonly db: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Real ms between two looks. */
const EVERY = SECOND;

/**
 * Appends the trail's entries to the hash chain over it, after commit, and has its head leave the house once a business day,
 * in any number of processes, until it is stopped.
 */
export function chainEntries(deps: ChainingDeps): Repeated {
  return repeat(EVERY, (signal) => look(deps, signal));
}

async function look({ db, clock, logger }: ChainingDeps, signal: AbortSignal): Promise<void> {
  try {
    const work = await readChainWork(db);
    for (let more = work.isBehind; more && !signal.aborted;) more = await chainTrail(db);
    if (signal.aborted || !isHeadDue(work, clock.now())) return;
    const head = await publishHead(db, clock.now());
    if (head !== null) logger.info({ entries: head.position, head: head.hash }, 'audit.head');
  } catch (error) {
    logger.warn({ err: loggable(error) }, 'the trail could not be chained');
  }
}
