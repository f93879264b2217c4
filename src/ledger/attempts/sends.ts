import type { Pool } from 'pg';
import { type Money, sameMoney } from '../../domain/money';
import { idsNotHeld } from '../../domain/send';
import { type CycleStatus, isTerminal, type SubscriptionStatus } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/trail/event';
import { inTransaction } from '../database';
import {
  type Db,
  instantToColumn,
  parameters,
  readRecord,
  type StatementPart,
  withParts,
  wordsOf,
} from '../statements';
import { DUEDAY, eventsPart, type NewEntry } from '../trail';
import { BEGIN_SENDING } from '../halt/halt';
import type { BeginSendResult, SendStart } from './any-send';
import { type ConsentAnswer, consentPart } from '../subscriptions/subscriptions';
import { ATTEMPT_COLUMNS, type AttemptRecord } from './attempts';
import { untilProbe } from './posts';
import { findObstacle, type Ground, isHeld, isOver, lockOf, OVER, type Place, readGround } from './ground';

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
 * Commits the row "sending" that must stand before a POST leaves (rule 16), or says why none may. All of it under
 * the subscription's lock, so that a hold counts as earlier or as later, and of two callers one starts; and under the lock
 * that a halt of the installation waits for.
 * @throws where the subscription is not in the ledger, has another paymentId, or the cycle's amount is frozen otherwise.
 */
export async function beginSend(pool: Pool, input: NewSend): Promise<BeginResult> {
  return inTransaction(pool, (db) => beginUnderLocks(db, input), `${BEGIN_SENDING}; ${lockOf(input.subscriptionId)}`);
}

async function beginUnderLocks(db: Db, input: NewSend): Promise<BeginResult> {
  const ground = await readGround(db, input);
  if (isHeld(ground, input.revision)) return { kind: 'held' };
  if (isTerminal(ground.status)) return { kind: 'closed', status: ground.status };
  if (ground.isHalted) return { kind: 'halted' };
  if (ground.isBlocked) return { kind: 'blocked', by: await findObstacle(db, input) };
  if (isOver(ground.cycleStatus)) return { kind: 'closed', status: ground.cycleStatus };
  if (ground.lacksNotice) return { kind: 'no_notice' };
  const wait = await untilProbe(db, input);
  if (wait > 0) return { kind: 'probing', wait };
  return { kind: 'started', send: await writeSend(db, input, ground, sendingEntry(input, ground)) };
}

/**
 * Opens the cycle, which becomes `collecting`, enters the send and the trail's word of it, and keeps what permits it, in one
 * statement. The caller has judged by the ground.
 * @param at of the entry, business time
 * @throws where the cycle's amount is frozen otherwise.
 */
export async function writeSend(
  db: Db,
  input: NewSend,
  ground: Ground,
  { at, ...entry }: NewEntry & { readonly at: Instant },
): Promise<AttemptRecord> {
  const { subscriptionId, consent } = input;
  requireFrozen(ground, input);
  const { text, values } = withParts(
    [
      sendPart({ ...input, knownIds: idsNotHeld(input.knownIds, ground.heldIds) }, ground.send),
      cyclePart(input),
      ...(consent === undefined ? [] : [consentPart(consent)]),
      eventsPart({ subscriptionId, at, actor: DUEDAY, entries: [entry] }),
    ],
    `${SENT}, opened`,
  );
  return sentBy(await readRecord<AttemptRecord>(db, text, values));
}

function requireFrozen({ cycleStatus, cycleAmount }: Ground, { subscriptionId, cycle, amount }: NewSend): void {
  if (cycleAmount === null || cycleStatus === 'scheduled' || sameMoney(cycleAmount, amount)) return;
  throw new Error(`cycle ${cycle} of ${subscriptionId} is frozen at ${cycleAmount.value} cents, not ${amount.value}`);
}

const SENT = 'select sent.* from sent';

function sentBy(row: AttemptRecord | null): AttemptRecord {
  if (row === null) throw new Error('the send was not inserted, or its cycle is over, or of another amount');
  return row;
}

/** Enters the send alone. */
export async function insertSend(db: Db, input: SendRow, send: number): Promise<AttemptRecord> {
  const { text, values } = withParts([sendPart(input, send)], SENT);
  return sentBy(await readRecord<AttemptRecord>(db, text, values));
}

type SendRow = Omit<NewSend, 'collectBy' | 'revision' | 'consent' | 'grounds'>;

function sendPart(input: SendRow, send: number): StatementPart {
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
  const values = [
    ...[subscriptionId, cycle, attempt, send, paymentId, amount.value, 'sending', instantToColumn(dueAt)],
    ...[instantToColumn(at), instantToColumn(realAt), knownIds, owner, adopted],
  ];
  return (first) => ({
    text: `sent as (
      insert into attempts (
        subscription_id, cycle, attempt, send, payment_id, amount, state, due_at, at, sending_real_at, known_ids, owner, adopted
      ) values (${parameters(first, values.length)})
      returning ${ATTEMPT_COLUMNS}
    )`,
    values,
  });
}

/** Opens no cycle that is over, nor one whose first attempt has frozen another amount (rule 9). */
function cyclePart({ subscriptionId, cycle, dueAt, collectBy, amount }: NewSend): StatementPart {
  const values = [subscriptionId, cycle, instantToColumn(dueAt), instantToColumn(collectBy), amount.value];
  return (first) => ({
    text: `opened as (
      insert into cycles as c (subscription_id, cycle, due_at, collect_by, amount, status)
      values (${parameters(first, values.length)}, 'collecting')
      on conflict (subscription_id, cycle) do update set
        status = 'collecting', amount = case when c.status = 'scheduled' then excluded.amount else c.amount end,
        next_attempt_at = null, retry_now = false
      where c.status not in (${wordsOf(OVER)})
        and (c.status = 'scheduled' or c.amount = excluded.amount)
      returning cycle
    )`,
    values,
  });
}

function sendingEntry(
  { cycle, attempt, amount, dueAt, collectBy, grounds, knownIds, owner, at }: NewSend,
  { send }: Ground,
) {
  const about = { cycle, attempt, send, amount, dueAt: toIso(dueAt), collectBy: toIso(collectBy) };
  return { at, type: 'attempt.sending' as const, data: { ...about, ...grounds, listed: knownIds.length, owner } };
}
