import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { Calendar } from '../../domain/subscription/schedule';
import type { CycleStatus, SubscriptionStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { type Db, readRecord, readValue } from '../sql/statements';
import type { StoppedBy } from '../rows/subscription';
import { type Precheck, precheckOf } from '../rows/any-send';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';

/** An attempt and its payment. */
export interface AttemptSubject {
  readonly subscriptionId: SubscriptionId;
  readonly paymentId: PaymentId;
  readonly cycle: number;
  readonly attempt: number;
}

/**
 * Everything in the ledger that decides whether a send is permitted: final only if read under the subscription's lock.
 */
export interface SendContext {
  readonly paymentId: PaymentId;
  readonly status: SubscriptionStatus;
  readonly stoppedBy: StoppedBy | null;
  readonly revision: number;
  readonly isHalted: boolean;
  /** Until when a hold by filter stops its attempts; in the past once the hold has ended, null if there was none. */
  readonly heldUntil: Instant | null;
  /** Null if the ledger has no row for the cycle yet. */
  readonly cycleStatus: CycleStatus | null;
  /** Until when the first attempt of the cycle is postponed; null if it is not. */
  readonly postponedUntil: Instant | null;
  /** Frozen by the cycle's first attempt (rule 9), and so may still change while the cycle is `scheduled`. */
  readonly cycleAmount: Money | null;
  /** Whether there is an obstacle, see {@link findObstacle}. */
  readonly isBlocked: boolean;
  /** Whether it is a retry whose payer has not been notified of the preceding failure, by a notice or by an operator (rule 13). */
  readonly lacksNotice: boolean;
  /** The number of the send to be started. */
  readonly send: number;
  /** Ids of authorizations that sends of the payment have created, or that were listed before one of them. */
  readonly takenIds: readonly string[];
}

/** The context of a send, read without a lock. */
export interface FingerprintedContext {
  readonly context: SendContext;
  /** Changes with the context, and with what the ledger knows of the payment's authorizations: see `fingerprint_of`. */
  readonly fingerprint: string;
}

type Stops = Pick<SendContext, 'stoppedBy' | 'revision' | 'heldUntil'>;

/** Whether nothing may be sent at `at` for a workflow that knows this revision of the row (rules 16, 23, 24, 31). */
export function isStopped({ stoppedBy, revision, heldUntil }: Stops, known: number | undefined, at: Instant): boolean {
  return stoppedBy !== null || revision > (known ?? revision) || at < (heldUntil ?? at);
}

/** Key of the item about an incomplete list of authorizations. */
export function listItemKey({ subscriptionId }: Pick<AttemptSubject, 'subscriptionId'>): string {
  return `list/${subscriptionId}`;
}

/**
 * What decides whether an authorization created by another system is the cycle's debit (rule 40), and which answers of the
 * service were lately unusable.
 */
export interface AdoptionTerms {
  readonly calendar: Calendar;
  /** What the cycle collects without a pending change. */
  readonly currentAmount: Money;
  /** Whether an item about an incomplete list is open (rule 39). */
  readonly hasIncompleteListItem: boolean;
  /** Whether the last check of the consent gave no readable answer. */
  readonly wasUnreadable: boolean;
}

/** What the ledger says before the service is called, read without a lock. */
export async function precheckAttempt(
  db: Db,
  {
    subscriptionId,
    cycle,
    attempt,
    revision,
  }: Omit<AttemptSubject, 'paymentId'> & { readonly revision?: number | undefined },
  at: Instant,
): Promise<Precheck & AdoptionTerms & { readonly isStopped: boolean }> {
  const found = await readRecord<Precheck & Stops & AdoptionTerms>(
    db,
    `select sent.*, s.stopped_by, s.revision, held_until(s.subscription_id) as held_until, s.repetition as "calendar.repetition",
       s.first_payment_at as "calendar.first_payment_at", s.end_at as "calendar.end_at",
       coalesce(s.current_amount, first_current(s)) as current_amount, exists (
         select from attention_items where item_id = attention_id($4) and closed_real_at is null
       ) as has_incomplete_list_item, s.consent_unreadable_real_at is not null as was_unreadable
     from subscriptions s, lateral (${precheckOf('attempts where (subscription_id, cycle, attempt) = ($1, $2, $3)')}) sent
     where s.subscription_id = $1`,
    [subscriptionId, cycle, attempt, listItemKey({ subscriptionId })],
  );
  if (found === null) throw new Error(`the ledger has no subscription ${subscriptionId}`);
  return { ...found, isStopped: isStopped(found, revision, at) };
}

const OVER = ['collected', 'failed', 'skipped', 'missed'] as const;

export function isOver(cycle: CycleStatus | null): cycle is (typeof OVER)[number] {
  return OVER.some((each) => each === cycle);
}

function subjectColumns({ subscriptionId, cycle, attempt, paymentId }: AttemptSubject): unknown[] {
  return [subscriptionId, cycle, attempt, paymentId];
}

/**
 * Reads the context of a send; the caller holds the subscription's lock.
 * @throws if the subscription is not in the ledger, or has another paymentId.
 */
export async function readSendContext(db: Db, input: AttemptSubject): Promise<SendContext> {
  const context = await readValue<SendContext | null>(db, `select ${SEND_CONTEXT}`, subjectColumns(input));
  if (context === null) throw new Error(`the ledger has no subscription ${input.subscriptionId}`);
  return requirePayment(context, input);
}

/** The SQL function takes the values of {@link subjectColumns}. */
const SEND_CONTEXT = 'send_context($1, $2, $3, $4)';

function requirePayment(context: SendContext, { subscriptionId, paymentId }: AttemptSubject): SendContext {
  if (context.paymentId === paymentId) return context;
  throw new Error(`subscription ${subscriptionId} has payment ${context.paymentId}, not ${paymentId}`);
}

/** The send that blocks a new one: see the SQL function `send_obstacles`. */
export async function findObstacle(db: Db, input: AttemptSubject): Promise<AttemptRecord> {
  const obstacle = await readRecord<AttemptRecord>(
    db,
    `select ${ATTEMPT_COLUMNS} from send_obstacles($1, $2, $3, $4) order by cycle = $2 desc, attempt desc, send desc limit 1`,
    subjectColumns(input),
  );
  if (obstacle === null) throw new Error('an obstacle was seen under the lock but no longer exists');
  return obstacle;
}
