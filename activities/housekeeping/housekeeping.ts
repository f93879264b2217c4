import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type {
  HousekeepingActivities,
  ReconcileInput,
  ReconciliationResult,
  Leftovers,
} from '../../src/contract/housekeeping';
import { DAY } from '../../src/domain/time';
import { purgeDifferences, purgeDrafts, purgePaymentDrafts, purgeReconciliations } from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { growingPause, tryAgain, type Progress, withHeartbeat } from '../stops';
import { lookAtConsentsDue } from './consents-due';
import { lookForOrphans } from './orphans';
import { giveUp, reconcileLedger, type Reconciling } from './reconcile-ledger';

/** The daily work of one worker; its calls to the service come after all others. */
export function housekeepingActivities(deps: Dependencies): HousekeepingActivities {
  return {
    lookAtConsentsDue: (input) => {
      const { info, cancellationSignal: signal } = Context.current();
      const resumed: unknown = info.heartbeatDetails;
      return inLongWork((progress) =>
        deps.service.as('daily_work', () =>
          lookAtConsentsDue({ deps, input, resumed, progress, age: ageOf(deps), signal }),
        ),
      );
    },
    reconcileLedger: (input) =>
      inLongWork((progress) => deps.service.as('daily_work', () => reconcile(deps, input, progress))),
    lookForOrphans: (input) => {
      const resumed: unknown = Context.current().info.heartbeatDetails;
      return inLongWork((progress) => lookForOrphans(deps, input, { resumed, progress }));
    },
    removeLeftovers: () => {
      const { info, cancellationSignal: signal } = Context.current();
      const resumed: unknown = info.heartbeatDetails;
      return inLongWork((progress) => removeLeftovers({ deps, resumed, progress, signal }));
    },
  };
}

async function reconcile(deps: Dependencies, input: ReconcileInput, progress: Progress): Promise<ReconciliationResult> {
  const age = ageOf(deps);
  const isPatienceOver = () => age() >= input.patience;
  const { cancellationSignal: signal } = Context.current();
  const reconciling: Reconciling = { deps, input, progress, isPatienceOver, signal };
  const done = await reconcileLedger(reconciling);
  if (done.kind === 'interrupted') {
    const [pause, left] = [Math.max(growingPause(age()), done.wait), input.patience - age()];
    if (done.away && pause >= left) return giveUp(reconciling, done.reason);
    throw tryAgain('service_unreadable', `reconciliation: ${done.reason}`, Math.min(pause, left));
  }
  if (done.kind === 'compared' && done.differences > 0) deps.log.warn(done, 'ledger and service differ');
  return done;
}

/** Stops where its worker does, between two payments or batches; another worker goes on from there. */
async function inLongWork<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const { cancellationSignal: signal } = Context.current();
  try {
    return await withHeartbeat(work);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw ApplicationFailure.create({ type: 'worker_stopping', message: 'the worker stops', nextRetryDelay: 1 });
  }
}

/** Real time since the workflow asked for it, ms. */
function ageOf({ clock }: Dependencies): () => number {
  const { scheduledTimestampMs } = Context.current().info;
  return () => clock.realNow() - scheduledTimestampMs;
}

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
