import { escapeLiteral } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Calendar } from '../../domain/subscription/schedule';
import type { CycleStatus, SubscriptionStatus } from '../../domain/subscription/state';
import { PLANNED_ONCE } from '../database';
import { type Db, readRecord } from '../statements';
import { IS_HALTED } from '../halt/halt';
import type { Hold } from '../subscriptions/record';
import { IS_ADOPTED_IN_VAIN, IS_IN_DOUBT, type Precheck, precheckOf } from './any-send';
import { ATTEMPT_COLUMNS, type AttemptRecord, heldAuthorizations } from './attempts';

/** Which attempt of which payment. */
export interface Place {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly cycle: number;
  readonly attempt: number;
}

/**
 * The lock of a subscription's row, as part of an opening: it costs no message, and comes before all others of its rows. What
 * counts is read in later statements, which see all that was committed before.
 */
export function lockOf(subscriptionId: SubscriptionId): string {
  return `select from subscriptions where subscription_id = ${escapeLiteral(subscriptionId)} for update`;
}

/** How a transaction begins that writes what became of an attempt. */
export function beginWithLock(subscriptionId: SubscriptionId): string {
  return `begin; ${PLANNED_ONCE}; ${lockOf(subscriptionId)}`;
}

/** All that a send is judged by, read under the subscription's lock. */
export interface Ground {
  readonly paymentId: PaymentId;
  readonly status: SubscriptionStatus;
  readonly hold: Hold | null;
  readonly revision: number;
  readonly isHalted: boolean;
  /** Null before the first word about the cycle. */
  readonly cycleStatus: CycleStatus | null;
  /** Frozen by the cycle's first attempt (rule 9). */
  readonly cycleAmount: Money | null;
  /** Whether there is an obstacle, see {@link findObstacle}. */
  readonly isBlocked: boolean;
  /** A retry whose payer has not been notified of the failure just before it, see {@link LACKS_NOTICE}. */
  readonly lacksNotice: boolean;
  /** The number of the send that is begun. */
  readonly send: number;
  readonly heldIds: readonly string[];
}

/** Whether nothing may be sent for a workflow that knows this revision of the row (rules 4, 23). */
export function isHeld(row: Pick<Ground, 'hold' | 'revision'>, known: number | undefined): boolean {
  return row.hold !== null || row.revision > (known ?? row.revision);
}

/** Of a subscription whose list of authorizations is incomplete. */
export function listItemKey({ subscriptionId }: Pick<Place, 'subscriptionId'>): string {
  return `list/${subscriptionId}`;
}

/** By which an authorization that another system made is told to be a cycle's debit (rule 40). */
export interface AdoptionTerms {
  readonly calendar: Calendar;
  /** What the cycle collects without a pending change. */
  readonly currentAmount: Money;
  /** An operator has the item of an incomplete list (rule 39). */
  readonly hasListItem: boolean;
  /** Checks of its consent have failed lately. */
  readonly wasUnreadable: boolean;
}

/** What the ledger says before the service is asked anything, without a lock. */
export async function precheckAttempt(
  db: Db,
  { subscriptionId, cycle, attempt, revision }: Omit<Place, 'paymentId'> & { readonly revision?: number | undefined },
): Promise<Precheck & AdoptionTerms & { readonly isHeld: boolean }> {
  const found = await readRecord<Precheck & Pick<Ground, 'hold' | 'revision'> & AdoptionTerms>(
    db,
    `select sent.*, s.hold, s.revision, s.repetition as "calendar.repetition",
       s.first_payment_at as "calendar.first_payment_at", s.end_at as "calendar.end_at",
       coalesce(s.current_amount, first_current(s)) as current_amount, exists (
         select from attention_items where item_id = attention_id($4) and closed_real_at is null
       ) as has_list_item, s.consent_unreadable_real_at is not null as was_unreadable
     from subscriptions s, lateral (${precheckOf('attempts where (subscription_id, cycle, attempt) = ($1, $2, $3)')}) sent
     where s.subscription_id = $1`,
    [subscriptionId, cycle, attempt, listItemKey({ subscriptionId })],
  );
  if (found === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return { ...found, isHeld: isHeld(found, revision) };
}

export const OVER = ['collected', 'failed', 'skipped', 'missed'] as const;

export function isOver(cycle: CycleStatus | null): cycle is (typeof OVER)[number] {
  return OVER.some((each) => each === cycle);
}

/**
 * A doubtful send of this payment, a live or won one of this cycle, a final refusal, or an attempt of this number or
 * later that did reach the service: a caller who has been asleep finds here that others went on without it. The parameters
 * are {@link placeOf} the send.
 */
const OBSTACLES = `attempts
  where (payment_id = $4 and state ${IS_IN_DOUBT})
     or (subscription_id = $1 and cycle = $2 and not ${IS_ADOPTED_IN_VAIN}
         and (state in ('pending', 'successful', 'capture_failed', 'rejected')
              or attempt > $3
              or (attempt = $3 and state <> 'not_sent')))`;

/**
 * No notice of the failure of the attempt just before was delivered, by a channel or by an operator's own report (rule 13). A
 * first attempt needs none. All sends of a retry follow the same failure, and so the same notice permits them.
 */
const LACKS_NOTICE = `($3 > 0 and not exists (
  select from notices n
  where n.subscription_id = $1 and n.cycle = $2 and n.attempt = $3 - 1 and n.type = 'payment.failed' and n.state = 'delivered'
))`;

function placeOf({ subscriptionId, cycle, attempt, paymentId }: Place): unknown[] {
  return [subscriptionId, cycle, attempt, paymentId];
}

/**
 * Under the subscription's lock.
 * @throws where the subscription is not in the ledger, or has another paymentId.
 */
export async function readGround(db: Db, input: Place): Promise<Ground> {
  const { subscriptionId, paymentId } = input;
  const ground = await readRecord<Ground>(
    db,
    `select s.payment_id, s.status, s.hold, s.revision, c.status as cycle_status, c.amount as cycle_amount, seen.*
     from subscriptions s left join cycles c on c.subscription_id = s.subscription_id and c.cycle = $2, lateral (
       select ${IS_HALTED} as is_halted, exists (select from ${OBSTACLES}) as is_blocked, ${LACKS_NOTICE} as lacks_notice, coalesce((
         select max(send) + 1 from attempts where subscription_id = $1 and cycle = $2 and attempt = $3
       ), 0) as send, array(${heldAuthorizations('$4')}) as held_ids
     ) seen
     where s.subscription_id = $1 and s.status <> 'draft'`,
    placeOf(input),
  );
  if (ground === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  if (ground.paymentId !== paymentId) {
    throw new Error(`subscription ${subscriptionId} has payment ${ground.paymentId}, not ${paymentId}`);
  }
  return ground;
}

export async function findObstacle(db: Db, input: Place): Promise<AttemptRecord> {
  const obstacle = await readRecord<AttemptRecord>(
    db,
    `select ${ATTEMPT_COLUMNS} from ${OBSTACLES} order by cycle = $2 desc, attempt desc, send desc limit 1`,
    placeOf(input),
  );
  if (obstacle === null) throw new Error('an obstacle was seen under the lock, and is gone');
  return obstacle;
}
