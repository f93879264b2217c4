import { Context } from '@temporalio/activity';
import type {
  HousekeepingActivities,
  ReconcileInput,
  ReconciliationResult,
  Leftovers,
} from '../../src/contract/housekeeping';
import { DAY } from '../../src/domain/time';
import {
  endUnrecordableItem,
  purgeApprovals,
  purgeDifferences,
  purgeDrafts,
  purgeReconciliations,
  purgeSnapshots,
  SNAPSHOT_LIFE,
} from '../../src/ledger';
import type { TrailMemory } from '../collect/trail-memory';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import { activityAge, type Progress, tryAgain } from '../stops';
import { compareDaily } from './compare-daily';
import { decideDaily } from './decide-daily';
import { lookAtConsentsDue } from './consents-due';
import { lookForOrphans } from './orphans';
import { eraseExpiredPayers } from './expired-payers';
import { inLongRun, type LongRun, readProgress } from './long-run';
import { endRun, PATIENCE_FOR_ONE, reconcileLedger, untilNextTry } from './reconcile-ledger';

/** The daily work of one worker; its calls to the service come after all others. */
export function housekeepingActivities(deps: Dependencies, memory: TrailMemory): HousekeepingActivities {
  const asDailyWork = <T>(work: (run: LongRun) => Promise<T>) =>
    inLongRun((run) => deps.service.as('daily_work', () => work(run)));
  return {
    decideDaily: async (input) => decideDaily(deps, input),
    lookAtConsentsDue: (input) =>
      asDailyWork((run) => lookAtConsentsDue({ ...run, deps, input, age: () => activityAge(deps.clock) })),
    reconcileLedger: (input) => asDailyWork((run) => reconcile(deps, memory, input, run)),
    lookForOrphans: (input) => inLongRun((run) => lookForOrphans(deps, input, run)),
    removeLeftovers: () => inLongRun((run) => removeLeftovers({ ...run, deps })),
  };
}

/** Waits for a service that is away, but for no longer than the input says since something was compared last. */
async function reconcile(
  deps: Dependencies,
  memory: TrailMemory,
  input: ReconcileInput,
  { resumed, progress, signal }: LongRun,
): Promise<ReconciliationResult> {
  const { until } = input;
  // Where the run stands that was interrupted last; real time.
  const before = readProgress<{ readonly quietSince: number }>(resumed, 'quietSince');
  let quietSince = before?.quietSince ?? Context.current().info.scheduledTimestampMs;
  const age = () => deps.clock.realNow() - quietSince;
  const moved = () => {
    quietSince = deps.clock.realNow();
  };
  const note: Progress = (step, details = {}) => progress(step, { ...details, quietSince });
  note('reconciling');
  // The work of a day looks at them once more at its end; what compares everything has to get past each.
  const forOne = until === undefined ? Math.min(PATIENCE_FOR_ONE, input.patience) : input.patience;
  const reconciling = { deps, input, progress: note, isPatienceOver: () => age() >= forOne, moved, signal };
  const done = await (until === undefined
    ? reconcileLedger(reconciling)
    : compareDaily({ ...reconciling, deps, memory, input: { ...input, until } }));
  if (done.kind === 'interrupted') {
    const pause = untilNextTry(done, age(), input.patience);
    if (pause === null) return endRun(reconciling, done.reason);
    // Since when nothing was compared is not left to the next beat, which comes too late.
    Context.current().heartbeat({ step: 'waiting', quietSince });
    throw tryAgain('service_unreadable', `reconciliation: ${done.reason}`, pause);
  }
  if (done.kind === 'compared' && done.differences > 0) deps.log.warn(done, 'ledger and service differ');
  return done;
}

/**
 * Real time. No caller can ask for a draft that is older than its idempotency key, so its payer's data need not stay.
 * What a reconciliation found is in the trail, and so is who approved what.
 */
const DRAFTS_KEPT = 2 * DAY;
const RECORDS_KEPT = 90 * DAY;
/** Rows of one transaction: few enough that no other transaction waits long for its locks. */
const AT_ONCE = 500;

/** One day's removal. */
export interface Removing extends LongRun {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'settings'>;
}

/**
 * Removes expired drafts and snapshots of lists, old reconciliations and old approvals in batches, and erases expired payers. If it is
 * interrupted, another worker continues.
 * @throws the signal's reason once the worker stops.
 */
export async function removeLeftovers({ deps, resumed, progress, signal }: Removing): Promise<Leftovers> {
  const { ledger, clock } = deps;
  const [draftsUntil, recordsUntil] = [clock.realNow() - DRAFTS_KEPT, clock.realNow() - RECORDS_KEPT];
  let removed = readProgress<Leftovers>(resumed, 'drafts') ?? { drafts: 0, reconciliations: 0 };
  const inBatches = async (part: string, purge: () => Promise<number>, counted?: 'drafts' | 'reconciliations') => {
    const subject = { activity: 'removeLeftovers', id: part, about: {} };
    for (;;) {
      signal.throwIfAborted();
      const count = await passingOver(deps, subject, purge, () => null);
      // The other parts go on; this one is tried again the next day.
      if (count === null) return;
      await endUnrecordableItem(ledger, subject);
      if (counted !== undefined) removed = { ...removed, [counted]: removed[counted] + count };
      progress('leftovers', { ...removed });
      if (count < AT_ONCE) return;
    }
  };
  await inBatches(
    'drafts of subscriptions',
    () => purgeDrafts(ledger, 'subscriptions', draftsUntil, AT_ONCE),
    'drafts',
  );
  await inBatches('drafts of payments', () => purgeDrafts(ledger, 'payments', draftsUntil, AT_ONCE), 'drafts');
  await inBatches('list snapshots', () => purgeSnapshots(ledger, clock.realNow() - SNAPSHOT_LIFE, AT_ONCE));
  await inBatches('differences', () => purgeDifferences(ledger, recordsUntil, AT_ONCE));
  await inBatches('reconciliations', () => purgeReconciliations(ledger, recordsUntil, AT_ONCE), 'reconciliations');
  await inBatches('approvals', () => purgeApprovals(ledger, recordsUntil, AT_ONCE));
  const days = deps.settings.payerRetentionDays;
  if (days === undefined) return removed;
  const before = removed.payers ?? 0;
  const payers = (count: number) => ({ ...removed, payers: before + count });
  return payers(
    await eraseExpiredPayers({ deps, days, signal, progress: (count) => progress('leftovers', payers(count)) }),
  );
}
