import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  endRun,
  TIMEOUT_FOR_ONE,
  type Reconciling,
  reconcileLedger,
  untilNextTry,
} from '../../activities/housekeeping/reconcile-ledger';
import type { Progress } from '../../activities/stops';
import { LAST_INSTANT, parseInstant, Reason } from '../admin/http/fields';
import { type ReconciliationReport, ReconciliationReportOut, viewReconciliation } from '../admin/reports/schema';
import { type Config, loadQuietly } from '../config';
import { counted } from '../domain/money';
import { describeDifference } from '../domain/reconciliation/records';
import { endOf, estimate } from '../domain/reconciliation/estimate';
import { MINUTE, SECOND, type Period, toIso } from '../domain/time';
import {
  acceptMoved,
  acceptRestored,
  countComparable,
  type Db,
  type DifferenceRecord,
  isRestoreNoticed,
  listDifferences,
  noticeRestore,
  readReconciliation,
  readReport,
  type ReconciliationRun,
} from '../ledger';
import { createLogger } from '../platform/log';
import { refuseOldSchema } from '../process/command';
import { BadInputError, CommandError, reaching } from '../process/command-error';
import { openDependencies, type Dependencies } from '../process/dependencies';
import { print, printTable } from './output';

export interface ReconcileArguments {
  readonly from?: string;
  readonly to?: string;
  readonly restored?: boolean;
  /** Why nothing was lost although the database has changed. */
  readonly nothingLost?: string;
  readonly json?: boolean;
}

/** Needs only the ledger and the service: no Temporal, no running daemon. */
const NEEDS = [
  'DATABASE_URL',
  'PAYMENT_SERVICE_BASE_URL',
  'PAYMENT_SERVICE_CLIENT_ID',
  'PAYMENT_SERVICE_CLIENT_SECRET',
] as const;

/**
 * Real ms for which an unavailable service is retried: short at first, so that the operator soon knows; long later, so that
 * hours of comparison are not lost to a brief fault.
 */
const TIMEOUTS = { atFirst: 10 * SECOND, underWay: 10 * MINUTE };
/** Real ms between two progress lines. */
const REPORT_EVERY = 10 * SECOND;

const ACTOR = 'command line';

/**
 * Compares the ledger with the service's records, or accepts an operator's statement that nothing was lost; exit code 1 if they
 * differ, or if sending stays halted because the ledger was restored.
 */
export async function runReconcile(asked: ReconcileArguments): Promise<void> {
  const period = readPeriod(asked);
  const config = loadQuietly(NEEDS);
  const parts = openDependencies(config, createLogger(config.LOG_LEVEL), { works: true, serves: false });
  try {
    await refuseOldSchema(parts.ledgers.collecting);
    if (asked.nothingLost === undefined) await compareAndReport(parts, config, period, asked);
    else await acceptStatement(parts, asked.nothingLost);
  } finally {
    await parts.close();
  }
}

async function compareAndReport(
  parts: Dependencies,
  config: Config,
  period: Period,
  asked: ReconcileArguments,
): Promise<void> {
  const isRestored = await recordRestore(parts, asked);
  const runId = await compare(parts, config, period);
  const differs = await printReport(parts, runId, asked.json === true);
  const isHalted = isRestored && (await acceptAndReport(parts));
  if (differs || isHalted) process.exitCode = 1;
}

/**
 * Records a restore of the ledger, which a program can detect only in part: the operator may report one.
 * @returns whether the ledger counts as restored, so that nothing is sent
 */
async function recordRestore(
  { ledgers: { collecting }, clock }: Dependencies,
  { restored }: ReconcileArguments,
): Promise<boolean> {
  const reason = restored === true ? 'an operator said on the command line that the ledger was restored' : null;
  await noticeRestore(collecting, { at: clock.now(), realAt: clock.realNow() }, reason);
  return isRestoreNoticed(collecting);
}

/**
 * Accepts a restored ledger if it can be accepted, and writes the result to standard error, as programs may read the report.
 * @returns whether sending stays halted
 */
async function acceptAndReport({ ledgers: { collecting }, clock }: Dependencies): Promise<boolean> {
  const result = await acceptRestored(collecting, { actor: ACTOR, at: clock.now() });
  const isHalted = result.kind === 'still_halted';
  const outcome = isHalted
    ? `sending stays halted: ${result.why}`
    : 'its present state is accepted, and sending resumes';
  process.stderr.write(`The ledger was restored; ${outcome}.\n`);
  return isHalted;
}

/** @throws CommandError if sending stays halted */
async function acceptStatement({ ledgers: { collecting }, clock }: Dependencies, reason: string): Promise<void> {
  await noticeRestore(collecting, { at: clock.now(), realAt: clock.realNow() });
  const result = await acceptMoved(collecting, { actor: ACTOR, at: clock.now(), reason });
  if (result.kind === 'still_halted') throw new CommandError(`sending stays halted: ${result.why}`);
  print(
    result.kind === 'accepted'
      ? 'The database is accepted in its present state, without a comparison, and sending resumes.'
      : 'Nothing is halted: this is the database that was accepted.',
  );
}

/** @throws BadInputError with every fault. */
function readPeriod({ from, to, restored, json, nothingLost }: ReconcileArguments): Period {
  const faults: string[] = [];
  if (nothingLost !== undefined) {
    if (!Reason.safeParse(nothingLost).success)
      faults.push(
        `--nothing-lost: expected a reason of 1 to 500 characters, not blank; got ${JSON.stringify(nothingLost.slice(0, 50))}`,
      );
    const others = { from, to, restored, json };
    for (const [name, given] of Object.entries(others))
      if (given !== undefined)
        faults.push(`--${name}: not allowed together with --nothing-lost, which compares nothing`);
  }
  const read = (name: string, text: string | undefined, otherwise: number) => {
    const instant = text === undefined ? otherwise : parseInstant(text);
    if (instant === null) {
      faults.push(`--${name}: expected a time such as 2027-01-31T10:00:00Z; got ${JSON.stringify(text)}`);
    }
    return instant ?? otherwise;
  };
  const period = { from: read('from', from, 0), to: read('to', to, LAST_INSTANT) };
  if (faults.length === 0 && period.to <= period.from) faults.push('--to: expected a time after --from');
  if (faults.length > 0) throw new BadInputError(faults);
  return period;
}

/**
 * Compares everything in the period, and waits while the service is unavailable.
 * @returns the run under which the ledger recorded the differences
 * @throws CommandError if the service cannot be reached
 */
async function compare(parts: Dependencies, config: Config, period: Period): Promise<string> {
  const { ledgers, service, clock } = parts;
  let progress = { since: clock.realNow(), timeout: TIMEOUTS.atFirst };
  const age = () => clock.realNow() - progress.since;
  const reconciling: Reconciling = {
    deps: { ledger: ledgers.collecting, service, clock, settings: { listDays: config.PAYMENT_SERVICE_LIST_DAYS } },
    input: { runId: randomUUID(), period, actor: ACTOR, announce: false },
    progress: await reportProgress(parts),
    hasTimedOut: () => age() >= TIMEOUT_FOR_ONE,
    onCompared: () => {
      progress = { since: clock.realNow(), timeout: TIMEOUTS.underWay };
    },
    signal: new AbortController().signal,
  };
  for (;;) {
    const done = await reaching('the ledger cannot be reached', () =>
      service.as('daily_work', () => reconcileLedger(reconciling)),
    );
    if (done.kind === 'compared') return done.runId;
    if (done.kind === 'service_unavailable') throw cannotAsk(done.reason);
    if (done.kind === 'stopped') throw new CommandError('the comparison was stopped over the admin API');
    const wait = untilNextTry(done, age(), progress.timeout);
    if (wait === null) {
      await endRun(reconciling, done.reason);
      throw cannotAsk(done.reason);
    }
    await pause(wait);
  }
}

/** Writes to standard error: an estimate first, then every few seconds the progress and the expected end. */
async function reportProgress({ config, ledgers, clock }: Dependencies): Promise<Progress> {
  const startedAt = clock.realNow();
  const total = await reaching('the ledger cannot be reached', () => countComparable(ledgers.collecting));
  process.stderr.write(`${estimate(total, config.PAYMENT_SERVICE_MAX_RPS ?? null)}\n`);
  let reportedAt = startedAt;
  let before: number | null = null;
  return (_, { payments } = {}) => {
    const done = Number(payments);
    // A continued run has already compared some payments.
    before ??= done;
    const now = clock.realNow();
    if (now - reportedAt < REPORT_EVERY) return;
    reportedAt = now;
    const endsAt = endOf({ done: done - before, left: total - done, since: startedAt }, now);
    const end = endsAt === null ? '' : `, the last one at about ${toIso(endsAt).slice(0, 16)}Z`;
    process.stderr.write(`${compared(done)} of ${total}${end}\n`);
  };
}

function cannotAsk(reason: string): CommandError {
  return new CommandError(`the payment service cannot be asked: ${reason}`);
}

const PAGE = 1000;

/** @returns whether anything differs. */
async function printReport({ ledgers }: Dependencies, runId: string, json: boolean): Promise<boolean> {
  const { run, items } = await readReport(ledgers.reading, async (db) => ({
    run: await readReconciliation(db, runId),
    items: await everyDifference(db, runId),
  }));
  if (run === null) throw new CommandError(`the comparison ${runId} is no longer in the ledger`);
  if (json) {
    const report = viewReconciliation(reportOf(run), { items, nextCursor: null });
    print(JSON.stringify(z.encode(ReconciliationReportOut, report), null, 2));
  } else {
    if (items.length > 0) printTable([['SUBSCRIPTION', 'PAYMENT', 'CYCLE', 'KIND', 'WHAT'], ...items.map(rowOf)]);
    print(verdict(run.payments, items.length));
  }
  return items.length > 0;
}

/** The run as a report of the admin API: one comparison of the whole period. */
function reportOf(run: ReconciliationRun): ReconciliationReport {
  const { period, startedAt, differences } = run;
  return { period, comparedAt: startedAt, differences, parts: [{ period, by: run }], gaps: [] };
}

async function everyDifference(db: Db, runId: string): Promise<readonly DifferenceRecord[]> {
  const all: DifferenceRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listDifferences>> = await listDifferences(db, runId, {
      limit: PAGE,
      cursor,
    });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

function rowOf(each: DifferenceRecord): string[] {
  const cycle = each.cycle === null ? '' : String(each.cycle);
  const what = describeDifference(each);
  return [each.subscriptionId ?? '', each.paymentId, cycle, each.kind, what];
}

function verdict(payments: number, differences: number): string {
  if (differences === 0) return `reconcile: ledger and service agree, ${compared(payments)}`;
  return `reconcile: ${counted(differences, 'difference')}, ${compared(payments)}`;
}

function compared(payments: number): string {
  return `${counted(payments, 'payment')} compared`;
}
