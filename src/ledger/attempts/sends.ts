import type { Pool } from 'pg';
import { type Money, sameMoney } from '../../domain/money';
import { idsNotHeld } from '../../domain/send';
import { type CycleStatus, isTerminal, type SubscriptionStatus } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { inStatement, inTransaction } from '../sql/database';
import { type Db, instantToColumn, jsonToColumn, parameters, readRecord } from '../sql/statements';
import { DUEDAY, entryColumns, type NewEntry } from '../audit/entries';
import { BEGIN_SENDING } from '../halt/halt';
import type { BeginSendResult, SendStart } from '../rows/any-send';
import type { ConsentAnswer } from '../subscriptions/subscriptions';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';
import { untilProbe } from '../rows/posts';
import { findObstacle, type Ground, isHeld, isOver, type JudgedGround, type Place, readGround } from './ground';
import { lockOf } from '../rows/subscription';

export interface NewSend extends Place, SendStart {
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  /** The newest revision of the row that its workflow has heard of; left out by a workflow that knows of none. */
  readonly revision?: number | undefined;
  /** The answer that permits it, kept with the row; left out where none was asked for. */
  readonly consent?: ConsentAnswer;
  /** Another system made it (rule 40). */
  readonly adopted?: true;
  /** What else the sending was decided from, for the trail. */
  readonly grounds?: EventData;
}

type BeginResult =
  | BeginSendResult<AttemptRecord>
  /** A pause or a cancellation came first (rules 23, 24), or another steering change that the workflow has not heard of. */
  | { readonly kind: 'held' }
  /** A retry, and no notice of the failure just before it was delivered (rule 13). */
  | { readonly kind: 'no_notice' }
  /** The cycle or the subscription is already over; the caller is late. */
  | { readonly kind: 'closed'; readonly status: CycleStatus | SubscriptionStatus };

/**
 * Commits the row "sending" that must exist before a POST leaves (rule 16), or says why none may. All of it under
 * the subscription's lock, so that a hold counts as earlier or as later, and of two callers one starts; and under the lock
 * that a halt of the installation waits for.
 * @throws where the subscription is not in the ledger, has another paymentId, or the cycle's amount is frozen otherwise.
 */
export async function beginSend(pool: Pool, input: NewSend): Promise<BeginResult> {
  return inTransaction(pool, (db) => beginUnderLocks(db, input), `${BEGIN_SENDING}; ${lockOf(input.subscriptionId)}`);
}

/**
 * The same in one message, by what was read before without a lock: it is written only if the ledger says the same under the locks.
 * @returns null if it differs, or does not permit the send: then {@link beginSend} says why
 */
export async function beginSendAsJudged(
  pool: Pool,
  input: NewSend,
  { ground, judged }: JudgedGround,
): Promise<AttemptRecord | null> {
  if (input.probeInterval !== undefined || refusedBy(ground, input) !== null) return null;
  const entry = sendingEntry(input, ground);
  const begin = (db: Db) =>
    readRecord<AttemptRecord>(db, `select ${ATTEMPT_COLUMNS} from begin_send($1, ${parameters(2, 6)})`, [
      judged,
      ...sendColumns(input, ground, entry),
    ]);
  return inStatement(pool, begin);
}

async function beginUnderLocks(db: Db, input: NewSend): Promise<BeginResult> {
  const ground = await readGround(db, input);
  const refused = refusedBy(ground, input);
  if (refused !== null) return refused.kind === 'blocked' ? { ...refused, by: await findObstacle(db, input) } : refused;
  const wait = await untilProbe(db, input);
  if (wait > 0) return { kind: 'probing', wait };
  return { kind: 'started', send: await writeSend(db, input, ground, sendingEntry(input, ground)) };
}

type Refused =
  | Exclude<BeginResult, { readonly kind: 'started' | 'blocked' | 'probing' }>
  | { readonly kind: 'blocked' };

/** Why the ledger permits no send; null if it does. */
function refusedBy(ground: Ground, { revision }: Pick<NewSend, 'revision'>): Refused | null {
  if (isHeld(ground, revision)) return { kind: 'held' };
  if (isTerminal(ground.status)) return { kind: 'closed', status: ground.status };
  if (ground.isHalted) return { kind: 'halted' };
  if (ground.isBlocked) return { kind: 'blocked' };
  if (isOver(ground.cycleStatus)) return { kind: 'closed', status: ground.cycleStatus };
  return ground.lacksNotice ? { kind: 'no_notice' } : null;
}

/**
 * Opens the cycle, which becomes `collecting`, enters the send and its entry in the audit log, and keeps what permits it, in one
 * statement. The caller has judged by the ground.
 * @param at of the entry, business time
 * @throws where the cycle's amount is frozen otherwise.
 */
export async function writeSend(
  db: Db,
  input: NewSend,
  ground: Ground,
  entry: NewEntry & { readonly at: Instant },
): Promise<AttemptRecord> {
  const text = `select ${ATTEMPT_COLUMNS} from write_send(${parameters(1, 6)})`;
  return sentBy(await readRecord<AttemptRecord>(db, text, sendColumns(input, ground, entry)));
}

/** Arguments of `write_send`. @throws where the cycle's amount is frozen otherwise. */
function sendColumns(
  input: NewSend,
  ground: Ground,
  { at, ...entry }: NewEntry & { readonly at: Instant },
): (string | null)[] {
  requireFrozen(ground, input);
  const { subscriptionId, consent } = input;
  const sending = sendRow({ ...input, knownIds: idsNotHeld(input.knownIds, ground.heldIds) }, ground.send);
  const answer = consent === undefined ? null : { ...consent, at: instantToColumn(consent.at) };
  return [
    // Ids are the service's and never changed: what `jsonb` refuses is refused.
    ...[JSON.stringify(sending), instantToColumn(input.collectBy), jsonToColumn(answer)],
    ...entryColumns({ subscriptionId, at, actor: DUEDAY, entries: [entry] }),
  ];
}

function requireFrozen({ cycleStatus, cycleAmount }: Ground, { subscriptionId, cycle, amount }: NewSend): void {
  if (cycleAmount === null || cycleStatus === 'scheduled' || sameMoney(cycleAmount, amount)) return;
  throw new Error(`cycle ${cycle} of ${subscriptionId} is frozen at ${cycleAmount.value} cents, not ${amount.value}`);
}

function sentBy(row: AttemptRecord | null): AttemptRecord {
  if (row === null) throw new Error('the send was not inserted');
  return row;
}

/** Enters the send alone. */
export async function insertSend(db: Db, input: SendRow, send: number): Promise<AttemptRecord> {
  const row = sendRow(input, send);
  const columns = Object.keys(row).join(', ');
  const text = `insert into attempts (${columns}) select ${columns} from jsonb_populate_record(null::attempts, $1)
    returning ${ATTEMPT_COLUMNS}`;
  return sentBy(await readRecord<AttemptRecord>(db, text, [JSON.stringify(row)]));
}

type SendRow = Omit<NewSend, 'collectBy' | 'revision' | 'consent' | 'grounds'>;

/** By the names of its columns. */
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
    ...{ due_at: instantToColumn(dueAt), at: instantToColumn(at), sending_real_at: instantToColumn(realAt) },
    ...{ known_ids: knownIds, owner, adopted },
  };
}

function sendingEntry(
  { cycle, attempt, amount, dueAt, collectBy, grounds, knownIds, owner, at }: NewSend,
  { send }: Ground,
) {
  const about = { cycle, attempt, send, amount, dueAt: toIso(dueAt), collectBy: toIso(collectBy) };
  return { at, type: 'attempt.sending' as const, data: { ...about, ...grounds, listed: knownIds.length, owner } };
}
