import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import { type Money, sameMoney } from '../../domain/money';
import { idsNotHeld } from '../../domain/send';
import { type CycleStatus, isTerminal, type SubscriptionStatus } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { EventData } from '../../domain/trail/event';
import { instantToColumn, type Db, readRecord, inTransaction } from '../database';
import { DUEDAY, insertEvent } from '../trail';
import { BEGIN_SENDING, IS_HALTED } from '../halt/halt';
import { type BeginSendResult, IS_IN_DOUBT, type SendStart } from './any-send';
import type { Hold } from '../subscriptions/record';
import { ATTEMPT_COLUMNS, type AttemptRecord, heldAuthorizationIds } from './attempts';

export interface NewSend extends SendStart {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly cycle: number;
  readonly attempt: number;
  readonly amount: Money;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  /** The newest revision of the row that its workflow has heard of; left out by a workflow that knows of none. */
  readonly revision?: number | undefined;
  /** What else the sending was decided from, for the trail. */
  readonly grounds?: EventData;
}

type BeginResult =
  | BeginSendResult<AttemptRecord>
  /** A pause or a cancellation came first (rules 23, 24), or another steering change that the workflow has not heard of. */
  | { readonly kind: 'held' }
  /** The cycle or the subscription is already over; the caller is late. */
  | { readonly kind: 'closed'; readonly status: CycleStatus | SubscriptionStatus };

/**
 * Commits the row "sending" that must stand before a POST leaves (rule 16), or says why none may. All of it under
 * the subscription's lock, so that a hold counts as earlier or as later, and of two callers one starts; and under the lock
 * that a halt of the installation waits for.
 * @throws where the subscription is not in the ledger, has another paymentId, or the cycle's amount is frozen otherwise.
 */
export async function beginSend(pool: Pool, input: NewSend): Promise<BeginResult> {
  return inTransaction(pool, (db) => beginUnderLocks(db, input), BEGIN_SENDING);
}

async function beginUnderLocks(db: Db, input: NewSend): Promise<BeginResult> {
  const subscription = await lockSubscription(db, input);
  if (isHeld(subscription, input.revision)) return { kind: 'held' };
  if (isTerminal(subscription.status)) return { kind: 'closed', status: subscription.status };
  if (subscription.isHalted) return { kind: 'halted' };
  const by = await findObstacle(db, input);
  if (by !== null) return { kind: 'blocked', by };
  const cycle = await openCycle(db, input);
  if (cycle !== 'collecting') return { kind: 'closed', status: cycle };
  const send = await insertSend(db, input);
  await recordSending(db, send, input);
  return { kind: 'started', send };
}

interface LockedSubscription {
  paymentId: PaymentId;
  status: SubscriptionStatus;
  hold: Hold | null;
  revision: number;
  isHalted: boolean;
}

/** Whether nothing may be sent for a workflow that knows this revision of the row (rules 4, 23). */
function isHeld(row: Pick<LockedSubscription, 'hold' | 'revision'>, known: number | undefined): boolean {
  return row.hold !== null || row.revision > (known ?? row.revision);
}

/** The same, without a lock: before the checks that cost calls to the service. */
export async function readIsHeld(db: Db, subscriptionId: SubscriptionId, known: number | undefined): Promise<boolean> {
  const row = await readRecord<{ hold: Hold | null; revision: number }>(
    db,
    'select hold, revision from subscriptions where subscription_id = $1',
    [subscriptionId],
  );
  return row !== null && isHeld(row, known);
}

async function lockSubscription(db: Db, input: NewSend): Promise<LockedSubscription> {
  const row = await readRecord<LockedSubscription>(
    db,
    `select payment_id, status, hold, revision, ${IS_HALTED} as is_halted
     from subscriptions where subscription_id = $1 and status <> 'draft' for update`,
    [input.subscriptionId],
  );
  if (row === null) throw new Error(`the ledger has no subscription ${input.subscriptionId}`);
  if (row.paymentId !== input.paymentId) {
    throw new Error(`subscription ${input.subscriptionId} has payment ${row.paymentId}, not ${input.paymentId}`);
  }
  return row;
}

/**
 * A doubtful send of this payment, a live or won one of this cycle, a final refusal, or an attempt of this number or
 * later that did reach the service: a caller who has been asleep finds here that others went on without it.
 */
export async function findObstacle(db: Db, input: NewSend): Promise<AttemptRecord | null> {
  return readRecord(
    db,
    `select ${ATTEMPT_COLUMNS} from attempts
     where (payment_id = $1 and state ${IS_IN_DOUBT})
        or (subscription_id = $2 and cycle = $3
            and (state in ('pending', 'successful', 'capture_failed', 'rejected')
                 or attempt > $4
                 or (attempt = $4 and state <> 'not_sent')))
     order by cycle = $3 desc, attempt desc, send desc
     limit 1`,
    [input.paymentId, input.subscriptionId, input.cycle, input.attempt],
  );
}

/** The cycle becomes `collecting`; one that is over stays as it is. The amount is frozen by its first attempt (rule 9). */
export async function openCycle(db: Db, input: NewSend): Promise<CycleStatus> {
  const row = await readRecord<{ status: CycleStatus; amount: Money }>(
    db,
    `insert into cycles as c (subscription_id, cycle, due_at, collect_by, amount, status)
     values ($1, $2, $3, $4, $5, 'collecting')
     on conflict (subscription_id, cycle) do update set
       status = case when c.status not in ('collected', 'failed', 'skipped', 'missed') then 'collecting' else c.status end,
       amount = case when c.status = 'scheduled' then excluded.amount else c.amount end,
       next_attempt_at = null, retry_now = false
     returning status, amount`,
    [
      input.subscriptionId,
      input.cycle,
      instantToColumn(input.dueAt),
      instantToColumn(input.collectBy),
      input.amount.value,
    ],
  );
  if (row === null) throw new Error('the cycle was neither inserted nor updated');
  if (row.status === 'collecting' && !sameMoney(row.amount, input.amount)) {
    throw new Error(
      `cycle ${input.cycle} of ${input.subscriptionId} is frozen at ${row.amount.value} cents, not ${input.amount.value}`,
    );
  }
  return row.status;
}

export async function insertSend(db: Db, input: NewSend): Promise<AttemptRecord> {
  const knownIds = idsNotHeld(input.knownIds, await heldAuthorizationIds(db, input.paymentId));
  const row = await readRecord<AttemptRecord>(
    db,
    `insert into attempts (
       subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, known_ids, owner
     )
     select $1, $2, $3, coalesce(max(send) + 1, 0), $4, $5, $6, 'sending', $7, $8, $9, $10
     from attempts where subscription_id = $1 and cycle = $2 and attempt = $3
     returning ${ATTEMPT_COLUMNS}`,
    [
      input.subscriptionId,
      input.cycle,
      input.attempt,
      input.paymentId,
      input.amount.value,
      instantToColumn(input.dueAt),
      instantToColumn(input.at),
      instantToColumn(input.realAt),
      knownIds,
      input.owner,
    ],
  );
  if (row === null) throw new Error('the send was not inserted');
  return row;
}

async function recordSending(db: Db, sent: AttemptRecord, { collectBy, grounds, knownIds }: NewSend): Promise<void> {
  const { cycle, attempt, send, amount, dueAt, owner } = sent;
  await insertEvent(db, {
    subscriptionId: sent.subscriptionId,
    at: sent.at,
    actor: DUEDAY,
    type: 'attempt.sending',
    data: {
      cycle,
      attempt,
      send,
      amount,
      dueAt: toIso(dueAt),
      collectBy: toIso(collectBy),
      ...grounds,
      listed: knownIds.length,
      owner,
    },
  });
}
