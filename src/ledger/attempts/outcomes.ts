import type { Pool } from 'pg';
import type { Unconfirmed } from '../../domain/attempt/action';
import type { AuthorizationId, CaptureId, PaymentId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { type AttemptState, isFinal, isVerdict, type SendState, statesBefore } from '../../domain/send';
import type { TrailMark } from '../../domain/audit/event';
import { inStatement, inTransaction } from '../sql/database';
import { type Db, instantToColumn, type Readable, readRecord, readValue } from '../sql/statements';
import { readState } from '../deciding/facts';
import { followOutcome } from '../deciding/outcome';
import { DUEDAY, entryColumns, insertEvent, type NewEvent } from '../audit/entries';
import { outcomeColumns, outcomeData, type RecordOutcomeResult } from '../rows/any-send';
import { type AttemptRecord, keyOf, readSend, resultOf, SENT, type SendRef } from '../rows/attempt';
import { answerWithBefore, collectCycle, type WithBefore } from '../deciding/collected';
import { openContradiction } from './evidence-items';
import { beginWithLock } from '../rows/subscription';

/** What became of a send. `createdAt` is the authorization's, as the service has it. */
export type Outcome =
  | {
      readonly state: 'pending';
      readonly authorizationId: AuthorizationId;
      readonly createdAt: Instant;
      /** The service reported it as successful, its capture not being final. */
      readonly authorized?: boolean;
      /** Real time of that report. */
      readonly reportedReal?: number;
    }
  | {
      readonly state: 'successful';
      readonly authorizationId: AuthorizationId;
      readonly captureId: CaptureId;
      readonly createdAt: Instant;
      /** The due date after this cycle's; null where there is none. Left out, it stays as it is. */
      readonly nextDueAt?: Instant | null;
      readonly reportedReal?: number;
      /** The service contradicts itself about it: for the item that an operator sees. */
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

/** What the trail says of it. Actor `dueday` where none is given. */
export type OutcomeEvent = Pick<NewEvent, 'type' | 'data'> & Partial<Pick<NewEvent, 'actor'>>;

/** With how far the trail has come at least; null where the send was left as it stands. */
export type Recorded = RecordOutcomeResult<AttemptRecord> & { readonly mark: TrailMark | null };

/**
 * Writes what became of a send, with its cycle and subscription where money was collected, in one transaction. A final
 * outcome is never overwritten; one that speaks against it is left to the trail as `attempt.contradicted`.
 * @throws where the send is not in the ledger, or its authorization is already another send's.
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
  // Nothing else follows from it, and each attempt writes it.
  const pending = outcome.state === 'pending' ? await inStatement(pool, write) : null;
  if (pending !== null) return recorded(pending);
  const record = async (db: Db): Promise<Recorded> => {
    const before = isVerdict(outcome.state) ? await readState(db, ref.subscriptionId, at) : null;
    const isSuccessful = outcome.state === 'successful';
    const written = isSuccessful ? await collect(db, update, outcome.nextDueAt) : await write(db);
    if (written === null) return leaveStanding(db, ref, outcome, at);
    if (before !== null) await followOutcome(db, before, ref, resultOf(written), at);
    const contradiction = whatContradicts(written, outcome);
    if (contradiction !== null) await reportContradiction(db, written, at, contradiction);
    return recorded(written);
  };
  return inTransaction(pool, record, beginWithLock(ref.subscriptionId));
}

/** A send as it was written, and the entry in the trail that says so last. */
type Written = AttemptRecord & TrailMark;

function recorded({
  epoch,
  entry,
  isSecond: _second,
  wasRefused: _refused,
  ...send
}: Written & Partial<Collected>): Recorded {
  return { kind: 'recorded', send, mark: { epoch, entry } };
}

/** The debit, with its cycle and subscription, unless another attempt has collected that. */
async function collect(
  db: Db,
  update: Update,
  nextDueAt: Instant | null | undefined,
): Promise<(Written & Collected) | null> {
  const written = await updateSend<Written & WithBefore>(db, update, answerWithBefore);
  if (written === null) return null;
  const { before, ...send } = written;
  const { isCollected: isSecond, wasRefused } = before;
  if (isSecond) return { ...send, isSecond, wasRefused };
  return {
    ...send,
    isSecond,
    wasRefused,
    entry: await collectCycle(db, { ...send, before }, { at: update.at, nextDueAt }),
  };
}

/** What a debit speaks against. */
interface Collected {
  /** Another attempt has collected the cycle. */
  readonly isSecond: boolean;
  /** An earlier attempt with the same authorization was refused. */
  readonly wasRefused: boolean;
}

/** Nothing is refunded automatically (rule 36). */
function secondDebit({ authorizationId, captureId, cycle }: AttemptRecord): string {
  return `${authorizationId} is a second debit of cycle ${cycle}. Recommended: refund capture ${captureId}.`;
}

/** What of an outcome speaks against what the payer was told, or the service has said before (rules 36, 37); null if nothing does. */
function whatContradicts(written: AttemptRecord & Partial<Collected>, outcome: Outcome): string | null {
  if (outcome.state !== 'successful' && outcome.state !== 'capture_failed') return null;
  const { refusedAs, authorizationId, attempt, isSecond = false, wasRefused = false } = written;
  if (isSecond) return secondDebit(written);
  if (outcome.contradiction !== undefined) return outcome.contradiction;
  if (wasRefused)
    return `${authorizationId} had been refused, and the retry opened it again: check what the payer was told.`;
  if (refusedAs === null) return null;
  const became =
    outcome.state === 'successful' ? 'was collected after all' : 'was authorized after all, and its capture failed';
  return `${authorizationId} of attempt ${attempt} had been refused, and ${became}: the payer was told otherwise.`;
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
    isPaused === true ? `${found} The subscription is paused: resume it if that was for this cycle.` : found;
  const about = { subscriptionId, paymentId, cycle, amount, authorizationId, detail };
  const ledger = { state: refusedAs ?? state, at: send.at };
  await openContradiction(db, { ...about, ledger, service: { state, at } }, at);
}

async function leaveStanding(db: Db, ref: SendRef, outcome: Outcome, at: Instant): Promise<Recorded> {
  const send = await readSend(db, ref);
  if (send === null) throw new Error(`the ledger has no send ${keyOf(ref).join('/')}`);
  if (contradicts(send, outcome)) await recordContradiction(db, send, outcome, at);
  return { kind: 'stands', send, mark: null };
}

export interface Update {
  readonly ref: SendRef & { readonly paymentId?: PaymentId };
  readonly outcome: Outcome;
  readonly at: Instant;
  readonly event: OutcomeEvent;
}

/** Answers the row that was written, and more. */
const answerSent = (more: string) => `select sent.*${more} from sent`;

/** With its entry in the audit log, under the subscription's lock. Null where it may not become that, or is not in the ledger. */
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

/** By the names of its columns. Ids are the service's and never changed: one that `jsonb` refuses is refused. */
function settledRow(
  { subscriptionId, cycle, attempt, send, paymentId }: SendRef & { readonly paymentId?: PaymentId },
  outcome: Outcome,
  at: Instant,
): Readonly<Record<string, unknown>> {
  const named: Named = outcome;
  const { authorizationId = null, captureId = null, createdAt = null, authorized = false } = named;
  return {
    ...{ subscription_id: subscriptionId, cycle, attempt, send, payment_id: paymentId, ...outcomeColumns(outcome, at) },
    ...{ authorization_id: authorizationId, authorization_created_at: instantToColumn(createdAt) },
    ...{ capture_id: captureId, authorized },
  };
}

/** What the service calls it, where an outcome says so. */
interface Named {
  readonly state: AttemptState;
  readonly authorizationId?: AuthorizationId | undefined;
  readonly captureId?: CaptureId | undefined;
  readonly createdAt?: Instant | undefined;
  readonly authorized?: boolean;
}

/**
 * Another outcome than the final one that stands, or the same of another authorization: an operator must see it. The
 * same holds where a person has resolved the attempt, and an authorization is found that may yet become a debit.
 */
function contradicts(standing: AttemptRecord, outcome: Outcome): boolean {
  if (!isFinal(standing.state)) return false;
  const isSought = outcome.state === 'pending' && standing.resolvedBy !== null;
  if (isSought) return !namesNone(standing) && isOfAnother(standing, outcome);
  if (!isFinal(outcome.state)) return false;
  if (standing.state !== outcome.state) return true;
  return !namesNone(standing) && isOfAnother(standing, outcome);
}

/** Resolved as collected without an id: what is found now is what the person saw (rule 33). */
function namesNone({ state, authorizationId }: AttemptRecord): boolean {
  return state === 'successful' && authorizationId === null;
}

function isOfAnother(standing: AttemptRecord, outcome: Outcome): boolean {
  const { authorizationId }: Named = outcome;
  return authorizationId !== undefined && authorizationId !== standing.authorizationId;
}

async function recordContradiction(db: Db, standing: AttemptRecord, outcome: Outcome, at: Instant): Promise<void> {
  const { cycle, attempt, send, state, authorizationId } = standing;
  const found: Named = outcome;
  await insertEvent(db, {
    subscriptionId: standing.subscriptionId,
    at,
    actor: DUEDAY,
    type: 'attempt.contradicted',
    data: { cycle, attempt, send, stands: { state, authorizationId }, found: outcomeData(outcome) },
    changeKey: `contradicted/${cycle}/${attempt}/${send}/${outcome.state}/${found.authorizationId ?? ''}`,
  });
}
