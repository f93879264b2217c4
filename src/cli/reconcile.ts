import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  endRun,
  PATIENCE_FOR_ONE,
  type Reconciling,
  reconcileLedger,
  untilNextTry,
} from '../../activities/housekeeping/reconcile-ledger';
import type { Progress } from '../../activities/stops';
import { LAST_INSTANT, parseInstant, Reason } from '../admin/http/fields';
import { type ReconciliationReport, ReconciliationReportOut, viewReconciliation } from '../admin/reports/schema';
import { type Config, loadQuietly } from '../config';
import { describeDifference } from '../domain/reconciliation/records';
import { endOf, estimate } from '../domain/reconciliation/estimate';
import { MINUTE, SECOND, type Span, toIso } from '../domain/time';
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
  /** Why nothing was lost though the database is another one. */
  readonly nothingLost?: string;
  readonly json?: boolean;
}

/** No Temporal, no running daemon: the ledger and the service are all that it takes. */
const NEEDS = [
  'DATABASE_URL',
  'PAYMENT_SERVICE_BASE_URL',
  'PAYMENT_SERVICE_CLIENT_ID',
  'PAYMENT_SERVICE_CLIENT_SECRET',
] as const;

/**
 * Real ms for which a service that cannot be asked is asked again: nobody waits for long to hear that it is away, and
 * nothing that was compared for hours is given up for a moment's fault.
 */
const PATIENCE = { atFirst: 10 * SECOND, underWay: 10 * MINUTE };
/** Real ms between two lines that say how far it has come. */
const TOLD_EVERY = 10 * SECOND;

const ACTOR = 'command line';

/**
 * Holds the ledger against the service's records, or takes a person's word for what it is; exit code 1 where they differ, or
 * where sending stays halted as the ledger was restored.
 */
export async function runReconcile(asked: ReconcileArguments): Promise<void> {
  const span = readSpan(asked);
  const config = loadQuietly(NEEDS);
  const parts = openDependencies(config, createLogger(config.LOG_LEVEL), { works: true, serves: false });
  try {
    await refuseOldSchema(parts.ledgers.collecting);
    if (asked.nothingLost === undefined) await compareAndTell(parts, config, span, asked);
    else await takeWord(parts, asked.nothingLost);
  } finally {
    await parts.close();
  }
}

async function compareAndTell(
  parts: Dependencies,
  config: Config,
  span: Span,
  asked: ReconcileArguments,
): Promise<void> {
  const isRestored = await isRestoreKnown(parts, asked);
  const runId = await compare(parts, config, span);
  const differs = await printReport(parts, runId, asked.json === true);
  const isHalted = isRestored && (await tellAccepted(parts));
  if (differs || isHalted) process.exitCode = 1;
}

/** Whether the ledger was restored, so that nothing is sent: a person may know what no program sees. */
async function isRestoreKnown(
  { ledgers: { collecting }, clock }: Dependencies,
  { restored }: ReconcileArguments,
): Promise<boolean> {
  const told = restored === true ? 'it was told on the command line that the ledger was restored' : null;
  await noticeRestore(collecting, { at: clock.now(), realAt: clock.realNow() }, told);
  return isRestoreNoticed(collecting);
}

/** Beside the report: it may be read by programs. @returns whether sending stays halted */
async function tellAccepted({ ledgers: { collecting }, clock }: Dependencies): Promise<boolean> {
  const asked = await acceptRestored(collecting, { actor: ACTOR, at: clock.now() });
  const stands = asked.kind === 'stands';
  const words = stands ? `sending stays halted: ${asked.why}` : 'it is accepted as it is now, and sending goes on';
  process.stderr.write(`The ledger was restored; ${words}.\n`);
  return stands;
}

/** @throws CommandError where sending stays halted */
async function takeWord({ ledgers: { collecting }, clock }: Dependencies, word: string): Promise<void> {
  await noticeRestore(collecting, { at: clock.now(), realAt: clock.realNow() });
  const asked = await acceptMoved(collecting, { actor: ACTOR, at: clock.now(), reason: word });
  if (asked.kind === 'stands') throw new CommandError(`sending stays halted: ${asked.why}`);
  print(
    asked.kind === 'accepted'
      ? 'The database is accepted as it is now, without a comparison, and sending goes on.'
      : 'Nothing is halted: the database is the one that was accepted.',
  );
}

/** @throws BadInputError with every fault. */
function readSpan({ from, to, restored, json, nothingLost }: ReconcileArguments): Span {
  const faults: string[] = [];
  if (nothingLost !== undefined) {
    if (!Reason.safeParse(nothingLost).success)
      faults.push(
        `--nothing-lost: expected a reason of 1 to 500 characters, not blank; got ${JSON.stringify(nothingLost.slice(0, 50))}`,
      );
    const others = { from, to, restored, json };
    for (const [name, given] of Object.entries(others))
      if (given !== undefined) faults.push(`--${name}: expected nothing beside --nothing-lost, which compares nothing`);
  }
  const read = (name: string, text: string | undefined, otherwise: number) => {
    const instant = text === undefined ? otherwise : parseInstant(text);
    if (instant === null) {
      faults.push(`--${name}: expected a time such as 2027-01-31T10:00:00Z; got ${JSON.stringify(text)}`);
    }
    return instant ?? otherwise;
  };
  const span = { from: read('from', from, 0), to: read('to', to, LAST_INSTANT) };
  if (faults.length === 0 && span.to <= span.from) faults.push('--to: expected a time after --from');
  if (faults.length > 0) throw new BadInputError(faults);
  return span;
}

/**
 * Compares everything, waiting where the service is away.
 * @returns the run under which the ledger has what differs
 * @throws CommandError where the service cannot be asked
 */
async function compare(parts: Dependencies, config: Config, span: Span): Promise<string> {
  const { ledgers, service, clock } = parts;
  let quiet = { since: clock.realNow(), patience: PATIENCE.atFirst };
  const age = () => clock.realNow() - quiet.since;
  const reconciling: Reconciling = {
    deps: { ledger: ledgers.collecting, service, clock, settings: { listDays: config.PAYMENT_SERVICE_LIST_DAYS } },
    input: { runId: randomUUID(), span, actor: ACTOR, announce: false },
    progress: await tellHowFar(parts),
    isPatienceOver: () => age() >= PATIENCE_FOR_ONE,
    moved: () => {
      quiet = { since: clock.realNow(), patience: PATIENCE.underWay };
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
    const wait = untilNextTry(done, age(), quiet.patience);
    if (wait === null) {
      await endRun(reconciling, done.reason);
      throw cannotAsk(done.reason);
    }
    await pause(wait);
  }
}

/** Beside the report, for whoever waits: an estimate, and every few seconds how far it has come and when it will end. */
async function tellHowFar({ config, ledgers, clock }: Dependencies): Promise<Progress> {
  const begunAt = clock.realNow();
  const total = await reaching('the ledger cannot be reached', () => countComparable(ledgers.collecting));
  process.stderr.write(`${estimate(total, config.PAYMENT_SERVICE_MAX_RPS ?? null)}\n`);
  let toldAt = begunAt;
  let before: number | null = null;
  return (_, { payments } = {}) => {
    const done = Number(payments);
    // Those of a run that is continued were compared earlier.
    before ??= done;
    const now = clock.realNow();
    if (now - toldAt < TOLD_EVERY) return;
    toldAt = now;
    const endsAt = endOf({ done: done - before, left: total - done, since: begunAt }, now);
    const end = endsAt === null ? '' : `, the last one at about ${toIso(endsAt).slice(0, 16)}Z`;
    process.stderr.write(`${compared(done)} of ${total}${end}\n`);
  };
}

function cannotAsk(reason: string): CommandError {
  return new CommandError(`the payment service cannot be asked: ${reason}`);
}

const AT_ONCE = 1000;

/** @returns whether anything differs. */
async function printReport({ ledgers }: Dependencies, runId: string, json: boolean): Promise<boolean> {
  const { run, items } = await readReport(ledgers.reading, async (db) => ({
    run: await readReconciliation(db, runId),
    items: await everyDifference(db, runId),
  }));
  if (run === null) throw new CommandError(`the comparison ${runId} is gone from the ledger`);
  if (json) {
    const report = viewReconciliation(reportOf(run), { items, nextCursor: null });
    print(JSON.stringify(z.encode(ReconciliationReportOut, report), null, 2));
  } else {
    if (items.length > 0) printTable([['SUBSCRIPTION', 'PAYMENT', 'CYCLE', 'KIND', 'WHAT'], ...items.map(rowOf)]);
    print(verdict(run.payments, items.length));
  }
  return items.length > 0;
}

/** As the admin API shows it: one comparison, of the whole span. */
function reportOf(run: ReconciliationRun): ReconciliationReport {
  const { span, begunAt, differences } = run;
  return { span, comparedAt: begunAt, differences, parts: [{ span, by: run }], gaps: [] };
}

async function everyDifference(db: Db, runId: string): Promise<readonly DifferenceRecord[]> {
  const all: DifferenceRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listDifferences>> = await listDifferences(db, runId, {
      limit: AT_ONCE,
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
  return `reconcile: ${differences} ${differences === 1 ? 'difference' : 'differences'}, ${compared(payments)}`;
}

function compared(payments: number): string {
  return `${payments} ${payments === 1 ? 'payment' : 'payments'} compared`;
}
