import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type {
  HousekeepingActivities,
  ReconcileInput,
  ReconciliationResult,
  Leftovers,
} from '../../src/contract/housekeeping';
import { DAY } from '../../src/domain/time';
import {
  purgeDifferences,
  purgeDrafts,
  purgePaymentDrafts,
  purgeReconciliations,
  purgeRequests,
} from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { growingPause, tryAgain, type Progress, withHeartbeat } from '../stops';
import { compareDaily } from './compare-daily';
import { lookAtConsentsDue } from './consents-due';
import { lookForOrphans } from './orphans';
import { eraseExpiredPayers } from './expired-payers';
import { giveUp, reconcileLedger } from './reconcile-ledger';

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

/** Where the run stands that was interrupted last; real time. */
interface Quiet {
  readonly quietSince: number;
}

/** Waits for a service that is away, but for no longer than the input says since something was compared last. */
async function reconcile(deps: Dependencies, input: ReconcileInput, progress: Progress): Promise<ReconciliationResult> {
  const { cancellationSignal: signal, info } = Context.current();
  const { until } = input;
  const resumed: unknown = info.heartbeatDetails;
  let quietSince = until !== undefined && isQuiet(resumed) ? resumed.quietSince : info.scheduledTimestampMs;
  const age = () => deps.clock.realNow() - quietSince;
  const moved = () => {
    quietSince = deps.clock.realNow();
  };
  const note: Progress = (step, details = {}) => progress(step, { ...details, quietSince });
  note('reconciling');
  const reconciling = { deps, input, progress: note, isPatienceOver: () => age() >= input.patience, signal };
  const done = await (until === undefined
    ? reconcileLedger(reconciling)
    : compareDaily({ ...reconciling, input: { ...input, until }, moved }));
  if (done.kind === 'interrupted') {
    const [pause, left] = [Math.max(growingPause(age()), done.wait), input.patience - age()];
    if (done.away && pause >= left) return giveUp(reconciling, done.reason);
    throw tryAgain('service_unreadable', `reconciliation: ${done.reason}`, Math.min(pause, left));
  }
  if (done.kind === 'compared' && done.differences > 0) deps.log.warn(done, 'ledger and service differ');
  return done;
}

function isQuiet(details: unknown): details is Quiet {
  return typeof details === 'object' && details !== null && 'quietSince' in details;
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
 * Real time. No caller can ask for a draft that is older than its idempotency key, so its payer's data need not stay.
 * What a reconciliation found is in the trail.
 */
const DRAFTS_KEPT = 2 * DAY;
const RECONCILIATIONS_KEPT = 90 * DAY;
/** Longer than an update may wait for a worker. */
const REQUESTS_KEPT = 30 * DAY;
/** Rows of one transaction: few enough that no other transaction waits long for its locks. */
const AT_ONCE = 500;

/** One day's removal. */
export interface Removing {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'settings'>;
  /** What the run before, which died or stopped, had come to; anything else where there was none. */
  readonly resumed: unknown;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Removes expired drafts, old requests and old reconciliations in batches, and erases expired payers. Where it is interrupted, another worker continues.
 * @throws the signal's reason once the worker stops.
 */
export async function removeLeftovers({ deps, resumed, progress, signal }: Removing): Promise<Leftovers> {
  const { ledger, clock } = deps;
  const [draftsUntil, runsUntil] = [clock.realNow() - DRAFTS_KEPT, clock.realNow() - RECONCILIATIONS_KEPT];
  const requestsUntil = clock.realNow() - REQUESTS_KEPT;
  let removed = readProgress(resumed) ?? { drafts: 0, reconciliations: 0 };
  const inBatches = async (purge: () => Promise<number>, counted?: 'drafts' | 'reconciliations') => {
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
  await inBatches(() => purgeRequests(ledger, requestsUntil, AT_ONCE));
  await inBatches(() => purgeDifferences(ledger, runsUntil, AT_ONCE));
  await inBatches(() => purgeReconciliations(ledger, runsUntil, AT_ONCE), 'reconciliations');
  const days = deps.settings.payerRetentionDays;
  if (days === undefined) return removed;
  const before = removed.payers ?? 0;
  const payers = (count: number) => ({ ...removed, payers: before + count });
  return payers(
    await eraseExpiredPayers({ deps, days, signal, progress: (count) => progress('leftovers', payers(count)) }),
  );
}

function readProgress(details: unknown): Leftovers | null {
  if (typeof details !== 'object' || details === null || !('drafts' in details)) return null;
  const { drafts, reconciliations, payers } = details as Leftovers;
  return { drafts, reconciliations, ...(payers === undefined ? {} : { payers }) };
}
