import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Calendar } from '../../domain/subscription/schedule';
import type { CycleStatus, SubscriptionStatus } from '../../domain/subscription/state';
import { type Db, readRecord, readValue } from '../sql/statements';
import type { Hold } from '../rows/subscription';
import { type Precheck, precheckOf } from '../rows/any-send';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';

/** Which attempt of which payment. */
export interface Place {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly cycle: number;
  readonly attempt: number;
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
  /** A retry whose payer has not been notified of the failure just before it, nor by an operator (rule 13). */
  readonly lacksNotice: boolean;
  /** The number of the send that is begun. */
  readonly send: number;
  readonly heldIds: readonly string[];
}

/** As it was read without a lock. */
export interface JudgedGround {
  readonly ground: Ground;
  /** Names it together with what the ledger knows of the payment's authorizations: see `judged_as`. */
  readonly judged: string;
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

const OVER = ['collected', 'failed', 'skipped', 'missed'] as const;

export function isOver(cycle: CycleStatus | null): cycle is (typeof OVER)[number] {
  return OVER.some((each) => each === cycle);
}

function placeOf({ subscriptionId, cycle, attempt, paymentId }: Place): unknown[] {
  return [subscriptionId, cycle, attempt, paymentId];
}

/**
 * Under the subscription's lock.
 * @throws where the subscription is not in the ledger, or has another paymentId.
 */
export async function readGround(db: Db, input: Place): Promise<Ground> {
  const ground = await readValue<Ground | null>(db, `select ${GROUND}`, placeOf(input));
  if (ground === null) throw new Error(`the ledger has no subscription ${input.subscriptionId}`);
  return requirePayment(ground, input);
}

/** The function's answer to {@link placeOf} a send. */
const GROUND = 'send_ground($1, $2, $3, $4)';

function requirePayment(ground: Ground, { subscriptionId, paymentId }: Place): Ground {
  if (ground.paymentId === paymentId) return ground;
  throw new Error(`subscription ${subscriptionId} has payment ${ground.paymentId}, not ${paymentId}`);
}

/** What stands in the way of a send: see the function. */
export async function findObstacle(db: Db, input: Place): Promise<AttemptRecord> {
  const obstacle = await readRecord<AttemptRecord>(
    db,
    `select ${ATTEMPT_COLUMNS} from send_obstacles($1, $2, $3, $4) order by cycle = $2 desc, attempt desc, send desc limit 1`,
    placeOf(input),
  );
  if (obstacle === null) throw new Error('an obstacle was seen under the lock, and is gone');
  return obstacle;
}
