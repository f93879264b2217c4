import type { Pool } from 'pg';
import { type Money, sameMoney } from '../../domain/money';
import { idsNotTaken } from '../../domain/send';
import { type CycleStatus, isTerminal, type SubscriptionStatus } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, parameters, readRecord } from '../sql/statements';
import { DUEDAY, entryColumns, type NewEntry } from '../audit/entries';
import { BEGIN_SENDING } from '../halt/halt';
import type { BeginSendResult, SendStart } from '../rows/any-send';
import type { ConsentAnswer } from '../subscriptions/subscriptions';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';
import { untilProbe } from '../rows/posts';
import {
  findObstacle,
  type SendContext,
  isStopped,
  isOver,
  type FingerprintedContext,
  type AttemptSubject,
  readSendContext,
} from './send-context';
import { lockOf } from '../rows/subscription';
import { writeStep } from './steps';

export interface NewSend extends AttemptSubject, SendStart {
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  /** The newest revision of the row that its workflow knows; omitted by a workflow that knows none. */
  readonly revision?: number | undefined;
  /** The answer about the consent that permits the send, stored with its row; omitted if the consent was not checked. */
  readonly consent?: ConsentAnswer;
  /** Set if another system has created the authorization (rule 40). */
  readonly adopted?: true;
  /** What else the decision to send was based on, for the audit log. */
  readonly grounds?: EventData;
}

type BeginResult =
  | BeginSendResult<AttemptRecord>
  /**
   * A pause, a cancellation, a hold or a postponement came first (rules 3, 16, 23, 24), or another steering change that the
   * workflow does not know yet.
   */
  | { readonly kind: 'stopped' }
  /** A retry without a delivered notice of the preceding failure (rule 13). */
  | { readonly kind: 'no_notice' }
  /** The cycle or the subscription has already ended; the caller is late. */
  | { readonly kind: 'closed'; readonly status: CycleStatus | SubscriptionStatus };

/**
 * Commits the row "sending" that must exist before a POST is sent (rule 16), or says why none may be sent. It runs under
 * the subscription's lock, so that a pause or a cancellation counts as earlier or as later and only one of two callers starts; and
 * under the lock that halts and holds wait for.
 * @throws if the subscription is not in the ledger, has another paymentId, or the cycle's amount is frozen at another value.
 */
export async function beginSend(pool: Pool, input: NewSend): Promise<BeginResult> {
  return inTransaction(pool, (db) => beginUnderLocks(db, input), `${BEGIN_SENDING}; ${lockOf(input.subscriptionId)}`);
}

/**
 * Commits the row "sending" in one message, based on what was read without a lock: it is written only if the ledger is unchanged
 * under the locks.
 * @returns null if the ledger has changed or does not permit the send, or if only a probe may be sent: then
 * {@link beginSend} decides
 */
export async function beginSendIfUnchanged(
  pool: Pool,
  input: NewSend,
  { context, fingerprint }: FingerprintedContext,
): Promise<AttemptRecord | null> {
  if (input.probeInterval !== undefined || refusedBy(context, input) !== null) return null;
  const values = [fingerprint, ...sendColumns(input, context, sendingEntry(input, context))];
  const written = await writeStep(pool, { name: 'begin_send', subscriptionId: input.subscriptionId, values });
  return written?.send ?? null;
}

async function beginUnderLocks(db: Db, input: NewSend): Promise<BeginResult> {
  const context = await readSendContext(db, input);
  const refused = refusedBy(context, input);
  if (refused !== null) return refused.kind === 'blocked' ? { ...refused, by: await findObstacle(db, input) } : refused;
  const wait = await untilProbe(db, input);
  if (wait > 0) return { kind: 'probing', wait };
  return { kind: 'started', send: await writeSend(db, input, context, sendingEntry(input, context)) };
}

type Refused =
  | Exclude<BeginResult, { readonly kind: 'started' | 'blocked' | 'probing' }>
  | { readonly kind: 'blocked' };

/** Why the ledger permits no send; null if it does. */
function refusedBy(context: SendContext, { revision, at }: Pick<NewSend, 'revision' | 'at'>): Refused | null {
  if (isStopped(context, revision, at) || at < (context.postponedUntil ?? at)) return { kind: 'stopped' };
  if (isTerminal(context.status)) return { kind: 'closed', status: context.status };
  if (context.isHalted) return { kind: 'halted' };
  if (context.isBlocked) return { kind: 'blocked' };
  if (isOver(context.cycleStatus)) return { kind: 'closed', status: context.cycleStatus };
  return context.lacksNotice ? { kind: 'no_notice' } : null;
}

/**
 * Opens the cycle, which becomes `collecting`, and writes the send, its audit entry and the consent answer that permits it, in one
 * statement. The caller has checked the context.
 * @param entry with its business time
 * @throws if the cycle's amount is frozen at another value.
 */
export async function writeSend(
  db: Db,
  input: NewSend,
  context: SendContext,
  entry: NewEntry & { readonly at: Instant },
): Promise<AttemptRecord> {
  const text = `select ${ATTEMPT_COLUMNS} from write_send(${parameters(1, 6)})`;
  return sentBy(await readRecord<AttemptRecord>(db, text, sendColumns(input, context, entry)));
}

/** Arguments of `write_send`. @throws if the cycle's amount is frozen at another value. */
function sendColumns(
  input: NewSend,
  context: SendContext,
  { at, ...entry }: NewEntry & { readonly at: Instant },
): (string | null)[] {
  requireFrozen(context, input);
  const { subscriptionId, consent } = input;
  const sending = sendRow({ ...input, knownIds: idsNotTaken(input.knownIds, context.takenIds) }, context.send);
  const answer = consent === undefined ? null : { ...consent, at: instantToColumn(consent.at) };
  return [
    // Ids are the service's and are never altered: one that `jsonb` rejects is refused.
    JSON.stringify(sending),
    instantToColumn(input.collectBy),
    jsonToColumn(answer),
    ...entryColumns({ subscriptionId, at, actor: DUEDAY, entries: [entry] }),
  ];
}

function requireFrozen({ cycleStatus, cycleAmount }: SendContext, { subscriptionId, cycle, amount }: NewSend): void {
  if (cycleAmount === null || cycleStatus === 'scheduled' || sameMoney(cycleAmount, amount)) return;
  throw new Error(`cycle ${cycle} of ${subscriptionId} is frozen at ${cycleAmount.value} cents, not ${amount.value}`);
}

function sentBy(row: AttemptRecord | null): AttemptRecord {
  if (row === null) throw new Error('the send was not inserted');
  return row;
}

/** Inserts only the send. */
export async function insertSend(db: Db, input: SendRow, send: number): Promise<AttemptRecord> {
  const row = sendRow(input, send);
  const columns = Object.keys(row).join(', ');
  const text = `insert into attempts (${columns}) select ${columns} from jsonb_populate_record(null::attempts, $1)
    returning ${ATTEMPT_COLUMNS}`;
  return sentBy(await readRecord<AttemptRecord>(db, text, [JSON.stringify(row)]));
}

type SendRow = Omit<NewSend, 'collectBy' | 'revision' | 'consent' | 'grounds'>;

/** Keyed by column name. */
function sendRow(input: SendRow, send: number): Readonly<Record<string, unknown>> {
  const {
    subscriptionId,
    cycle,
    attempt,
    paymentId,
    amount,
    dueAt,
    at,
    realAt,
    knownIds,
    owner,
    adopted = false,
  } = input;
  return {
    ...{
      subscription_id: subscriptionId,
      cycle,
      attempt,
      send,
      payment_id: paymentId,
      amount: amount.value,
      state: 'sending',
    },
    due_at: instantToColumn(dueAt),
    at: instantToColumn(at),
    sending_real_at: instantToColumn(realAt),
    known_ids: knownIds,
    owner,
    adopted,
  };
}

function sendingEntry(
  { cycle, attempt, amount, dueAt, collectBy, grounds, knownIds, owner, at }: NewSend,
  { send }: SendContext,
) {
  const about = { cycle, attempt, send, amount, dueAt: toIso(dueAt), collectBy: toIso(collectBy) };
  return { at, type: 'attempt.sending' as const, data: { ...about, ...grounds, listed: knownIds.length, owner } };
}
