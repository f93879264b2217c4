import type { ReconcileInput, ReconciliationResult } from '../../src/contract/housekeeping';
import { growingWait } from '../../src/domain/attempt/waits';
import { type Difference, notCompared } from '../../src/domain/reconciliation/subscription';
import { SECOND, type Period } from '../../src/domain/time';
import { actorOf } from '../../src/domain/audit/event';
import {
  acceptRestored,
  beginReconciliation,
  DUEDAY,
  endUnrecordableItem,
  endUnrecordableItems,
  endReconciliation,
  isRestoreNoticed,
  noticeRestore,
  positionAfter,
  readPaymentsTouched,
  readReconciliation,
  type ReconciliationRun,
  recordCompared,
  type ComparedPayment,
} from '../../src/ledger';
import { skipIfRefused } from '../refused-writes';
import type { Progress } from '../stops';
import { comparePayment, type Comparing, type Comparison } from './compare-payment';
import {
  RESTORE_BATCH_SIZE,
  inBatches,
  RESTORE_CONCURRENCY,
  CHECK_BATCH_SIZE,
  checkUntilUnavailable,
} from './concurrent-checks';
import { recoverAttempts } from './recover-attempts';

/** One reconciliation: its dependencies, input and callbacks. */
export interface Reconciling {
  readonly deps: Comparing;
  readonly input: Omit<ReconcileInput, 'timeout'>;
  readonly progress: Progress;
  /** Whether the run has waited long enough for a payment that cannot be read. */
  readonly hasTimedOut: () => boolean;
  /** Called when something was compared: the time-out for an unavailable service restarts. */
  readonly onCompared: () => void;
  readonly signal: AbortSignal;
}

export type Reconciled =
  | ReconciliationResult
  /**
   * No answer now; the run continues from where it stopped. `isUnavailable`: the service does not answer at all, not only for
   * this payment.
   */
  | { readonly kind: 'interrupted'; readonly reason: string; readonly isUnavailable: boolean; readonly wait: number };

/**
 * Real ms until an interrupted run is retried; null if the service has been unavailable for longer than the run waits.
 * @param quietFor real ms since something was last compared
 */
export function untilNextTry(
  { isUnavailable, wait }: Extract<Reconciled, { kind: 'interrupted' }>,
  quietFor: number,
  timeout: number,
): number | null {
  const [wanted, left] = [Math.max(growingWait(quietFor), wait), timeout - quietFor];
  return isUnavailable && wanted >= left ? null : Math.max(0, Math.min(wanted, left));
}

/** This many unreadable answers in a row mean that the service is unavailable, not that single payments cannot be read. */
export const UNREADABLE_IN_A_ROW = 5;

/** Real ms for which a comparison of everything retries a single payment that cannot be read. */
export const TIMEOUT_FOR_ONE = 10 * SECOND;

/**
 * Compares every payment from the run's position on and stores the findings. A single payment that cannot be read in time is itself a
 * difference: a report without differences means that every payment was read. If the ledger was restored, records that it lacks and
 * that can only be ours are entered first; if nothing differs then, sending continues.
 */
export async function reconcileLedger(reconciling: Reconciling): Promise<Reconciled> {
  const { clock, ledger } = reconciling.deps;
  await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow() });
  const isRestored = await isRestoreNoticed(ledger);
  const run = await begin(reconciling);
  if (run.state !== 'running') return resultOf(run);
  const { input, progress, signal } = reconciling;
  let { payments } = run;
  progress('reconciling', { payments, after: run.position });
  const advance = (payment: ComparedPayment) => {
    payments += 1;
    progress('reconciling', { payments, after: positionAfter(payment) });
  };
  const atOnce = isRestored ? RESTORE_BATCH_SIZE : CHECK_BATCH_SIZE;
  for await (const batch of inBatches(readPaymentsTouched(ledger, input.period, run.position), atOnce)) {
    signal.throwIfAborted();
    const stop = await compareTogether(reconciling, batch, { isRestored, advance });
    if (stop !== null) return stop;
  }
  return endRun(reconciling, null);
}

/**
 * Compares a batch, and stores the results in their order, up to the first payment that has to be read again.
 * @returns null if the run continues
 */
async function compareTogether(
  { deps, input, signal, hasTimedOut, onCompared }: Reconciling,
  payments: readonly ComparedPayment[],
  { isRestored, advance }: { readonly isRestored: boolean; readonly advance: (compared: ComparedPayment) => void },
): Promise<Reconciled | null> {
  const isLastTry = hasTimedOut();
  const compare = isRestored ? compareRestored : comparePayment;
  const { results } = await checkUntilUnavailable<ComparedPayment, Comparison>({
    items: payments,
    signal,
    ...(isRestored ? { concurrency: RESTORE_CONCURRENCY } : {}),
    check: (payment) => compare(deps, payment, input.period),
    isUnavailable: (result) => result.isUnavailable,
  });
  const written: string[] = [];
  for (const [position, { item: payment, result }] of results.entries()) {
    if (result.kind === 'unreadable') {
      const next = results
        .slice(position, position + UNREADABLE_IN_A_ROW)
        .filter((each) => each.result.kind === 'unreadable');
      const isUnavailable = result.isUnavailable || next.length === UNREADABLE_IN_A_ROW;
      if (isUnavailable || !isLastTry) return { ...result, kind: 'interrupted', isUnavailable };
    }
    const found = result.kind === 'unreadable' ? [notCompared(result.reason)] : result.differences;
    const announceAt = input.announce ? deps.clock.now() : null;
    const record = (differences: readonly Difference[]) =>
      recordCompared(deps.ledger, input.runId, payment, differences, announceAt);
    const goesOn = await skipIfRefused(
      deps,
      refusedOf(payment),
      async () => {
        const isRunning = await record(found);
        written.push(payment.paymentId);
        return isRunning;
      },
      (reason) => record([notCompared(reason)]),
    );
    if (!goesOn) return resultOf(await readRun(deps, input.runId));
    if (result.kind === 'compared') onCompared();
    advance(payment);
  }
  await endUnrecordableItems(deps.ledger, RECONCILING, written);
  return null;
}

export const RECONCILING = 'reconcileLedger';

/** The subject of a comparison whose result the ledger refuses to store. */
export function refusedOf({ subscriptionId, paymentId }: ComparedPayment) {
  return { activity: RECONCILING, id: paymentId, about: { subscriptionId, paymentId } };
}

/** Starts the run, or reads it at its current position. */
export function begin({ deps, input }: Pick<Reconciling, 'deps' | 'input'>): Promise<ReconciliationRun> {
  const { runId, period } = input;
  const { clock, ledger } = deps;
  return beginReconciliation(ledger, { ...actorOf(input), runId, period, at: clock.now(), realAt: clock.realNow() });
}

/**
 * Ends the run with its findings. If not one payment could be read, the service is unavailable.
 * @param reason why it is given up: the service has been unavailable for longer than the run waits; null if it is not
 */
export async function endRun({ deps, input }: Reconciling, reason: string | null): Promise<ReconciliationResult> {
  const { ledger, clock } = deps;
  const run = await readRun(deps, input.runId);
  const unread = run.payments > 0 && run.notCompared === run.payments;
  const why = reason ?? (unread ? 'no payment could be read' : null);
  await endReconciliation(ledger, input.runId, why, clock.realNow());
  await acceptRestored(ledger, { actor: DUEDAY, at: clock.now() });
  return resultOf(await readRun(deps, input.runId));
}

/** @throws if the ledger has no such run */
export async function readRun({ ledger }: Comparing, runId: string): Promise<ReconciliationRun> {
  const run = await readReconciliation(ledger, runId);
  if (run === null) throw new Error(`the ledger has no reconciliation ${runId}`);
  return run;
}

/** The result of a run that has ended. */
export function resultOf({ state, runId, reason, payments, differences }: ReconciliationRun): ReconciliationResult {
  if (state === 'compared' || state === 'stopped') return { kind: state, runId, payments, differences };
  return { kind: 'service_unavailable', runId, reason: reason ?? 'given up' };
}

/** Compares a payment like {@link comparePayment}, after entering lost records. */
async function compareRestored(comparing: Comparing, payment: ComparedPayment, period: Period): Promise<Comparison> {
  const found = await comparePayment(comparing, payment, period);
  if (found.kind === 'unreadable' || payment.subscriptionId === null) return found;
  // If the ledger refuses to store it, it remains a difference.
  const subject = { ...refusedOf(payment), activity: 'recoverAttempts' };
  const isAnyEntered = await skipIfRefused(
    comparing,
    subject,
    async () => {
      const entered = await recoverAttempts(comparing, payment, {
        hasDifferences: found.differences.length > 0,
        records: found.records,
      });
      await endUnrecordableItem(comparing.ledger, subject);
      return entered;
    },
    () => false,
  );
  return isAnyEntered ? comparePayment(comparing, payment, period) : found;
}
