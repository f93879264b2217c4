import { notCompared } from '../../src/domain/reconciliation/subscription';
import { COMPARE_BACK } from '../../src/domain/subscription/schedule';
import { DAY, type Instant, type Period } from '../../src/domain/time';
import {
  type ComparedWaiting,
  comparedPaymentOf,
  dropWaiting,
  endDailyRun,
  endUnrecordableItem,
  endUnrecordableItems,
  isRefusedByLedger,
  noteChanges,
  readChanged,
  readDailyShare,
  readFollowed,
  readLongestWaiting,
  recordDailyCompared,
  rewindMark,
  type WaitingPayment,
  type WaitingPosition,
} from '../../src/ledger';
import { followRefused } from '../collect/reopened';
import type { AuditMemory } from '../collect/audit-memory';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';
import { comparePayment, type Comparison, readLedgerRecords } from './compare-payment';
import { CHECK_BATCH_SIZE, checkUntilUnavailable } from './concurrent-checks';
import type { LedgerRecords } from './service-records';
import {
  begin,
  readRun,
  type Reconciled,
  RECONCILING,
  type Reconciling,
  refusedOf,
  resultOf,
  UNREADABLE_IN_A_ROW,
} from './reconcile-ledger';

/** One day's comparison. */
export interface DailyComparing extends Omit<Reconciling, 'input'> {
  readonly deps: Dependencies;
  /** The audit memory of this worker. */
  readonly memory: AuditMemory;
  readonly input: Reconciling['input'] & { readonly until: Instant };
}

/**
 * Compares the payments that have changed since they were last compared, then those that have waited longest: a share of all payments
 * each day, and more if more have waited for too long. If it is interrupted, or the day ends, the next run continues from there: the
 * ledger stores when each payment was compared. Single payments that cannot be read are retried at the end. If they still cannot be read,
 * the run is interrupted and repeated; in its last try they are differences.
 */
export async function compareDaily(comparing: DailyComparing): Promise<Reconciled> {
  const { deps, input, signal } = comparing;
  const run = await begin(comparing);
  if (run.state !== 'running') return resultOf(run);
  while (await noteChanges(deps.ledger)) signal.throwIfAborted();
  // Slow transactions may still commit entries with lower ids.
  await rewindMark(deps.ledger);
  const unread: WaitingPayment[] = [];
  for await (const found of readWaiting(comparing, run.payments)) {
    if (found.length === 0) continue;
    signal.throwIfAborted();
    if (deps.clock.now() >= input.until) return end(comparing, false);
    const done = await compareTogether(comparing, found);
    if (done.kind !== 'recorded') return done;
    unread.push(...done.unread);
  }
  if (unread.length > 0) {
    const done = await compareTogether(comparing, unread);
    if (done.kind !== 'recorded') return done;
    const [left] = done.reasons;
    if (left !== undefined) return { ...left, kind: 'interrupted' };
  }
  return end(comparing, true);
}

/**
 * The payments to compare in this run, in batches, most urgent first.
 * @param alreadyCompared the number of payments that the run has compared: they count towards the day's share
 */
async function* readWaiting(
  { deps: { ledger, settings }, input: { period, runId } }: DailyComparing,
  alreadyCompared: number,
): AsyncGenerator<readonly WaitingPayment[], void> {
  const endOfDay = period.to;
  const everyDays = settings.reconcileEveryDays;
  let followed: readonly WaitingPayment[] = [];
  do {
    followed = await readFollowed(ledger, runId, followed.at(-1)?.position ?? '', CHECK_BATCH_SIZE);
    yield followed;
  } while (followed.length > 0);
  let changed: readonly WaitingPayment[] = [];
  do {
    changed = await readChanged(ledger, changed.at(-1)?.position ?? '', CHECK_BATCH_SIZE);
    yield withoutPast(ledger, changed, endOfDay);
  } while (changed.length > 0);
  // What has waited since before this must be compared today: tomorrow it would have waited for too long.
  const mustBeComparedIfBefore = endOfDay - (everyDays - 1) * DAY;
  let left = (await readDailyShare(ledger, everyDays)) - alreadyCompared;
  let position: WaitingPosition = { waitsSince: 0, position: '' };
  for (;;) {
    const found = await readLongestWaiting(ledger, endOfDay, position, CHECK_BATCH_SIZE);
    const due = found.filter(({ waitsSince }, index) => waitsSince < mustBeComparedIfBefore || index < left);
    yield withoutPast(ledger, due, endOfDay);
    const last = found.at(-1);
    if (last === undefined || due.length < found.length) return;
    left -= due.length;
    position = last;
  }
}

/**
 * Drops payments that ended long ago, unless they differ (an item closes only when both sides agree) or are still
 * followed.
 */
async function withoutPast(
  ledger: Dependencies['ledger'],
  found: readonly WaitingPayment[],
  endOfDay: Instant,
): Promise<readonly WaitingPayment[]> {
  const isPast = ({ isLive, isFollowed, differsSince, touchedAt }: WaitingPayment) =>
    !isLive && !isFollowed && differsSince === null && touchedAt < endOfDay - COMPARE_BACK;
  const past = found.filter(isPast);
  if (past.length > 0) await dropWaiting(ledger, past);
  return found.filter((each) => !isPast(each));
}

type Unreadable = Extract<Comparison, { kind: 'unreadable' }>;

type BatchResult =
  | Reconciled
  | {
      readonly kind: 'recorded';
      readonly unread: readonly WaitingPayment[];
      /** Why each of them could not be read. */
      readonly reasons: readonly Unreadable[];
    };

/**
 * Compares a batch of payments and records the results. After the time-out, each payment that cannot be read is a difference, however
 * many there are, so that they do not hold up the others.
 */
async function compareTogether(comparing: DailyComparing, payments: readonly WaitingPayment[]): Promise<BatchResult> {
  const { deps, input, signal, progress, onCompared, hasTimedOut } = comparing;
  const at = deps.clock.now();
  const isLastTry = hasTimedOut();
  const recorded = await readLedgerRecords(deps, payments.map(comparedPaymentOf));
  const { results, unavailable } = await checkUntilUnavailable<WaitingPayment, Comparison>({
    items: payments,
    signal,
    check: (payment) =>
      compareAndFollow(comparing, payment, periodOf(payment, input.period, at), recorded.get(payment.paymentId)),
    isUnavailable: (result, inARow) => result.isUnavailable || (!isLastTry && inARow >= UNREADABLE_IN_A_ROW),
  });
  const isFinal = isLastTry && unavailable === null;
  const compared = results.flatMap(({ item: payment, result }): ComparedWaiting[] => {
    const about = { payment, period: periodOf(payment, input.period, at) };
    if (result.kind === 'compared') return [{ ...about, differences: result.differences }];
    return isFinal ? [{ ...about, differences: [notCompared(result.reason)] }] : [];
  });
  if (compared.length > 0) {
    const isContinued = await recordAll(comparing, compared, at);
    if (!isContinued) return resultOf(await readRun(deps, input.runId));
    onCompared();
  }
  progress('comparing', { after: payments.at(-1)?.position ?? '' });
  if (unavailable !== null) return { ...unavailable, kind: 'interrupted' };
  const left = isFinal ? [] : results.filter(({ result }) => result.kind === 'unreadable');
  const reasons = left.map(({ result }) => result).filter((each) => each.kind === 'unreadable');
  return { kind: 'recorded', unread: left.map(({ item }) => item), reasons };
}

/**
 * Compares one payment, and follows a refused debit that the service may have executed after all. Perhaps nothing else will check it:
 * there may be no cycle left, or the next one may be a year away (rule 36).
 */
async function compareAndFollow(
  comparing: DailyComparing,
  waiting: WaitingPayment,
  period: Period,
  recorded: LedgerRecords | undefined,
): Promise<Comparison> {
  const { deps } = comparing;
  const payment = comparedPaymentOf(waiting);
  const found = await comparePayment(deps, payment, period, recorded);
  if (found.kind === 'unreadable' || payment.subscriptionId === null) return found;
  if (!waiting.isFollowed && !found.isRefusalContradicted) return found;
  const subject = { ...refusedOf(payment), activity: 'followRefused' };
  // If the ledger refuses to store what is found, it remains a difference.
  const isFollowed = await skipIfRefused(
    deps,
    subject,
    async () => {
      await followRefused(comparing, payment, found.records);
      await endUnrecordableItem(deps.ledger, subject);
      return true;
    },
    () => false,
  );
  return isFollowed ? comparePayment(deps, payment, period) : found;
}

/**
 * Records all results at once. If the ledger refuses one of them, records them one by one; a payment whose result is refused is
 * recorded as not compared.
 * @returns whether the run continues
 */
async function recordAll(
  { deps, input }: DailyComparing,
  compared: readonly ComparedWaiting[],
  at: Instant,
): Promise<boolean> {
  const record = async (some: readonly ComparedWaiting[]) => {
    const isContinued = await recordDailyCompared(deps.ledger, input.runId, some, at);
    const payments = some.map(({ payment }) => payment.paymentId);
    await endUnrecordableItems(deps.ledger, RECONCILING, payments);
    return isContinued;
  };
  try {
    return await record(compared);
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
  }
  for (const each of compared) {
    const { payment } = each;
    const asNotCompared = (reason: string) =>
      recordDailyCompared(deps.ledger, input.runId, [{ ...each, differences: [notCompared(reason)] }], at);
    const isContinued = await skipIfRefused(
      deps,
      refusedOf(comparedPaymentOf(payment)),
      () => record([each]),
      asNotCompared,
    );
    if (!isContinued) return false;
  }
  return true;
}

/** The period to compare, from the earliest of: the start of the run's period, a day before the last comparison, the oldest difference. */
function periodOf({ waitsSince, differsSince }: WaitingPayment, { from }: Period, at: Instant): Period {
  return { from: Math.min(from, waitsSince - DAY, differsSince ?? Infinity), to: at };
}

async function end({ deps, input }: DailyComparing, isComplete: boolean): Promise<Reconciled> {
  const { ledger, clock } = deps;
  const { runId, period } = input;
  await endDailyRun(ledger, { runId, period, isComplete, at: clock.now(), realAt: clock.realNow() });
  return resultOf(await readRun(deps, runId));
}
