import type { ReconcileInput, ReconciliationResult } from '../src/contract/housekeeping';
import { notCompared } from '../src/domain/reconciliation/subscription';
import {
  beginReconciliation,
  endReconciliation,
  placeOf,
  readPaymentsTouched,
  readReconciliation,
  type ReconciliationRun,
  recordCompared,
} from '../src/ledger';
import type { Progress } from './heartbeat';
import { comparePayment, type Comparing } from './reconcile-ledger-payment';

/** One reconciliation: what it works with, what was asked, how it reports. */
export interface Reconciling {
  readonly deps: Comparing;
  readonly input: Omit<ReconcileInput, 'patience'>;
  readonly progress: Progress;
  /** Whether the service has been waited for long enough. */
  readonly isPatienceOver: () => boolean;
  readonly signal: AbortSignal;
}

export type Reconciled =
  | ReconciliationResult
  /** No answer now; the run stands where it came to, and goes on from there. `away`: it is not this payment alone. */
  | { readonly kind: 'interrupted'; readonly reason: string; readonly away: boolean; readonly wait: number };

/** So many in a row are no longer single payments that cannot be read: the service is away. */
const UNREADABLE_IN_A_ROW = 5;

/**
 * Compares payment after payment, from where the run stands, and keeps what it finds. A single payment that cannot be
 * read in good time is itself a difference: nobody is told that all is well where not all was seen.
 */
export async function reconcileLedger(reconciling: Reconciling): Promise<Reconciled> {
  const run = await begin(reconciling);
  if (run.state !== 'running') return resultOf(run);
  const { deps, input, progress, signal, isPatienceOver } = reconciling;
  let { payments } = run;
  let unreadableInARow = 0;
  progress('reconciling', { payments, behind: run.place });
  for await (const payment of readPaymentsTouched(deps.ledger, input.span, run.place)) {
    signal.throwIfAborted();
    const comparison = await comparePayment(deps, payment, input.span);
    const unreadable = comparison.kind === 'unreadable';
    unreadableInARow = unreadable ? unreadableInARow + 1 : 0;
    if (unreadable) {
      const away = comparison.away || unreadableInARow === UNREADABLE_IN_A_ROW;
      if (away || !isPatienceOver()) return { ...comparison, kind: 'interrupted', away };
    }
    const found = unreadable ? [notCompared(comparison.reason)] : comparison.differences;
    const announceAt = input.announce ? deps.clock.now() : null;
    const goesOn = await recordCompared(deps.ledger, input.runId, payment, found, announceAt);
    if (!goesOn) return resultOf(await readRun(deps, input.runId));
    payments += 1;
    progress('reconciling', { payments, behind: placeOf(payment) });
  }
  return end(reconciling, null);
}

/** The service is away for longer than anybody waits: the run is given up, with what it has found. */
export function giveUp(reconciling: Reconciling, reason: string): Promise<ReconciliationResult> {
  return end(reconciling, reason);
}

function begin({ deps, input }: Reconciling): Promise<ReconciliationRun> {
  const { runId, span, actor } = input;
  const { clock, ledger } = deps;
  return beginReconciliation(ledger, { runId, span, actor, at: clock.now(), realAt: clock.realNow() });
}

/** Where not one payment could be read, it is the service that cannot be asked. */
async function end({ deps, input }: Reconciling, reason: string | null): Promise<ReconciliationResult> {
  const { ledger, clock } = deps;
  const run = await readRun(deps, input.runId);
  const unread = run.payments > 0 && run.notCompared === run.payments;
  const why = reason ?? (unread ? 'no payment could be read' : null);
  await endReconciliation(ledger, input.runId, why, clock.realNow());
  return resultOf(await readRun(deps, input.runId));
}

async function readRun({ ledger }: Comparing, runId: string): Promise<ReconciliationRun> {
  const run = await readReconciliation(ledger, runId);
  if (run === null) throw new Error(`the ledger has no reconciliation ${runId}`);
  return run;
}

function resultOf({ state, runId, reason, payments, differences }: ReconciliationRun): ReconciliationResult {
  if (state === 'compared' || state === 'stopped') return { kind: state, runId, payments, differences };
  return { kind: 'service_unavailable', runId, reason: reason ?? 'given up' };
}
