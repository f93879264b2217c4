import type { PaymentId, SubscriptionId } from '../domain/ids';
import { type Instant, toIso } from '../domain/time';
import {
  type Difference,
  type DifferenceKind,
  keyOfDifference,
  type Side,
} from '../domain/reconciliation/subscription';
import { describeDifference } from '../domain/reconciliation/records';
import { instantToColumn, moneyFromColumn, textToColumn } from './column';
import { type Page, type PageOf, readNumberCursor, toPage } from './cursor';
import type { Db } from './db';
import { DUEDAY, insertEvent } from './events';
import type { ComparedPayment } from './reconciliation-touched';

/** A difference, and whose it is. */
export interface DifferenceRecord extends Difference {
  /** Null where it is about a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
}

/** Each once in a run, however often it is written. */
export async function insertDifferences(
  db: Db,
  runId: string,
  { subscriptionId, paymentId }: ComparedPayment,
  differences: readonly Difference[],
): Promise<void> {
  for (const each of differences) {
    await db.query(
      `insert into reconciliation_differences (
         run_id, subscription_id, payment_id, difference_key, kind, cycle, authorization_id, capture_id, refund_id,
         service_refund_id, ledger_state, ledger_amount, ledger_at, service_state, service_amount, service_at, reason
       ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       on conflict (run_id, payment_id, difference_key) do nothing`,
      [
        ...[runId, subscriptionId, paymentId, keyOfDifference(each), each.kind, each.cycle],
        ...[each.authorizationId, each.captureId, each.refundId, each.serviceRefundId],
        ...sideColumns(each.ledger),
        ...sideColumns(each.service),
        textToColumn(each.reason),
      ],
    );
  }
}

/** Of one run, in the order of the subscriptions' ids; those of one-time payments behind them. */
export async function listDifferences(db: Db, runId: string, page: Page): Promise<PageOf<DifferenceRecord>> {
  const { rows } = await db.query<DifferenceRow>(
    `select * from reconciliation_differences where run_id = $1 and number > $2 order by number limit $3`,
    [runId, readNumberCursor(page.cursor) ?? -1, page.limit + 1],
  );
  return toDifferencePage(rows, page.limit);
}

/** @param rows in the order of their numbers, one more than the limit where there are */
export function toDifferencePage(rows: readonly DifferenceRow[], limit: number): PageOf<DifferenceRecord> {
  const { items, nextCursor } = toPage(rows, limit, ({ number }) => [number]);
  return { items: items.map(toDifference), nextCursor };
}

/** One entry for each difference that the trail of the subscription, or of the one-time payment, has none of yet. */
export async function announceDifferences(
  db: Db,
  { subscriptionId, paymentId }: ComparedPayment,
  differences: readonly Difference[],
  at: Instant,
): Promise<void> {
  const subject = subscriptionId === null ? { subscriptionId, paymentId } : { subscriptionId };
  for (const each of differences) {
    const { ledger, service, ...rest } = each;
    const text = describeDifference(each);
    await insertEvent(db, {
      ...{ ...subject, at, actor: DUEDAY, type: 'reconciliation.difference' },
      data: { paymentId, ...rest, ledger: told(ledger), service: told(service), text },
      changeKey: `reconciliation/${keyOfDifference(each)}`,
    });
  }
}

function told(side: Side | null): Record<string, unknown> | null {
  return side === null ? null : { ...side, at: toIso(side.at) };
}

function sideColumns(side: Side | null): [string | null, number | null, string | null] {
  return side === null ? [null, null, null] : [side.state, side.amount.value, instantToColumn(side.at)];
}

export interface DifferenceRow {
  number: number;
  subscription_id: string | null;
  payment_id: string;
  kind: DifferenceKind;
  cycle: number | null;
  authorization_id: string | null;
  capture_id: string | null;
  refund_id: string | null;
  service_refund_id: string | null;
  ledger_state: string | null;
  ledger_amount: number | null;
  ledger_at: number | null;
  service_state: string | null;
  service_amount: number | null;
  service_at: number | null;
  reason: string | null;
}

function toDifference(row: DifferenceRow): DifferenceRecord {
  return {
    subscriptionId: row.subscription_id as SubscriptionId | null,
    paymentId: row.payment_id as PaymentId,
    kind: row.kind,
    cycle: row.cycle,
    authorizationId: row.authorization_id,
    captureId: row.capture_id,
    refundId: row.refund_id,
    serviceRefundId: row.service_refund_id,
    ledger: toSide(row.ledger_state, row.ledger_amount, row.ledger_at),
    service: toSide(row.service_state, row.service_amount, row.service_at),
    reason: row.reason,
  };
}

function toSide(state: string | null, cents: number | null, at: Instant | null): Side | null {
  return state === null || cents === null || at === null ? null : { state, amount: moneyFromColumn(cents), at };
}
