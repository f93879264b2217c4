import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { type Listed, matchSent, recordsNotOurs, whyClocksDiffer } from '../src/domain/send';
import type { Instant } from '../src/domain/time';
import type { EventData } from '../src/domain/trail/event';
import type { EventType } from '../src/domain/trail/events';
import type { Precheck, SendRecord, StartedSend, Unconfirmed } from '../src/ledger';
import type { Rejected, SendOptions, ServiceResult, Turn } from '../src/payment-service';
import type { Dependencies } from './dependencies';
import {
  AGREEING_LOOKS,
  checksHoldFor,
  describeInVain,
  doubtBegins,
  sendDeadline,
  startStopwatch,
  untilFreshSend,
  untilNextLook,
} from './send-limits';
import { describe, type Progress, retryAfter, type Stop, tryAgain, WORKER_STOPS } from './stops';

/**
 * The one protocol of sending, for all that moves money: debits, captures and refunds (rules 16 to 18). The service is asked
 * what it has, a row "sending" is committed, one POST leaves, and its answer is written. A row without an outcome is asked
 * about, and never sent again.
 */

/** What is sent, and how service and ledger are asked about it: all in which a debit, a capture and a refund differ. */
export interface Sending {
  readonly deps: Dependencies;
  readonly progress: Progress;
  /** Real time since the workflow asked for it, ms. */
  readonly age: () => number;
  /** What the service makes of it. */
  readonly makes: 'authorization' | 'capture' | 'refund';
  /** When it was due or ordered: what is older, less the skew, is not of it. */
  readonly since: Instant;
  /** How the log names it. */
  readonly names: EventData;
  /** What people see of it on the pending activity, beside the number of its send. */
  readonly place: EventData;
  /** The entries of the trail for what keeps it from being sent. */
  readonly events: Readonly<Record<'unreadable' | 'clocksDiffer' | 'notSent', EventType>>;
  readonly list: () => Promise<ServiceResult<readonly Listed[]>>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<Listed>>;
  /** The records that the ledger has as its own. @throws ApplicationFailure where that is not known for now. */
  readonly ownIds: () => Promise<readonly string[]>;
  /** Those, and all that were listed right before a send: what a later send cannot have made. */
  readonly heldIds: () => Promise<readonly string[]>;
  /** Writes what became of a send. @returns whether it was written: where not, the row says what counts. */
  readonly record: (send: number, answer: Answer) => Promise<boolean>;
  readonly recordLook: (send: number, look: { readonly absent: boolean }) => Promise<SendRecord | null>;
  /** Written to the trail once for each type. */
  readonly recordEvent: (type: EventType, data?: EventData) => Promise<void>;
  /** Nothing can be sent for now. @param atLeast real ms */
  readonly later: (stop: Stop, message: string, atLeast?: number) => ApplicationFailure;
  /** The same while all sending is halted. */
  readonly afterHalt: () => Promise<ApplicationFailure>;
}

/** What the service says of a send. */
export type Answer =
  | Unconfirmed
  | { readonly state: 'taken'; readonly made: Listed }
  | { readonly state: 'refused'; readonly refusal: Rejected<Listed> };

/** Something a person should hear of: written to the trail once for each type, and logged each time. */
export async function alert({ deps, names, recordEvent }: Sending, type: EventType, data: EventData): Promise<void> {
  deps.log.warn({ ...names, ...data }, type);
  await recordEvent(type, data);
}

/**
 * Makes its calls in one turn, where calls are capped: what was read is not old, and no "sending" row waits in a queue
 * (rule 31).
 */
export async function inTurn<T>(
  { service }: Dependencies,
  calls: number,
  work: (turn: Pick<Turn, 'ready'>) => Promise<T>,
): Promise<T> {
  const done = await service.inTurn(calls, work, Context.current().cancellationSignal);
  if (done === null) throw tryAgain('not_sent', WORKER_STOPS, 1);
  return done;
}

/** Before any call. @throws ApplicationFailure where all sending is halted, or it was sent in vain too lately. */
export async function checkLedger(
  { deps, later, afterHalt }: Sending,
  { isHalted, ...sends }: Precheck,
): Promise<void> {
  if (isHalted) throw await afterHalt();
  const pause = untilFreshSend(sends, deps.clock, deps.settings);
  if (pause > 0) throw later('not_sent', describeInVain(sends), pause);
}

/** What the service lists right now, held against the ledger (rule 16). */
export type Look =
  /** Nothing that is listed stands in the way. Every id that was listed; why the clocks still forbid the POST. */
  | { readonly kind: 'clear'; readonly knownIds: readonly string[]; readonly clocksDiffer: string | null }
  /** Records that may be of it, and that the ledger lacks: they stop the POST. */
  | { readonly kind: 'unresolved'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly answer: ServiceResult<unknown> };

export async function look({ progress, list, ownIds, since }: Sending): Promise<Look> {
  progress('pre-send check');
  const listed = await list();
  if (listed.kind !== 'accepted') return { kind: 'unreadable', answer: listed };
  const strange = recordsNotOurs(listed.value, await ownIds(), since);
  if (strange.length > 0) {
    return { kind: 'unresolved', reason: `the service lists ${idsOf(strange).join(', ')}, which the ledger lacks` };
  }
  return { kind: 'clear', knownIds: idsOf(listed.value), clocksDiffer: whyClocksDiffer(listed.clockLead) };
}

function idsOf(records: readonly Listed[]): readonly string[] {
  return records.map(({ id }) => id);
}

/** Every id that was listed. @throws ApplicationFailure where the look permits nothing; people are alerted. */
export async function idsListed(
  sending: Sending,
  seen: Exclude<Look, { kind: 'unresolved' }>,
): Promise<readonly string[]> {
  const { events, makes, later } = sending;
  if (seen.kind === 'unreadable') {
    const reason = describe(seen.answer);
    await alert(sending, events.unreadable, { reason });
    throw later('service_unreadable', `${makes}s: ${reason}`, retryAfter(seen.answer));
  }
  if (seen.clocksDiffer !== null) {
    await alert(sending, events.clocksDiffer, { reason: seen.clocksDiffer });
    throw later('clocks_differ', seen.clocksDiffer);
  }
  return seen.knownIds;
}

/**
 * Commits the row and sends. A process frozen since before its row was committed must not send once it wakes: by then
 * others may have settled the row as never sent. What is left is the stretch between the last check and the first byte,
 * microseconds.
 * @param begin commits the row, or says why none may be
 * @param sinceChecks real ms since consent and list were asked for
 * @param maySend asked right before the first byte
 */
export async function sendOnce<
  Row extends SendRecord,
  Refused extends { readonly kind: 'held' | 'no_notice' | 'halted' | 'blocked' | 'closed' },
>(
  sending: Sending,
  begin: () => Promise<StartedSend<Row> | Refused>,
  sinceChecks: () => number,
  maySend: () => boolean,
): Promise<{ readonly kind: 'sent' } | Refused> {
  const { clock, settings } = sending.deps;
  // Begun before the row: the answer to its commit may be what a frozen process wakes to.
  const sinceRow = startStopwatch(clock);
  const begun = await begin();
  if (begun.kind !== 'started') return begun;
  const { send } = begun.send;
  sending.progress(sending.makes, { ...sending.place, send });
  const isFresh = () => sinceRow() < sendDeadline(settings) && sinceChecks() < checksHoldFor(settings);
  await recordAnswer(sending, send, await sending.post({ beforeSend: () => isFresh() && maySend() }));
  return { kind: 'sent' };
}

async function recordAnswer(sending: Sending, send: number, answer: ServiceResult<Listed>): Promise<void> {
  const { deps, events, record, later } = sending;
  switch (answer.kind) {
    case 'accepted':
      await record(send, { state: 'taken', made: answer.value });
      return;
    case 'rejected':
      await record(send, { state: 'refused', refusal: answer });
      return;
    case 'not_sent':
      await record(send, { state: 'not_sent', reason: answer.reason });
      await alert(sending, events.notSent, { reason: answer.reason });
      throw later('not_sent', answer.reason, retryAfter(answer));
    case 'unknown':
      await record(send, { state: 'unknown', reason: answer.reason, sinceReal: deps.clock.realNow() });
  }
}

/** What came of asking about a row without an outcome. */
export type Settled =
  /** The row says more than before. */
  | { readonly kind: 'moved' }
  /** Never made; not `isRecorded` where a person has resolved it since it was read: that resolution stands. */
  | { readonly kind: 'never_made'; readonly isRecorded: boolean }
  /** Not listed, which proves nothing yet. How long to pause follows from what the pause would else be, real ms. */
  | { readonly kind: 'absent'; readonly untilNextLook: (pause: number) => number }
  /** What is listed fits nothing. For a person; the asking goes on. */
  | { readonly kind: 'unclear'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly answer: ServiceResult<unknown> };

/** Sent, or perhaps sent, with an outcome that is not known: asks what became of it, and never sends (rules 17, 18). */
export async function settle(sending: Sending, row: SendRecord): Promise<Settled> {
  if (row.state === 'sending') return markUnknown(sending, row);
  const { progress, place, list, heldIds, record } = sending;
  progress('reconciling', { ...place, send: row.send });
  const listed = await list();
  if (listed.kind !== 'accepted') return { kind: 'unreadable', answer: listed };
  const match = matchSent(listed.value, { ...row, heldIds: await heldIds() });
  switch (match.kind) {
    case 'found':
      await record(row.send, { state: 'taken', made: match.record });
      return { kind: 'moved' };
    case 'unclear':
      return unclear(sending, row, `the service lists ${idsOf(match.records).join(', ')}, which do not fit`);
    case 'absent':
      return absent(sending, row);
  }
}

/**
 * The row stands without an outcome: a process died, or is frozen, or waits for its answer this moment. The settle time
 * begins when its POST cannot be on the wire any more.
 */
async function markUnknown({ deps, record }: Sending, { send, sendingRealAt }: SendRecord): Promise<Settled> {
  const sinceReal = doubtBegins(sendingRealAt, deps.clock.realNow(), deps.settings);
  await record(send, { state: 'unknown', reason: 'no outcome was recorded', sinceReal });
  return { kind: 'moved' };
}

async function unclear({ record, recordLook }: Sending, row: SendRecord, reason: string): Promise<Settled> {
  await recordLook(row.send, { absent: false });
  if (row.state !== 'unresolved') await record(row.send, { state: 'unresolved', reason });
  return { kind: 'unclear', reason };
}

/** Not there. Only after the settle time, and twice in a row, does that mean that it was never made. */
async function absent({ deps, record, recordLook }: Sending, row: SendRecord): Promise<Settled> {
  const now = deps.clock.realNow();
  const settledAt = (row.unknownSinceReal ?? now) + deps.settings.settle;
  const looked = await recordLook(row.send, { absent: now >= settledAt });
  if (looked !== null && looked.absentLooks >= AGREEING_LOOKS) {
    const reason = 'absent after the settle time, twice in a row';
    return { kind: 'never_made', isRecorded: await record(row.send, { state: 'not_sent', reason }) };
  }
  return { kind: 'absent', untilNextLook: (pause) => untilNextLook(pause, now, settledAt) };
}
