import type { Pool } from 'pg';
import type { Unconfirmed } from '../../domain/attempt/action';
import type { AuthorizationId, CaptureId, PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type AttemptState, isFinal, isVerdict, type SendState, statesBefore } from '../../domain/send';
import type { AuditPosition } from '../../domain/audit/event';
import { inStatement, inTransaction } from '../sql/database';
import { type Db, instantToColumn, type Readable, readRecord, readValue } from '../sql/statements';
import { readState } from '../deciding/facts';
import { followOutcome } from '../deciding/outcome';
import { DUEDAY, entryColumns, insertEvent, type NewEvent } from '../audit/entries';
import { contradictionData, outcomeColumns, outcomeData, type RecordOutcomeResult } from '../rows/any-send';
import { type AttemptRecord, keyOf, readSend, resultOf, SENT, type SendRef } from '../rows/attempt';
import { answerWithBefore, collectCycle, type WithBefore } from '../deciding/collected';
import { openContradiction } from './evidence-items';
import { beginWithLock } from '../rows/subscription';

/** The outcome of a send. `createdAt` is the authorization's, as reported by the service. */
export type Outcome =
  | {
      readonly state: 'pending';
      readonly authorizationId: AuthorizationId;
      readonly createdAt: Instant;
      /** The service reported it as successful, but its capture is not final. */
      readonly authorized?: boolean;
      /** Real time at which the service reported it, as pending or successful. */
      readonly reportedReal?: number;
    }
  | {
      readonly state: 'successful';
      readonly authorizationId: AuthorizationId;
      readonly captureId: CaptureId;
      readonly createdAt: Instant;
      /** The due date after this cycle's; null if there is none. If omitted, the stored one is kept. */
      readonly nextDueAt?: Instant | null;
      readonly reportedReal?: number;
      /** How the service contradicts itself, for the attention item. */
      readonly contradiction?: string;
    }
  | {
      readonly state: 'rejected' | 'rejected_retryable';
      readonly detail: string;
      readonly description: string;
      readonly authorizationId?: AuthorizationId | undefined;
      readonly createdAt?: Instant | undefined;
    }
  | {
      readonly state: 'capture_failed';
      readonly authorizationId: AuthorizationId;
      readonly captureId?: CaptureId | undefined;
      readonly detail: string;
      readonly createdAt?: Instant | undefined;
      readonly contradiction?: string;
    }
  | Unconfirmed;

/** The audit entry about it. The actor defaults to `dueday`. */
export type OutcomeEvent = Pick<NewEvent, 'type' | 'data'> & Partial<Pick<NewEvent, 'actor'>>;

/** A recorded outcome. `mark` is a position that the audit log has reached; null if the send was left unchanged. */
export type Recorded = RecordOutcomeResult<AttemptRecord> & { readonly mark: AuditPosition | null };

/**
 * Writes the outcome of a send, with its cycle and subscription if money was collected, in one transaction. A final
 * outcome is never overwritten; one that contradicts it is recorded in the audit log as `attempt.contradicted`.
 * @throws if the send is not in the ledger, or its authorization already belongs to another send that was not refused.
 */
export async function recordOutcome(
  pool: Pool,
  ref: SendRef,
  outcome: Outcome,
  at: Instant,
  event: OutcomeEvent,
): Promise<Recorded> {
  const update: Update = { ref, outcome, at, event };
  const write = (db: Db) => updateSend<Written>(db, update, answerSent);
  // Nearly every attempt becomes pending first, and nothing else follows from that.
  const pending = outcome.state === 'pending' ? await inStatement(pool, write) : null;
  if (pending !== null) return recorded(pending);
  const record = async (db: Db): Promise<Recorded> => {
    const before = isVerdict(outcome.state) ? await readState(db, ref.subscriptionId, at) : null;
    const isSuccessful = outcome.state === 'successful';
    const written = isSuccessful ? await collect(db, update, outcome.nextDueAt) : await write(db);
    if (written === null) return leaveUnchanged(db, ref, outcome, at);
    if (before !== null) await followOutcome(db, before, ref, resultOf(written), at);
    const contradiction = whatContradicts(written, outcome);
    if (contradiction !== null) await reportContradiction(db, written, at, contradiction);
    return recorded(written);
  };
  return inTransaction(pool, record, beginWithLock(ref.subscriptionId));
}

/** A send as it was written, and its last audit entry. */
type Written = AttemptRecord & AuditPosition;

function recorded({
  epoch,
  entry,
  isSecond: _second,
  isPaidByLink: _link,
  wasRefused: _refused,
  ...send
}: Written & Partial<Collected>): Recorded {
  return { kind: 'recorded', send, mark: { epoch, entry } };
}

/** Writes the debit, and also its cycle and subscription unless another attempt has already collected the cycle. */
async function collect(
  db: Db,
  update: Update,
  nextDueAt: Instant | null | undefined,
): Promise<(Written & Collected) | null> {
  const written = await updateSend<Written & WithBefore>(db, update, answerWithBefore);
  if (written === null) return null;
  const { before, ...send } = written;
  const { isCollected: isSecond, wasRefused } = before;
  const collected = { isSecond, wasRefused, isPaidByLink: before.paidLink !== null };
  if (isSecond) return { ...send, ...collected };
  return {
    ...send,
    ...collected,
    entry: await collectCycle(db, { ...send, before }, { at: update.at, nextDueAt }),
  };
}

/** What a debit contradicts. */
interface Collected {
  /** Whether another attempt has collected the cycle. */
  readonly isSecond: boolean;
  /** Whether its payer has paid the cycle by a link: reported with the collection. */
  readonly isPaidByLink: boolean;
  /** Whether an earlier attempt with the same authorization was refused. */
  readonly wasRefused: boolean;
}

/** Nothing is refunded automatically (rule 36). An operator may have found the debit without its capture. */
function secondDebit({ authorizationId, captureId, cycle }: AttemptRecord): string {
  const recommended = captureId === null ? 'refund it at the service' : `refund capture ${captureId}`;
  return `${authorizationId} is a second debit of cycle ${cycle}. Recommended: ${recommended}.`;
}

export function reportSecondDebit(db: Db, send: AttemptRecord, at: Instant): Promise<void> {
  return reportContradiction(db, send, at, secondDebit(send));
}

/** How an outcome contradicts what the payer was notified of, or what the service has reported (rules 36, 37); null if it does not. */
function whatContradicts(written: AttemptRecord & Partial<Collected>, outcome: Outcome): string | null {
  if (outcome.state !== 'successful' && outcome.state !== 'capture_failed') return null;
  const { refusedAs, authorizationId, attempt, isSecond = false, isPaidByLink = false, wasRefused = false } = written;
  if (isSecond) return secondDebit(written);
  // The cycle's item must remain the one about its two debits.
  if (isPaidByLink) return null;
  if (outcome.contradiction !== undefined) return outcome.contradiction;
  if (wasRefused)
    return `${authorizationId} had been refused, and the retry reopened it: check what the payer was notified of.`;
  if (refusedAs === null) return null;
  const became =
    outcome.state === 'successful' ? 'was collected after all' : 'was authorized after all, and its capture failed';
  return `${authorizationId} of attempt ${attempt} had been refused, and ${became}: the payer was notified otherwise.`;
}

async function reportContradiction(db: Db, send: AttemptRecord, at: Instant, found: string): Promise<void> {
  const { subscriptionId, paymentId, cycle, amount, authorizationId, refusedAs, state } = send;
  // A late success undoes neither the pause nor the cancellation that exhausted retries have caused.
  const isPaused = await readValue<boolean>(
    db,
    `select status = 'paused' and on_exhausted = 'pause' from subscriptions where subscription_id = $1`,
    [subscriptionId],
  );
  const detail =
    isPaused === true ? `${found} The subscription is paused: resume it if this cycle was the reason.` : found;
  const about = { subscriptionId, paymentId, cycle, amount, authorizationId, detail };
  const ledger = { state: refusedAs ?? state, at: send.at };
  await openContradiction(db, { ...about, ledger, service: { state, at } }, at);
}

async function leaveUnchanged(db: Db, ref: SendRef, outcome: Outcome, at: Instant): Promise<Recorded> {
  const send = await readSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${keyOf(ref).join('/')}`);
  if (contradicts(send, outcome)) await recordContradiction(db, send, outcome, at);
  return { kind: 'unchanged', send, mark: null };
}

export interface Update {
  readonly ref: SendRef & { readonly paymentId?: PaymentId };
  readonly outcome: Outcome;
  readonly at: Instant;
  readonly event: OutcomeEvent;
}

/** SQL that returns the row that was written, with more columns. */
const answerSent = (more: string) => `select sent.*${more} from sent`;

/**
 * Updates a send and writes the entry for the audit log, under the subscription's lock.
 * @returns null if the send may not change to this state, or is not in the ledger
 */
async function updateSend<Row extends Readable<Row>>(
  db: Db,
  update: Update,
  answer: (more: string) => string,
): Promise<Row | null> {
  const text = `with written as (
      select * from settle_send($1, $2, $3, $4, $5)
    ), sent as (select ${SENT}, entry from written w)
    ${answer(', (select accepted_real_at from restore_guard) as epoch')}`;
  return readRecord<Row>(db, text, settledColumns(update));
}

/** Arguments of `settle_send`. */
export function settledColumns({
  ref,
  outcome,
  at,
  event: { actor = DUEDAY, ...entry },
}: Update): [string, SendState[], string | null, string | null, string | null] {
  const { subscriptionId } = ref;
  return [
    JSON.stringify(settledRow(ref, outcome, at)),
    [...statesBefore(outcome.state)],
    ...entryColumns({ subscriptionId, at, actor, entries: [entry] }),
  ];
}

/** Keyed by column name. Ids are the service's and are never altered: one that `jsonb` rejects is refused. */
function settledRow(
  { subscriptionId, cycle, attempt, send, paymentId }: SendRef & { readonly paymentId?: PaymentId },
  outcome: Outcome,
  at: Instant,
): Readonly<Record<string, unknown>> {
  const named: Named = outcome;
  const { authorizationId = null, captureId = null, createdAt = null, authorized = false } = named;
  return {
    subscription_id: subscriptionId,
    cycle,
    attempt,
    send,
    payment_id: paymentId,
    ...outcomeColumns(outcome, at),
    authorization_id: authorizationId,
    authorization_created_at: instantToColumn(createdAt),
    capture_id: captureId,
    authorized,
  };
}

/** The ids that an outcome may carry. */
interface Named {
  readonly state: AttemptState;
  readonly authorizationId?: AuthorizationId | undefined;
  readonly captureId?: CaptureId | undefined;
  readonly createdAt?: Instant | undefined;
  readonly authorized?: boolean;
}

/**
 * Whether the outcome differs from the final one, or is the same for another authorization: an operator must see it. The
 * same applies if an operator has resolved the attempt and an authorization is found that may still become a debit.
 */
function contradicts(current: AttemptRecord, outcome: Outcome): boolean {
  if (!isFinal(current.state)) return false;
  const isLateFinding = outcome.state === 'pending' && current.resolvedBy !== null;
  if (isLateFinding) return !hasNoId(current) && isAnotherAuthorization(current, outcome);
  if (!isFinal(outcome.state)) return false;
  if (current.state !== outcome.state) return true;
  return !hasNoId(current) && isAnotherAuthorization(current, outcome);
}

/** Resolved as collected without an id: what is found now is what the operator saw (rule 33). */
function hasNoId({ state, authorizationId }: AttemptRecord): boolean {
  return state === 'successful' && authorizationId === null;
}

function isAnotherAuthorization(current: AttemptRecord, outcome: Outcome): boolean {
  const { authorizationId }: Named = outcome;
  return authorizationId !== undefined && authorizationId !== current.authorizationId;
}

async function recordContradiction(db: Db, current: AttemptRecord, outcome: Outcome, at: Instant): Promise<void> {
  const { cycle, attempt, send, state, authorizationId } = current;
  const found: Named = outcome;
  await insertEvent(db, {
    subscriptionId: current.subscriptionId,
    at,
    actor: DUEDAY,
    type: 'attempt.contradicted',
    data: { cycle, attempt, send, recorded: { state, authorizationId }, ...contradictionData(outcomeData(outcome)) },
    changeKey: `contradicted/${cycle}/${attempt}/${send}/${outcome.state}/${found.authorizationId ?? ''}`,
  });
}
