import { Context } from '@temporalio/activity';
import type { HousekeepingActivities, ReconcileInput, ReconciliationResult } from '../../src/contract/housekeeping';
import type { DailyOutcome } from '../../src/domain/daily-work';
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
import type { AuditMemory } from '../collect/audit-memory';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';
import { activityAge, type Progress, tryAgain } from '../stops';
import { compareDaily } from './compare-daily';
import { decideDaily } from './decide-daily';
import { checkDueConsents, type ConsentPage } from './consents-due';
import { findOrphans, type OrphanPage } from './orphans';
import { eraseExpiredPayers } from './expired-payers';
import { inLongRun, type LongRun, readProgress } from './long-run';
import { endRun, TIMEOUT_FOR_ONE, reconcileLedger, untilNextTry } from './reconcile-ledger';

/** The daily work of one worker; its calls to the service have the lowest priority. */
export function housekeepingActivities(deps: Dependencies, memory: AuditMemory): HousekeepingActivities {
  const asDailyWork = <T>(work: (run: LongRun) => Promise<T>) =>
    inLongRun((run) => deps.service.as('daily_work', () => work(run)));
  return {
    decideDaily: async (input) => decideDaily(deps, input),
    checkDueConsents: (input) =>
      asDailyWork(async (run) =>
        consentsOutcome(await checkDueConsents({ ...run, deps, input, age: () => activityAge(deps.clock) })),
      ),
    reconcileLedger: (input) => asDailyWork((run) => reconcile(deps, memory, input, run)),
    findOrphans: (input) => inLongRun(async (run) => orphansOutcome(await findOrphans(deps, input, run))),
    removeLeftovers: () => inLongRun(async (run) => leftoversOutcome(await removeLeftovers({ ...run, deps }))),
  };
}

function consentsOutcome({ asked, ended, unreadable, after }: ConsentPage): DailyOutcome {
  return { kind: 'page', counts: { asked, ended, 'not readable': unreadable }, after };
}

function orphansOutcome({ checked, orphaned, after }: OrphanPage): DailyOutcome {
  return { kind: 'page', counts: { checked, 'without a workflow': orphaned }, after };
}

function leftoversOutcome({ drafts, reconciliations, payers }: Leftovers): DailyOutcome {
  const erased = payers === undefined ? '' : `, ${payers} payers erased`;
  return { kind: 'done', words: `${drafts} drafts and ${reconciliations} old reconciliations removed${erased}` };
}

/** Runs one comparison. Waits for an unavailable service, and gives up if nothing could be compared for as long as the input permits. */
async function reconcile(
  deps: Dependencies,
  memory: AuditMemory,
  input: ReconcileInput,
  { resumed, progress, signal }: LongRun,
): Promise<ReconciliationResult> {
  const { until } = input;
  // Left by the interrupted run, real time.
  const before = readProgress<{ readonly quietSince: number }>(resumed, 'quietSince');
  let quietSince = before?.quietSince ?? Context.current().info.scheduledTimestampMs;
  const age = () => deps.clock.realNow() - quietSince;
  const onCompared = () => {
    quietSince = deps.clock.realNow();
  };
  const note: Progress = (step, details = {}) => progress(step, { ...details, quietSince });
  note('reconciling');
  // The daily work retries unreadable payments at its end; a comparison of everything has to get past each.
  const timeout = until === undefined ? Math.min(TIMEOUT_FOR_ONE, input.timeout) : input.timeout;
  const reconciling = { deps, input, progress: note, hasTimedOut: () => age() >= timeout, onCompared, signal };
  const done = await (until === undefined
    ? reconcileLedger(reconciling)
    : compareDaily({ ...reconciling, deps, memory, input: { ...input, until } }));
  if (done.kind === 'interrupted') {
    const wait = untilNextTry(done, age(), input.timeout);
    if (wait === null) return endRun(reconciling, done.reason);
    // Sent now: the next regular heartbeat would come too late to keep `quietSince`.
    Context.current().heartbeat({ step: 'waiting', quietSince });
    throw tryAgain('service_unreadable', `reconciliation: ${done.reason}`, wait);
  }
  if (done.kind === 'compared' && done.differences > 0) deps.log.warn(done, 'ledger and service differ');
  return done;
}

/**
 * Real time. No caller can ask for a draft that is older than its idempotency key, so its payer's data need not stay.
 * Findings of reconciliations, and who approved what, stay in the audit log.
 */
const DRAFT_RETENTION = 2 * DAY;
const RECORD_RETENTION = 90 * DAY;
/** Rows per transaction: few enough that no other transaction waits long for its locks. */
const BATCH_SIZE = 500;

export interface Leftovers {
  readonly drafts: number;
  readonly reconciliations: number;
  /** Payers erased because everything of theirs ended long ago; absent if no retention period is configured. */
  readonly payers?: number;
}

/** One day's removal. */
export interface Removing extends LongRun {
  readonly deps: Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'settings'>;
}

/**
 * Removes expired drafts and list snapshots, old reconciliations and old approvals in batches, and erases expired payers. If it is
 * interrupted, another worker continues.
 * @throws the signal's reason once the worker stops
 */
export async function removeLeftovers({ deps, resumed, progress, signal }: Removing): Promise<Leftovers> {
  const { ledger, clock } = deps;
  const [draftsUntil, recordsUntil] = [clock.realNow() - DRAFT_RETENTION, clock.realNow() - RECORD_RETENTION];
  let removed = readProgress<Leftovers>(resumed, 'drafts') ?? { drafts: 0, reconciliations: 0 };
  const inBatches = async (part: string, purge: () => Promise<number>, counted?: 'drafts' | 'reconciliations') => {
    const subject = { activity: 'removeLeftovers', id: part, about: {} };
    for (;;) {
      signal.throwIfAborted();
      const count = await skipIfRefused(deps, subject, purge, () => null);
      // The other parts continue; this one is retried the next day.
      if (count === null) return;
      await endUnrecordableItem(ledger, subject);
      if (counted !== undefined) removed = { ...removed, [counted]: removed[counted] + count };
      progress('leftovers', { ...removed });
      if (count < BATCH_SIZE) return;
    }
  };
  await inBatches(
    'drafts of subscriptions',
    () => purgeDrafts(ledger, 'subscriptions', draftsUntil, BATCH_SIZE),
    'drafts',
  );
  await inBatches('drafts of payments', () => purgeDrafts(ledger, 'payments', draftsUntil, BATCH_SIZE), 'drafts');
  await inBatches('list snapshots', () => purgeSnapshots(ledger, clock.realNow() - SNAPSHOT_LIFE, BATCH_SIZE));
  await inBatches('differences', () => purgeDifferences(ledger, recordsUntil, BATCH_SIZE));
  await inBatches('reconciliations', () => purgeReconciliations(ledger, recordsUntil, BATCH_SIZE), 'reconciliations');
  await inBatches('approvals', () => purgeApprovals(ledger, recordsUntil, BATCH_SIZE));
  const days = deps.settings.payerRetentionDays;
  if (days === undefined) return removed;
  const before = removed.payers ?? 0;
  const payers = (count: number) => ({ ...removed, payers: before + count });
  return payers(
    await eraseExpiredPayers({ deps, days, signal, progress: (count) => progress('leftovers', payers(count)) }),
  );
}
