import { notCompared } from '../../src/domain/reconciliation/subscription';
import { LOOK_BACK } from '../../src/domain/subscription/schedule';
import { DAY, type Instant, type Span } from '../../src/domain/time';
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
  stepBack,
  type WaitingPayment,
  type WaitingPlace,
} from '../../src/ledger';
import { followRefused } from '../collect/beside';
import type { TrailMemory } from '../collect/trail-memory';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import { LOOKED_AT_ONCE, lookUntilAway } from './lanes';
import {
  begin,
  comparePayment,
  type Comparison,
  readRun,
  type Reconciled,
  RECONCILING,
  type Reconciling,
  refusedOf,
  resultOf,
  UNREADABLE_IN_A_ROW,
} from './reconcile-ledger';

/** The comparing of one day. */
export interface DailyComparing extends Omit<Reconciling, 'input'> {
  readonly deps: Dependencies;
  /** Of the worker. */
  readonly memory: TrailMemory;
  readonly input: Reconciling['input'] & { readonly until: Instant };
}

/**
 * Compares what has changed since it was compared last, then what has waited longest: a share of all each day, and more
 * where more has waited for too long. Where it is interrupted, or the day ends, it goes on from there: the ledger has of each
 * payment when it was compared. Single payments that cannot be read are tried again at the end, and are then differences.
 */
export async function compareDaily(comparing: DailyComparing): Promise<Reconciled> {
  const { deps, input, signal } = comparing;
  const run = await begin(comparing);
  if (run.state !== 'running') return resultOf(run);
  while (await noteChanges(deps.ledger)) signal.throwIfAborted();
  await stepBack(deps.ledger);
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

/** @param done payments that the run has compared already: they count as a part of the day's share */
async function* readWaiting(
  { deps: { ledger, settings }, input: { span } }: DailyComparing,
  done: number,
): AsyncGenerator<readonly WaitingPayment[], void> {
  const [day, everyDays] = [span.to, settings.reconcileEveryDays];
  let followed: readonly WaitingPayment[] = [];
  do {
    followed = await readFollowed(ledger, followed.at(-1)?.place ?? '', LOOKED_AT_ONCE);
    yield followed;
  } while (followed.length > 0);
  let changed: readonly WaitingPayment[] = [];
  do {
    changed = await readChanged(ledger, changed.at(-1)?.place ?? '', LOOKED_AT_ONCE);
    yield withoutPast(ledger, changed, day);
  } while (changed.length > 0);
  // What must not wait until tomorrow, as it would then have waited for too long.
  const overdue = day - (everyDays - 1) * DAY;
  let left = (await readDailyShare(ledger, everyDays)) - done;
  let place: WaitingPlace = { waitsSince: 0, place: '' };
  for (;;) {
    const found = await readLongestWaiting(ledger, day, place, LOOKED_AT_ONCE);
    const due = found.filter(({ waitsSince }, index) => waitsSince < overdue || index < left);
    yield withoutPast(ledger, due, day);
    const last = found.at(-1);
    if (last === undefined || due.length < found.length) return;
    left -= due.length;
    place = last;
  }
}

/** What ended long ago is asked about no more. */
async function withoutPast(
  ledger: Dependencies['ledger'],
  found: readonly WaitingPayment[],
  day: Instant,
): Promise<readonly WaitingPayment[]> {
  const isPast = ({ isLive, isFollowed, touchedAt }: WaitingPayment) =>
    !isLive && !isFollowed && touchedAt < day - LOOK_BACK;
  const past = found.filter(isPast);
  if (past.length > 0) await dropWaiting(ledger, past);
  return found.filter((each) => !isPast(each));
}

type Unreadable = Extract<Comparison, { kind: 'unreadable' }>;

type Together =
  | Reconciled
  | {
      readonly kind: 'recorded';
      readonly unread: readonly WaitingPayment[];
      /** Why each of those could not be read. */
      readonly reasons: readonly Unreadable[];
    };

/** Once the patience is over, one that cannot be read is a difference, however many there are: they must hold up no other. */
async function compareTogether(comparing: DailyComparing, payments: readonly WaitingPayment[]): Promise<Together> {
  const { deps, input, signal, progress, moved, isPatienceOver } = comparing;
  const at = deps.clock.now();
  const isLastTry = isPatienceOver();
  const { looks, away } = await lookUntilAway<WaitingPayment, Comparison>({
    items: payments,
    signal,
    look: (payment) => compareAndFollow(comparing, payment, spanOf(payment, input.span, at)),
    isAway: (look, inARow) => look.away || (!isLastTry && inARow >= UNREADABLE_IN_A_ROW),
  });
  const isOver = isLastTry && away === null;
  const compared = looks.flatMap(({ item: payment, look }): ComparedWaiting[] => {
    if (look.kind === 'compared') return [{ payment, differences: look.differences }];
    return isOver ? [{ payment, differences: [notCompared(look.reason)] }] : [];
  });
  if (compared.length > 0) {
    const goesOn = await recordAll(comparing, compared, at);
    if (!goesOn) return resultOf(await readRun(deps, input.runId));
    moved();
  }
  progress('comparing', { behind: payments.at(-1)?.place ?? '' });
  if (away !== null) return { ...away, kind: 'interrupted' };
  const left = isOver ? [] : looks.filter(({ look }) => look.kind === 'unreadable');
  const reasons = left.map(({ look }) => look).filter((each) => each.kind === 'unreadable');
  return { kind: 'recorded', unread: left.map(({ item }) => item), reasons };
}

/**
 * What speaks against a refusal is followed: no other check may come, as no cycle is left, or the next one is a year away
 * (rule 36).
 */
async function compareAndFollow(comparing: DailyComparing, waiting: WaitingPayment, span: Span): Promise<Comparison> {
  const { deps } = comparing;
  const payment = comparedPaymentOf(waiting);
  const found = await comparePayment(deps, payment, span);
  if (found.kind === 'unreadable' || payment.subscriptionId === null) return found;
  if (!waiting.isFollowed && !found.isRefusalContradicted) return found;
  const subject = { ...refusedOf(payment), activity: 'followRefused' };
  // What cannot be written stays a difference.
  const isFollowed = await passingOver(
    deps,
    subject,
    async () => {
      await followRefused(comparing, payment, found.shown);
      await endUnrecordableItem(deps.ledger, subject);
      return true;
    },
    () => false,
  );
  return isFollowed ? comparePayment(deps, payment, span) : found;
}

/** Together; if the ledger refuses one of them, each alone, and the refused one as not compared. @returns as of the ledger */
async function recordAll(
  { deps, input }: DailyComparing,
  compared: readonly ComparedWaiting[],
  at: Instant,
): Promise<boolean> {
  const record = async (some: readonly ComparedWaiting[]) => {
    const goesOn = await recordDailyCompared(deps.ledger, input.runId, some, at);
    const payments = some.map(({ payment }) => payment.paymentId);
    await endUnrecordableItems(deps.ledger, RECONCILING, payments);
    return goesOn;
  };
  try {
    return await record(compared);
  } catch (error) {
    if (!isRefusedByLedger(error)) throw error;
  }
  for (const each of compared) {
    const { payment } = each;
    const asNotCompared = (reason: string) =>
      recordDailyCompared(deps.ledger, input.runId, [{ payment, differences: [notCompared(reason)] }], at);
    const goesOn = await passingOver(deps, refusedOf(comparedPaymentOf(payment)), () => record([each]), asNotCompared);
    if (!goesOn) return false;
  }
  return true;
}

/** All that may have come since it was compared last, and what a comparison of the whole span looks at. */
function spanOf({ waitsSince }: WaitingPayment, { from }: Span, at: Instant): Span {
  return { from: Math.min(from, waitsSince - DAY), to: at };
}

async function end({ deps, input }: DailyComparing, isComplete: boolean): Promise<Reconciled> {
  const { ledger, clock } = deps;
  const { runId, span } = input;
  await endDailyRun(ledger, { runId, span, isComplete, at: clock.now(), realAt: clock.realNow() });
  return resultOf(await readRun(deps, runId));
}
