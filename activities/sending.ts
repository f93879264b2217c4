import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { Contradicted, KnownRecord, ListedCapture, Revived } from '../src/domain/evidence';
import type { Listed } from '../src/domain/send';
import type { Instant } from '../src/domain/time';
import type { EventData } from '../src/domain/trail/event';
import type { EventType } from '../src/domain/trail/events';
import { isAnsweredSince, type Precheck, type SendRecord, type StartedSend, type Unconfirmed } from '../src/ledger';
import type { Rejected, SendOptions, ServiceResult, Turn } from '../src/payment-service';
import type { Dependencies } from './dependencies';
import {
  checksHoldFor,
  describeInVain,
  sendDeadline,
  SENDS_IN_VAIN,
  startStopwatch,
  untilFreshSend,
} from './send-limits';
import { type Progress, retryAfter, type Stop, tryAgain, WORKER_STOPS } from './stops';

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
  /** Business time at or after which nothing of it is sent; null if there is no such limit. */
  readonly sendBefore: Instant | null;
  /** How many sends of it were in vain: settled as never made after their outcome was unknown. */
  readonly sendsInVain: () => Promise<number>;
  /** How the log names it. */
  readonly names: EventData;
  /** What people see of it on the pending activity, beside the number of its send. */
  readonly place: EventData;
  /** The entries of the trail for what keeps it from being sent. */
  readonly events: Readonly<Record<'unreadable' | 'clocksDiffer' | 'notSent', EventType>>;
  readonly list: () => Promise<ServiceResult<readonly Listed[]>>;
  readonly post: (options: SendOptions) => Promise<ServiceResult<Listed>>;
  /** The records that the ledger has as its own. @throws ApplicationFailure where that is not known for now. */
  readonly known: () => Promise<readonly KnownRecord[]>;
  /** Of a debit: the captures of its payment, which show debits that a list of authorizations hides (rule 39). */
  readonly captures?: () => Promise<ServiceResult<readonly ListedCapture[]>>;
  /** Records that went through and are listed as failed now: the captures have decided, and an operator is notified (rule 37). */
  readonly reportFailedAgain?: (found: readonly Contradicted<KnownRecord, Listed>[]) => Promise<void>;
  /** Follows a refused record again that is listed as pending or successful (rule 36). */
  readonly reopen?: (found: Again) => Promise<void>;
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

export type Again = Revived<KnownRecord>;

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

/** Before any call. @throws ApplicationFailure if all sending is halted, or a fresh send has to wait. */
export async function checkLedger(
  { deps, later, afterHalt, sendBefore }: Sending,
  { isHalted, ...sends }: Precheck,
): Promise<void> {
  if (isHalted) throw await afterHalt();
  const { ledger, clock, settings } = deps;
  const mayWait = sends.sends >= SENDS_IN_VAIN && sends.lastInDoubtReal !== null;
  const isAnswered = mayWait && (await isAnsweredSince(ledger, sends.lastInDoubtReal ?? 0));
  // Asked again before that, as any answered POST ends the waiting.
  if (untilFreshSend({ ...sends, isAnswered, sendBefore }, clock, settings) > 0) {
    throw later('not_sent', describeInVain(sends));
  }
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
  Refused extends { readonly kind: 'held' | 'no_notice' | 'halted' | 'probing' | 'blocked' | 'closed' },
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
    case 'unknown': {
      const { reason, accepted } = answer;
      await record(send, { state: 'unknown', reason, sinceReal: deps.clock.realNow(), accepted });
    }
  }
}
