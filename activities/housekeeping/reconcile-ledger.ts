import type { ReconcileInput, ReconciliationResult } from '../../src/contract/housekeeping';
import { growingPause } from '../../src/domain/attempt/pauses';
import { revived } from '../../src/domain/evidence';
import {
  notCompared,
  type Difference,
  findDifferences,
  findOneTimeDifferences,
  isBeyondLists,
  isWithin,
  keyOfDifference,
  type LedgerPayment,
} from '../../src/domain/reconciliation/subscription';
import { DAY, SECOND, type Span } from '../../src/domain/time';
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
  placeOf,
  readPaymentsTouched,
  readReconciliation,
  type ReconciliationRun,
  recordCompared,
  type ComparedPayment,
  readLedgerOneTimePayment,
  readLedgerPayment,
} from '../../src/ledger';
import { listed } from '../collect/debit-records';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import type { Progress } from '../stops';
import { COMPARED_AT_ONCE_AFTER_RESTORE, inBatches, LANES_OF_RESTORE, LOOKED_AT_ONCE, lookUntilAway } from './lanes';
import { recoverAttempts, type Shown } from './recover-attempts';
import { askService, type OnRecord, type Unreadable } from './service-records';

/** One reconciliation: what it works with, what was asked, how it reports. */
export interface Reconciling {
  readonly deps: Comparing;
  readonly input: Omit<ReconcileInput, 'patience'>;
  readonly progress: Progress;
  /** Whether a payment that cannot be read has been waited for long enough. */
  readonly isPatienceOver: () => boolean;
  /** That something was compared: a service that was away is waited for anew. */
  readonly moved: () => void;
  readonly signal: AbortSignal;
}

export type Reconciled =
  | ReconciliationResult
  /** No answer now; the run stands where it came to, and goes on from there. `away`: it is not this payment alone. */
  | { readonly kind: 'interrupted'; readonly reason: string; readonly away: boolean; readonly wait: number };

/**
 * Real ms until an interrupted run is tried again; null where the service is away for longer than it is waited for.
 * @param quietFor real ms since something was compared last
 */
export function untilNextTry(
  { away, wait }: Extract<Reconciled, { kind: 'interrupted' }>,
  quietFor: number,
  patience: number,
): number | null {
  const [pause, left] = [Math.max(growingPause(quietFor), wait), patience - quietFor];
  return away && pause >= left ? null : Math.max(0, Math.min(pause, left));
}

/** So many in a row are no longer single payments that cannot be read: the service is away. */
export const UNREADABLE_IN_A_ROW = 5;

/** Real ms for which a comparison of everything asks for a single payment again that cannot be read. */
export const PATIENCE_FOR_ONE = 10 * SECOND;

/**
 * Compares every payment, from where the run stands, and keeps what it finds. A single payment that cannot be
 * read in good time is itself a difference: a report without differences means that every payment was read. Where the ledger
 * was restored, what it lacks and can only be ours is entered first, and where nothing differs then, sending goes on.
 */
export async function reconcileLedger(reconciling: Reconciling): Promise<Reconciled> {
  const { clock, ledger } = reconciling.deps;
  await noticeRestore(ledger, { at: clock.now(), realAt: clock.realNow() });
  const isRestored = await isRestoreNoticed(ledger);
  const run = await begin(reconciling);
  if (run.state !== 'running') return resultOf(run);
  const { input, progress, signal } = reconciling;
  let { payments } = run;
  progress('reconciling', { payments, behind: run.place });
  const told = (payment: ComparedPayment) => {
    payments += 1;
    progress('reconciling', { payments, behind: placeOf(payment) });
  };
  const atOnce = isRestored ? COMPARED_AT_ONCE_AFTER_RESTORE : LOOKED_AT_ONCE;
  for await (const batch of inBatches(readPaymentsTouched(ledger, input.span, run.place), atOnce)) {
    signal.throwIfAborted();
    const stop = await compareTogether(reconciling, batch, { isRestored, told });
    if (stop !== null) return stop;
  }
  return endRun(reconciling, null);
}

/**
 * Keeps what some of them come to in their order, up to the first that has to be asked for again.
 * @returns null where the run goes on
 */
async function compareTogether(
  { deps, input, signal, isPatienceOver, moved }: Reconciling,
  payments: readonly ComparedPayment[],
  { isRestored, told }: { readonly isRestored: boolean; readonly told: (kept: ComparedPayment) => void },
): Promise<Reconciled | null> {
  const isLastTry = isPatienceOver();
  const compare = isRestored ? compareRestored : comparePayment;
  const { looks } = await lookUntilAway<ComparedPayment, Comparison>({
    items: payments,
    signal,
    ...(isRestored ? { lanes: LANES_OF_RESTORE } : {}),
    look: (payment) => compare(deps, payment, input.span),
    isAway: (look) => look.away,
  });
  const written: string[] = [];
  for (const [place, { item: payment, look }] of looks.entries()) {
    if (look.kind === 'unreadable') {
      const row = looks.slice(place, place + UNREADABLE_IN_A_ROW).filter((each) => each.look.kind === 'unreadable');
      const away = look.away || row.length === UNREADABLE_IN_A_ROW;
      if (away || !isLastTry) return { ...look, kind: 'interrupted', away };
    }
    const found = look.kind === 'unreadable' ? [notCompared(look.reason)] : look.differences;
    const announceAt = input.announce ? deps.clock.now() : null;
    const record = (differences: readonly Difference[]) =>
      recordCompared(deps.ledger, input.runId, payment, differences, announceAt);
    const goesOn = await passingOver(
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
    if (look.kind === 'compared') moved();
    told(payment);
  }
  await endUnrecordableItems(deps.ledger, RECONCILING, written);
  return null;
}

export const RECONCILING = 'reconcileLedger';

/** Of a payment whose comparison the ledger refuses to hold. */
export function refusedOf({ subscriptionId, paymentId }: ComparedPayment) {
  return { activity: RECONCILING, id: paymentId, about: { subscriptionId, paymentId } };
}

/** Begins the run, or finds it as far as it has come. */
export function begin({ deps, input }: Pick<Reconciling, 'deps' | 'input'>): Promise<ReconciliationRun> {
  const { runId, span } = input;
  const { clock, ledger } = deps;
  return beginReconciliation(ledger, { ...actorOf(input), runId, span, at: clock.now(), realAt: clock.realNow() });
}

/**
 * Ends the run, with what it has found. Where not one payment could be read, it is the service that cannot be asked.
 * @param reason why it is given up: the service is away for longer than the run waits; null where it is not
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

/** @throws where the ledger has no such run. */
export async function readRun({ ledger }: Comparing, runId: string): Promise<ReconciliationRun> {
  const run = await readReconciliation(ledger, runId);
  if (run === null) throw new Error(`the ledger has no reconciliation ${runId}`);
  return run;
}

/** Of a run that is over. */
export function resultOf({ state, runId, reason, payments, differences }: ReconciliationRun): ReconciliationResult {
  if (state === 'compared' || state === 'stopped') return { kind: state, runId, payments, differences };
  return { kind: 'service_unavailable', runId, reason: reason ?? 'given up' };
}

/** What comparing stands on: no more than the ledger, the service and the time, so that it can be done anywhere. */
export interface Comparing extends Pick<Dependencies, 'ledger' | 'service' | 'clock'> {
  readonly settings: Pick<Dependencies['settings'], 'listDays'>;
}

export type Comparison =
  | {
      readonly kind: 'compared';
      readonly differences: readonly Difference[];
      readonly shown: Shown;
      /** What was refused is listed, or captured, after all: of a subscription, whenever it was (rule 36). */
      readonly isRefusalContradicted: boolean;
    }
  | Unreadable;

/**
 * Holds one payment against the service. What differs is looked at once more, and counts only where it is found again:
 * a send may have begun between reading the ledger and reading the service.
 */
export async function comparePayment(comparing: Comparing, payment: ComparedPayment, span: Span): Promise<Comparison> {
  const first = await look(comparing, payment, span);
  if (first.kind === 'unreadable' || first.differences.length === 0) return first;
  const second = await look(comparing, payment, span);
  if (second.kind === 'unreadable') return second;
  const seen = first.differences.map(keyOfDifference);
  return { ...second, differences: second.differences.filter((each) => seen.includes(keyOfDifference(each))) };
}

/** The ledger first: what it calls final was final at the service before. */
async function look(comparing: Comparing, payment: ComparedPayment, span: Span): Promise<Comparison> {
  const { clock, settings } = comparing;
  const ledger = await readLedger(comparing, payment);
  const service = await askService(comparing, ledger);
  if (service.kind === 'unreadable') return service;
  const differences =
    ledger.subscriptionId === null
      ? findOneTimeDifferences(ledger, service.records, { business: clock.now(), real: clock.realNow() })
      : findDifferences(ledger, service.records, clock.now());
  const listedSince = settings.listDays === undefined ? -Infinity : clock.now() - settings.listDays * DAY;
  const found = differences.filter((each) => isWithin(span, each) && !isBeyondLists(each, listedSince));
  return {
    kind: 'compared',
    differences: found,
    shown: service.records,
    isRefusalContradicted: ledger.subscriptionId !== null && isRefusalContradicted(ledger, service.records),
  };
}

function isRefusalContradicted({ attempts }: LedgerPayment, { authorizations, captures }: Shown): boolean {
  const known = attempts.flatMap(({ authorizationId: id, state, captureId }) =>
    id === null ? [] : [{ id, state, captureId }],
  );
  return revived(authorizations.map(listed), captures, known).length > 0;
}

function readLedger({ ledger }: Comparing, payment: ComparedPayment): Promise<OnRecord> {
  if (payment.subscriptionId === null) return readLedgerOneTimePayment(ledger, payment.paymentId);
  return readLedgerPayment(ledger, payment);
}

/** As {@link comparePayment}, once what was lost is entered. */
async function compareRestored(comparing: Comparing, payment: ComparedPayment, span: Span): Promise<Comparison> {
  const found = await comparePayment(comparing, payment, span);
  if (found.kind === 'unreadable' || payment.subscriptionId === null) return found;
  // What cannot be entered stays a difference.
  const subject = { ...refusedOf(payment), activity: 'recoverAttempts' };
  const isMore = await passingOver(
    comparing,
    subject,
    async () => {
      const isAnyEntered = await recoverAttempts(comparing, payment, found);
      await endUnrecordableItem(comparing.ledger, subject);
      return isAnyEntered;
    },
    () => false,
  );
  return isMore ? comparePayment(comparing, payment, span) : found;
}
