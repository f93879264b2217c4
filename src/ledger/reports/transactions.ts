import type { AttemptState } from '../../domain/send';
import type { AuthorizationId, CaptureId, OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Metadata } from '../../domain/metadata';
import type { Money } from '../../domain/money';
import type { PaymentPlan } from '../../domain/payment/payment';
import type { Reversal } from '../../domain/payment/refund-rules';
import { DAY, type Instant } from '../../domain/time';
import { type PageOf, toPage, type TransactionPosition } from '../sql/cursor';
import { type Db, instantToColumn, readRecords, readValue, readValues, textToColumn } from '../sql/statements';
import { REVERSALS } from './reversals';
import { TRANSACTIONS } from './transaction-query';
import { readTransactionId, SOURCES, type TransactionKey } from '../sql/transaction-id';

export const TRANSACTION_TYPES = ['debit', 'capture', 'refund'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const TRANSACTION_STATUSES = ['pending', 'successful', 'failed'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A debit, a capture or a refund, of any plan. A send of an attempt that never arrived at the service is no transaction. */
export interface TransactionRecord extends TransactionPosition {
  /** A debit belongs to a subscription or a Single Immediate payment. */
  readonly type: TransactionType;
  /** An unknown outcome counts as pending. */
  readonly status: TransactionStatus;
  readonly amount: Money;
  /** When it was known to be successful; for Single Immediate by the service's record. Null unless successful. */
  readonly bookedAt: Instant | null;
  readonly plan: 'SUBSCRIPTION' | PaymentPlan;
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  readonly cycle: number | null;
  /** 0 is the first, 1 to 3 are retries; null unless it is a debit of a subscription. */
  readonly attempt: number | null;
  /** For a refund: the authorization of the refunded debit. */
  readonly authorizationId: AuthorizationId | null;
  /** For a refund: the refunded capture. */
  readonly captureId: CaptureId | null;
  /** dueday's id of a refund. */
  readonly refundId: OrderId | null;
  /** The service's id of a refund. */
  readonly serviceRefundId: string | null;
  /** dueday's id of an ordered capture. */
  readonly orderId: OrderId | null;
  /** Why it failed. */
  readonly detail: string | null;
  /** The merchant's reference of the payer; null once erased. */
  readonly reference: string | null;
  /** Metadata of the subscription or the one-time payment. */
  readonly metadata: Metadata;
  /** When a successful debit or capture was given back without an order of dueday; otherwise this and the next two are null. */
  readonly reversedAt: Instant | null;
  readonly reversedAmount: Money | null;
  /** What the service calls the debit; null if it only has a refund that was not ordered here. */
  readonly reversedAs: Reversal['reversedAs'];
}

export interface TransactionFilter {
  /** Inclusive, by booking time, or by creation time if not booked. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
  readonly type?: TransactionType | undefined;
  readonly status?: TransactionStatus | undefined;
  readonly subscriptionId?: SubscriptionId | undefined;
  readonly paymentId?: PaymentId | undefined;
  /** The payer's reference, as given by the merchant. */
  readonly reference?: string | undefined;
  /** Whether a debit or capture was given back without an order of dueday. */
  readonly reversed?: boolean | undefined;
}

/**
 * Transactions in the order of creation, which never changes: pages are consistent even if a transaction is booked in between.
 */
export async function listTransactions(
  db: Db,
  filter: TransactionFilter,
  after: TransactionPosition | null,
  limit: number,
): Promise<PageOf<TransactionRecord>> {
  const records = await readTransactions(db, filter, after, limit + 1);
  return toPage(records, limit, ({ createdAt, transactionId }) => [createdAt, transactionId]);
}

/** At most `limit` transactions after a position; null: from the first. */
export async function readTransactions(
  db: Db,
  filter: TransactionFilter,
  after: TransactionPosition | null,
  limit: number,
): Promise<readonly TransactionRecord[]> {
  const payments = await requestedPayments(db, filter);
  if (payments?.length === 0) return [];
  const values = [
    ...positionValues(after),
    instantToColumn(after?.createdAt ?? (await firstStarted(db, filter))),
    instantToColumn(filter.to === undefined ? LATEST : Math.min(LATEST, filter.to + CLOCK_SET_BACK)),
    instantToColumn(filter.from ?? null),
    instantToColumn(filter.to ?? null),
    filter.type ?? null,
    filter.subscriptionId ?? null,
    payments,
    statesOf(filter.status),
    statusesOf(filter.status),
    limit,
    filter.reversed ?? null,
  ];
  return readRecords<TransactionRecord>(db, TRANSACTIONS, values);
}

/** The position of the transaction with this id in the list; null if there is none. */
export async function findTransactionPosition(db: Db, transactionId: string): Promise<TransactionPosition | null> {
  const key = readTransactionId(transactionId);
  const createdAt = key === null ? null : await readValue<Instant>(db, ...createdAtQuery(key));
  return createdAt === null ? null : { createdAt, transactionId };
}

function createdAtQuery(key: TransactionKey): [string, unknown[]] {
  switch (key.source) {
    case 'attempt':
      return [
        `select at from attempts
         where (subscription_id, cycle, attempt, send) = ($1, $2, $3, $4)`,
        [key.key, key.cycle, key.attempt, key.send],
      ];
    case 'payment':
      return [`select authorization_created_at from payments where request_id = $1 and plan = 'SINGLE'`, [key.key]];
    case 'order':
      return ['select created_at from orders where order_id = $1', [key.key]];
  }
}

/** An instant before every transaction, and the last one that dueday accepts: texts have four-digit years. */
const [EARLIEST, LATEST] = [0, Date.UTC(9999, 11, 31, 23, 59, 59, 999)];

/** A transaction can appear to be booked before it was created only if a clock was set back in between, at most by this. */
const CLOCK_SET_BACK = 7 * DAY;

/** Sorts after every id: they consist of letters, digits, `_` and `-`. */
const BEHIND_ALL = '~';

/** For each source the key after which it continues at the instant of the position; sources sort as a whole. */
function positionValues(after: TransactionPosition | null): readonly (string | number | null)[] {
  const at = instantToColumn(after?.createdAt ?? EARLIEST);
  const key = after === null ? null : readTransactionId(after.transactionId);
  const startOf = (source: TransactionKey['source']): string => {
    if (key === null) return '';
    if (key.source === source) return key.key;
    return SOURCES.indexOf(source) < SOURCES.indexOf(key.source) ? BEHIND_ALL : '';
  };
  const sends = key?.source === 'attempt' ? [key.cycle, key.attempt, key.send] : [0, 0, 0];
  return [at, startOf('attempt'), ...sends, startOf('payment'), startOf('order')];
}

/**
 * The creation time of the first transaction that was booked in the period: it may lie before the period. Forces the index of
 * bookings: with a plain `min` the planner would scan all transactions by creation time.
 */
async function firstStarted(db: Db, { from, to }: TransactionFilter): Promise<Instant> {
  if (from === undefined) return EARLIEST;
  const first = await readValue<Instant>(
    db,
    `select least($1::timestamptz,
       (select min(at + interval '0') from attempts where state = 'successful' and outcome_at >= $1 and outcome_at < $2),
       (select min(o.created_at) from order_sends s join orders o using (order_id)
         where s.state = 'successful' and s.outcome_at >= $1 and s.outcome_at < $2),
       (select min(authorization_created_at + interval '0') from payments
         where booking_id is not null and booking_created_at >= $1 and booking_created_at < $2)
     )`,
    [instantToColumn(from), instantToColumn(to ?? LATEST)],
  );
  return first ?? from;
}

/** The service's ids of the requested payments; null for all. */
async function requestedPayments(db: Db, filter: TransactionFilter): Promise<readonly string[] | null> {
  const { paymentId, reference, reversed } = filter;
  const lists = [
    ...(paymentId === undefined ? [] : [[paymentId]]),
    ...(reference === undefined ? [] : [await paymentsOf(db, reference)]),
    ...(reversed === true ? [await readValues<PaymentId>(db, REVERSED_PAYMENTS)] : []),
  ];
  const [first, ...others] = lists;
  return first?.filter((each) => others.every((list) => list.includes(each))) ?? null;
}

const REVERSED_PAYMENTS = `select distinct i.payment_id from ${REVERSALS} and i.capture_id is not null`;

function paymentsOf(db: Db, reference: string): Promise<PaymentId[]> {
  return readValues<PaymentId>(
    db,
    `select s.payment_id from payers p join subscriptions s using (payer_id)
     where p.reference = $1 and s.payment_id is not null
     union all
     select o.payment_id from payers p join payments o using (payer_id)
     where p.reference = $1 and o.payment_id is not null`,
    [textToColumn(reference)],
  );
}

const STATES: Readonly<Record<TransactionStatus, readonly AttemptState[]>> = {
  pending: ['sending', 'pending', 'unknown', 'unresolved'],
  successful: ['successful'],
  failed: ['rejected_retryable', 'rejected', 'capture_failed'],
};

function statesOf(status: TransactionStatus | undefined): readonly AttemptState[] {
  return statusesOf(status).flatMap((each) => STATES[each]);
}

function statusesOf(status: TransactionStatus | undefined): readonly TransactionStatus[] {
  return status === undefined ? TRANSACTION_STATUSES : [status];
}
