import type { AttentionKind } from '../../domain/findings';
import type { OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { keyOfDifference, type Difference, type Side } from '../../domain/reconciliation/records';
import { ORPHANED } from '../../domain/subscription/attention-items';
import { type Instant, type Period, toIso } from '../../domain/time';
import { insertAttentionEvents } from '../audit/emission';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords, readValue } from '../sql/statements';

/** What one side, ledger or service, shows for an item. Instants are ISO text. */
export interface Evidence {
  readonly state: string;
  readonly amount?: Money;
  readonly at?: string;
  /** The id that this side uses. */
  readonly id?: string;
  readonly detail?: string;
}

/** A new item that needs an operator. */
export interface NewItem {
  /** Identifies the item within the ledger: the same cause, if it recurs, opens the same item. */
  readonly key: string;
  readonly source:
    | 'standing'
    | 'consent'
    | 'payment'
    | 'order'
    | 'difference'
    | 'halt'
    | 'hold'
    | 'notice'
    | 'endpoint'
    | 'evidence'
    | 'installation'
    | 'overdue';
  readonly kind: AttentionKind;
  readonly subscriptionId?: SubscriptionId | null;
  readonly paymentId?: PaymentId | null;
  readonly cycle?: number | null;
  readonly orderId?: OrderId;
  readonly endpointId?: string;
  /** The debit that a difference is about, by the service's id. */
  readonly captureId?: string | null;
  readonly amount?: Money | null;
  /** Until when an operator can still change something. */
  readonly deadline?: Instant | null;
  readonly ledger?: Evidence | null;
  readonly service?: Evidence | null;
}

/**
 * Opens an item within the transaction of its cause, and notifies the merchant. An open item takes the newer evidence;
 * a closed one is opened again, without assignee and note. An item that an operator has closed stays closed as long as
 * the ledger and the service still show the same about the same cycle.
 */
export async function openItem(db: Db, item: NewItem, since: Instant): Promise<void> {
  const { subscriptionId = null, paymentId = null, cycle = null, orderId = null, endpointId = null } = item;
  const { rowCount } = await db.query(
    `with updated as (
       update attention_items set amount = $9, deadline = $11, ledger = $12, service = $13, capture_id = $14
       where item_id = attention_id($1) and closed_real_at is null returning item_id
     )
     insert into attention_items as known (
       item_id, source, kind, subscription_id, payment_id, cycle, order_id, endpoint_id, amount, since, deadline, ledger, service,
       capture_id
     )
     select attention_id($1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     where not exists (select from updated)
     ${OPENED_AGAIN} and known.closed_real_at is not null`,
    [
      item.key,
      item.source,
      item.kind,
      subscriptionId,
      paymentId,
      cycle,
      orderId,
      endpointId,
      item.amount?.value ?? null,
      instantToColumn(since),
      instantToColumn(item.deadline ?? null),
      jsonToColumn(item.ledger),
      jsonToColumn(item.service),
      item.captureId ?? null,
    ],
  );
  if (rowCount === 1) await recordItemEvent(db, 'opened', item, since);
}

const OPENED_AGAIN = `
  on conflict (item_id) do update set
    amount = excluded.amount, deadline = excluded.deadline, ledger = excluded.ledger, service = excluded.service,
    since = case when known.closed_real_at is null then known.since else excluded.since end,
    cycle = case when known.closed_real_at is null then known.cycle else excluded.cycle end,
    folded_into = case when known.closed_real_at is null then known.folded_into end,
    assignee = case when known.closed_real_at is null then known.assignee end,
    note = case when known.closed_real_at is null then known.note end,
    closed_real_at = null, closed_by = null, close_reason = null
  where (
    known.close_reason is null
    or (known.cycle, known.ledger, known.service) is distinct from (excluded.cycle, excluded.ledger, excluded.service)
  )`;

/**
 * Closes an item whose cause has ended, and notifies the merchant as of the time of the last audit entry. If an operator has
 * closed it before, that closing ends with its cause: the same cause, if it recurs, opens the item again.
 */
export async function endItem(db: Db, key: string): Promise<void> {
  await endItems(db, 'item_id = attention_id($1)', [key], FORGET_CLOSING);
}

const FORGET_CLOSING = `
  with forgotten as (
    update attention_items set closed_by = null, close_reason = null
    where item_id = attention_id($1) and closed_real_at is not null and close_reason is not null
  )`;

/** Closes the open items of one kind of a subscription, and notifies the merchant as {@link endItem} does. @returns how many */
export function endItemsOfKind(db: Db, subscriptionId: SubscriptionId, kind: AttentionKind): Promise<number> {
  return endItems(db, 'subscription_id = $1 and kind = $2', [subscriptionId, kind]);
}

async function endItems(db: Db, which: string, values: string[], first = ''): Promise<number> {
  const ended = await readRecords<EndedItem>(
    db,
    `${first} update attention_items set closed_real_at = clock_timestamp()
     where ${which} and closed_real_at is null
     returning ${ITEM_SUBJECT}, (select at from events order by id desc limit 1) as at`,
    values,
  );
  for (const each of ended) await recordItemEvent(db, 'cleared', each, each.at);
  return ended.length;
}

/** The part of an item that its events show. */
type ItemSubject = Pick<NewItem, 'source' | 'subscriptionId' | 'paymentId' | 'cycle'> & { readonly kind: string };

interface EndedItem extends Required<ItemSubject> {
  /** Business time. */
  readonly at: Instant;
}

const ITEM_SUBJECT = 'source, kind, subscription_id, payment_id, cycle';

/**
 * Notifies the merchant that an item was opened or cleared. Not for dead letters: the event would also go to their
 * endpoint, which accepts no events, and become one more dead letter.
 */
export async function recordItemEvent(
  db: Db,
  change: 'opened' | 'cleared',
  item: ItemSubject,
  at: Instant,
): Promise<void> {
  const { source, kind, subscriptionId = null, paymentId = null, cycle = null } = item;
  if (source === 'endpoint') return;
  const items = [cycle === null ? kind : `${kind}:${cycle}`];
  const subject = { subscriptionId, paymentId: subscriptionId === null ? paymentId : null };
  await insertAttentionEvents(db, subject, at, {
    was: change === 'cleared' ? items : [],
    is: change === 'opened' ? items : [],
  });
}

export async function isOpenItem(db: Db, key: string): Promise<boolean> {
  const open = await readRecord(
    db,
    'select from attention_items where item_id = attention_id($1) and closed_real_at is null',
    [key],
  );
  return open !== null;
}

/**
 * SQL expression: why the state of `subscriptions s` needs an operator, the latest reason last. Each reason is a key such as
 * `unresolved:3`, for cycle 3.
 */
export const ATTENTION = 'standing_attention(s.subscription_id)';

/** SQL condition: an operator has to restart the workflow of `subscriptions s`. */
export const IS_MARKED_ORPHANED = `exists (
  select from attention_items i
  where i.item_id = attention_id(format('subscription/%s/${ORPHANED}', s.subscription_id)) and i.closed_real_at is null
)`;

/** The reasons of {@link ATTENTION}. The caller holds the lock of the row. */
export async function readAttention(db: Db, subscriptionId: SubscriptionId): Promise<readonly string[]> {
  const open = await readValue<readonly string[]>(
    db,
    `select ${ATTENTION} from subscriptions s where subscription_id = $1`,
    [subscriptionId],
  );
  return open ?? [];
}

/**
 * Opens an item for each key in the state that has no open one, closes those whose keys are gone, and notifies the merchant. The
 * caller holds the lock of the row.
 */
export async function followStanding(
  db: Db,
  subscriptionId: SubscriptionId,
  is: readonly string[],
  at: Instant,
): Promise<void> {
  const was = await readAttention(db, subscriptionId);
  await insertAttentionEvents(db, { subscriptionId, paymentId: null }, at, { was, is });
  await db.query(
    `update attention_items set closed_real_at = clock_timestamp()
     where subscription_id = $1 and source = 'standing' and closed_real_at is null and item_id not in (
       select attention_id(format('subscription/%s/%s', $1::text, key)) from unnest($2::text[]) as key
     )`,
    [subscriptionId, is],
  );
  await db.query(
    `insert into attention_items as known (
       item_id, source, kind, subscription_id, cycle, amount, since, deadline
     )
     select attention_id(format('subscription/%s/%s', s.subscription_id, item.key)), 'standing', split_part(item.key, ':', 1),
       s.subscription_id, item.cycle, coalesce(c.amount, s.amount), $2,
       case when c.status in ('collecting', 'dunning', 'unresolved') then least(c.retry_until, c.collect_by) end
     from subscriptions s
     cross join lateral (
       select key, substring(key from ':(\\d{1,6})$')::integer as cycle, min(nth) as nth
       from unnest($3::text[]) with ordinality as each (key, nth) group by key
     ) item
     left join cycles c on (c.subscription_id, c.cycle) = (s.subscription_id, item.cycle)
     where s.subscription_id = $1 order by item.nth
     ${OPENED_AGAIN}`,
    [subscriptionId, instantToColumn(at), is],
  );
}

/** The payment in which a comparison has found differences, and its run. */
export interface ComparedIn {
  readonly runId: string;
  /** Null for a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
  /** The period that was compared; omitted: that of the run. */
  readonly period?: Period;
}

/** Opens an item for each difference that a run has found; an item whose difference it no longer finds is closed. */
export async function followDifferences(db: Db, compared: ComparedIn, found: readonly Difference[]): Promise<void> {
  const { runId, subscriptionId, paymentId } = compared;
  const keys = found.map((each) => `difference/${paymentId}/${keyOfDifference(each)}`);
  if (!found.some(({ kind }) => kind === 'not_compared')) await endDifferences(db, compared, keys);
  if (found.length === 0) return;
  const { rows } = await db.query<{ started_at: number }>(
    'select started_at from reconciliation_runs where run_id = $1',
    [runId],
  );
  for (const [index, each] of found.entries()) {
    const [ledger, service] = [evidenceOf(each.ledger, each), evidenceOf(each.service, each)];
    const { kind, cycle, captureId } = each;
    const amount = each.service?.amount ?? each.ledger?.amount ?? null;
    const subject = { subscriptionId, paymentId, cycle, captureId };
    const item = { source: 'difference', kind, ...subject, amount, ledger, service } as const;
    await openItem(db, { key: keys[index] ?? '', ...item }, rows[0]?.started_at ?? 0);
  }
}

/** Closes the items of the payment that were not found again, if one of their records is in the period or they have none. */
async function endDifferences(
  db: Db,
  { runId, paymentId, period }: ComparedIn,
  found: readonly string[],
): Promise<void> {
  const ended = await readRecords<EndedItem>(
    db,
    `update attention_items i set closed_real_at = clock_timestamp()
     from (
       select started_at, coalesce($4, period_from) as period_from, coalesce($5, period_to) as period_to
       from reconciliation_runs where run_id = $1
     ) r
     where i.payment_id = $2 and i.source = 'difference' and i.closed_real_at is null
       and i.item_id not in (select attention_id(key) from unnest($3::text[]) as key)
       and (
         (i.ledger is null and i.service is null)
         or ((i.ledger ->> 'at')::timestamptz >= r.period_from and (i.ledger ->> 'at')::timestamptz < r.period_to)
         or ((i.service ->> 'at')::timestamptz >= r.period_from and (i.service ->> 'at')::timestamptz < r.period_to)
       )
     returning ${ITEM_SUBJECT}, r.started_at as at`,
    [runId, paymentId, found, instantToColumn(period?.from ?? null), instantToColumn(period?.to ?? null)],
  );
  for (const each of ended) await recordItemEvent(db, 'cleared', each, each.at);
}

function evidenceOf(side: Side | null, { captureId, authorizationId, serviceRefundId, refundId }: Difference) {
  if (side === null) return null;
  const id = serviceRefundId ?? refundId ?? captureId ?? authorizationId;
  return { state: side.state, amount: side.amount, at: toIso(side.at), ...(id === null ? {} : { id }) };
}
