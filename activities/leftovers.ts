import type { Leftovers } from '../src/contract/housekeeping';
import { DAY } from '../src/domain/time';
import { purgeDifferences, purgeDrafts, purgePaymentDrafts, purgeReconciliations } from '../src/ledger';
import type { Dependencies } from './dependencies';
import type { Progress } from './heartbeat';

/**
 * Real time. A draft older than its caller's idempotency key is asked for by nobody; its payer's data need not stay.
 * What a reconciliation found is in the trail.
 */
const DRAFTS_KEPT = 2 * DAY;
const RECONCILIATIONS_KEPT = 90 * DAY;
/** Rows of one transaction: few enough that it holds nobody up. */
const AT_ONCE = 500;

/** One day's removal. */
export interface Removing {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock'>;
  /** What the run before, which died or stopped, had come to; anything else where there was none. */
  readonly resumed: unknown;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Removes in batches what nobody needs any more; what it is interrupted in, another worker goes on with.
 * @throws the signal's reason once the worker stops.
 */
export async function removeLeftovers({ deps, resumed, progress, signal }: Removing): Promise<Leftovers> {
  const { ledger, clock } = deps;
  const [draftsUntil, runsUntil] = [clock.realNow() - DRAFTS_KEPT, clock.realNow() - RECONCILIATIONS_KEPT];
  let removed = readProgress(resumed) ?? { drafts: 0, reconciliations: 0 };
  const inBatches = async (purge: () => Promise<number>, counted?: keyof Leftovers) => {
    for (;;) {
      signal.throwIfAborted();
      const count = await purge();
      if (counted !== undefined) removed = { ...removed, [counted]: removed[counted] + count };
      progress('leftovers', { ...removed });
      if (count < AT_ONCE) return;
    }
  };
  await inBatches(() => purgeDrafts(ledger, draftsUntil, AT_ONCE), 'drafts');
  await inBatches(() => purgePaymentDrafts(ledger, draftsUntil, AT_ONCE), 'drafts');
  await inBatches(() => purgeDifferences(ledger, runsUntil, AT_ONCE));
  await inBatches(() => purgeReconciliations(ledger, runsUntil, AT_ONCE), 'reconciliations');
  return removed;
}

function readProgress(details: unknown): Leftovers | null {
  if (typeof details !== 'object' || details === null || !('drafts' in details)) return null;
  const { drafts, reconciliations } = details as Leftovers;
  return { drafts, reconciliations };
}
