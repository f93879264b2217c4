import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { LinkState } from '../../domain/payment/link';
import type { CycleStatus, Postponement } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import { ATTEMPT_COLUMNS, type AttemptRecord } from '../rows/attempt';
import { type Page, type PageOf, numberCursor, toPage } from '../sql/cursor';
import { type Db, readRecords, readValue } from '../sql/statements';
import { type RefundRecord, refundsOf } from '../rows/refund';
import { IS_LIVE_SUBSCRIPTION } from '../rows/subscription';

/** A cycle that the ledger has recorded. Later ones follow from the calendar. */
export interface CycleRecord {
  readonly subscriptionId: SubscriptionId;
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason: string | null;
  readonly collectedAt: Instant | null;
  readonly nextAttemptAt: Instant | null;
  /** The time to which its first attempt was postponed. */
  readonly postponedUntil: Instant | null;
  readonly retriesLeft: number;
  /** The limit for retries (rule 14); null before the first failure. */
  readonly retryUntil: Instant | null;
  /** Attempts are in the order in which they were made. */
  readonly attempts: readonly NotifiedAttempt[];
  /** Refunds are in the order in which they were requested. */
  readonly refunds: readonly RefundRecord[];
  /** The newest link with which the payer can pay the cycle, or has paid it. Null if there is none. */
  readonly paymentLink: PaymentLinkRecord | null;
}

export interface PaymentLinkRecord {
  readonly paymentId: PaymentId;
  readonly state: LinkState;
  readonly createdAt: Instant;
  /** When the service booked the payment; null unless the state is `paid`. */
  readonly paidAt: Instant | null;
}

export interface NotifiedAttempt extends AttemptRecord {
  /** When the payer was notified of this attempt's rejection. */
  readonly payerNotifiedAt: Instant | null;
}

type BareCycle = Omit<CycleRecord, 'attempts' | 'refunds' | 'paymentLink'>;

const CYCLE_COLUMNS = `
  subscription_id, cycle, due_at, collect_by, amount, status, reason, collected_at, next_attempt_at, retries_left,
  retry_until, postponed_until`;

/** A postponed cycle of a subscription that ended before the due date will never exist. */
const EXISTS = `(status <> 'scheduled' or exists (
  select from subscriptions s where s.subscription_id = cycles.subscription_id and s.status ${IS_LIVE_SUBSCRIPTION}
))`;

/** Newest first, with their attempts and refunds. */
export async function listCycles(db: Db, subscriptionId: SubscriptionId, page: Page): Promise<PageOf<CycleRecord>> {
  const cycles = await readRecords<BareCycle>(
    db,
    `select ${CYCLE_COLUMNS} from cycles where subscription_id = $1 and ($2::integer is null or cycle < $2) and ${EXISTS}
     order by cycle desc limit $3`,
    [subscriptionId, numberCursor.read(page.cursor), page.limit + 1],
  );
  return toPage(await withHistory(db, subscriptionId, cycles), page.limit, ({ cycle }) => [cycle]);
}

/** Null if the ledger does not have the cycle (yet). */
export async function getCycle(db: Db, subscriptionId: SubscriptionId, cycle: number): Promise<CycleRecord | null> {
  const cycles = await readRecords<BareCycle>(
    db,
    `select ${CYCLE_COLUMNS} from cycles where subscription_id = $1 and cycle = $2 and ${EXISTS}`,
    [subscriptionId, cycle],
  );
  const [found] = await withHistory(db, subscriptionId, cycles);
  return found ?? null;
}

async function withHistory(
  db: Db,
  subscriptionId: SubscriptionId,
  cycles: readonly BareCycle[],
): Promise<CycleRecord[]> {
  const numbers = cycles.map(({ cycle }) => cycle);
  const attempts = await attemptsOf(db, subscriptionId, numbers);
  const refunds = await refundsOf(db, subscriptionId, numbers);
  const links = await linksOf(db, subscriptionId, numbers);
  return cycles.map((each) => ({
    ...each,
    attempts: attempts.filter(({ cycle }) => cycle === each.cycle),
    refunds: refunds.filter(({ cycle }) => cycle === each.cycle),
    paymentLink: links.get(each.cycle) ?? null,
  }));
}

/** For each cycle, the newest of its links whose session was opened. */
async function linksOf(
  db: Db,
  subscriptionId: SubscriptionId,
  cycles: number[],
): Promise<ReadonlyMap<number, PaymentLinkRecord>> {
  const links = await readRecords<PaymentLinkRecord & { readonly cycle: number }>(
    db,
    `select distinct on (l.cycle) l.cycle, p.payment_id, l.state, p.created_at, l.paid_at
     from payment_links l join payments p using (request_id)
     where l.subscription_id = $1 and l.cycle = any ($2::integer[]) and p.status <> 'draft'
     order by l.cycle, p.created_at desc, l.state = 'ended'`,
    [subscriptionId, cycles],
  );
  return new Map(links.map(({ cycle, ...link }) => [cycle, link]));
}

/** Cycles that are recorded as skipped, for any reason, and those that an operator has postponed; including future ones. */
export interface SteeredCycles {
  readonly skipped: readonly number[];
  readonly postponed: readonly Postponement[];
}

export async function steeredCycles(db: Db, subscriptionId: SubscriptionId): Promise<SteeredCycles> {
  const cycles = await readRecords<{ readonly cycle: number; readonly until: Instant | null }>(
    db,
    `select cycle, case when status = 'scheduled' then postponed_until end as until from cycles
     where subscription_id = $1 and (status = 'skipped' or (status = 'scheduled' and postponed_until is not null))
     order by cycle`,
    [subscriptionId],
  );
  return {
    skipped: cycles.flatMap(({ cycle, until }) => (until === null ? [cycle] : [])),
    postponed: cycles.flatMap(({ cycle, until }) => (until === null ? [] : [{ cycle, until }])),
  };
}

async function attemptsOf(db: Db, subscriptionId: SubscriptionId, cycles: number[]): Promise<NotifiedAttempt[]> {
  return readRecords(
    db,
    `select ${ATTEMPT_COLUMNS}, (
       select n.delivered_at from notices n
       where n.type = 'payment.failed' and n.state = 'delivered'
         and (n.subscription_id, n.cycle, n.attempt) = (a.subscription_id, a.cycle, a.attempt)
         and a.state in ('rejected', 'rejected_retryable')
     ) as payer_notified_at
     from attempts a
     where subscription_id = $1 and cycle = any ($2::integer[])
     order by attempt, send`,
    [subscriptionId, cycles],
  );
}

/** The cycle that waits for its retry; null if there is none. */
export async function cycleInDunning(db: Db, subscriptionId: SubscriptionId): Promise<number | null> {
  return readValue(
    db,
    `select cycle from cycles where subscription_id = $1 and status = 'dunning' order by cycle limit 1`,
    [subscriptionId],
  );
}
