import type { AttentionKind } from '../../domain/findings';
import type { OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import { keyOfDifference, type Difference, type Side } from '../../domain/reconciliation/records';
import { ORPHANED } from '../../domain/subscription/pauses';
import { type Instant, toIso } from '../../domain/time';
import { insertAttentionEvents } from '../audit/emission';
import { type Db, instantToColumn, jsonToColumn, readRecord, readRecords, readValue } from '../sql/statements';

/** What one side, ledger or service, says of an item. Instants are ISO texts. */
export interface Evidence {
  readonly state: string;
  readonly amount?: Money;
  readonly at?: string;
  /** By which that side knows it. */
  readonly id?: string;
  readonly detail?: string;
}

/** Something that waits for a person from now on. */
export interface NewItem {
  /** Names the item within the ledger: the same cause, when it comes back, opens the same item. */
  readonly key: string;
  readonly source:
    | 'standing'
    | 'consent'
    | 'payment'
    | 'order'
    | 'difference'
    | 'halt'
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
  readonly amount?: Money | null;
  /** Until when a person can still change something. */
  readonly deadline?: Instant | null;
  readonly ledger?: Evidence | null;
  readonly service?: Evidence | null;
}

/**
 * Opens an item within the transaction of what it is about, and tells the merchant. One that is open takes the newer evidence;
 * one that was over waits anew, without assignee and note. What a person has closed stays closed as long as both sides say
 * the same.
 */
export async function openItem(db: Db, item: NewItem, since: Instant): Promise<void> {
  const { subscriptionId = null, paymentId = null, cycle = null, orderId = null, endpointId = null } = item;
  const { rowCount } = await db.query(
    `with kept as (
       update attention_items set amount = $9, deadline = $11, ledger = $12, service = $13
       where item_id = attention_id($1) and closed_real_at is null returning item_id
     )
     insert into attention_items as known (
       item_id, source, kind, subscription_id, payment_id, cycle, order_id, endpoint_id, amount, since, deadline, ledger, service
     )
     select attention_id($1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 where not exists (select from kept)
     ${OPENED_AGAIN} and known.closed_real_at is not null`,
    [
      ...[item.key, item.source, item.kind, subscriptionId, paymentId, cycle, orderId, endpointId],
      ...[item.amount?.value ?? null, instantToColumn(since), instantToColumn(item.deadline ?? null)],
      ...[jsonToColumn(item.ledger), jsonToColumn(item.service)],
    ],
  );
  if (rowCount === 1) await recordTurn(db, 'opened', item, since);
}

const OPENED_AGAIN = `
  on conflict (item_id) do update set
    amount = excluded.amount, deadline = excluded.deadline, ledger = excluded.ledger, service = excluded.service,
    since = case when known.closed_real_at is null then known.since else excluded.since end,
    folded_into = case when known.closed_real_at is null then known.folded_into end,
    assignee = case when known.closed_real_at is null then known.assignee end,
    note = case when known.closed_real_at is null then known.note end,
    closed_real_at = null, closed_by = null, close_reason = null
  where (
    known.close_reason is null or (known.ledger, known.service) is distinct from (excluded.ledger, excluded.service)
  )`;

/**
 * What the item was about has ended, at the time of the trail's last entry, and the merchant is told. One that is not open
 * stays as it is.
 */
export async function endItem(db: Db, key: string): Promise<void> {
  const ended = await readRecord<EndedItem>(
    db,
    `update attention_items set closed_real_at = clock_timestamp()
     where item_id = attention_id($1) and closed_real_at is null
     returning ${TURNED}, (select at from events order by id desc limit 1) as at`,
    [key],
  );
  if (ended !== null) await recordTurn(db, 'cleared', ended, ended.at);
}

/** What of an item its events say. */
type TurnedItem = Pick<NewItem, 'source' | 'subscriptionId' | 'paymentId' | 'cycle'> & { readonly kind: string };

interface EndedItem extends Required<TurnedItem> {
  /** Business time. */
  readonly at: Instant;
}

const TURNED = 'source, kind, subscription_id, payment_id, cycle';

/**
 * Tells the merchant that an item waits from now on, or no more. Not of dead letters: the event would go to the endpoint that
 * takes none, and be one of them.
 */
export async function recordTurn(db: Db, turn: 'opened' | 'cleared', item: TurnedItem, at: Instant): Promise<void> {
  const { source, kind, subscriptionId = null, paymentId = null, cycle = null } = item;
  if (source === 'endpoint') return;
  const matters = [cycle === null ? kind : `${kind}:${cycle}`];
  const subject = { subscriptionId, paymentId: subscriptionId === null ? paymentId : null };
  await insertAttentionEvents(db, subject, at, {
    was: turn === 'cleared' ? matters : [],
    is: turn === 'opened' ? matters : [],
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
 * As part of a query: what the state of `subscriptions s` asks an operator for, each as a key such as `unresolved:3` of cycle 3,
 * the latest last.
 */
export const ATTENTION = 'standing_attention(s.subscription_id)';

/** As part of a query: whether an operator has to restart `subscriptions s`. */
export const IS_MARKED_ORPHANED = `exists (
  select from attention_items i
  where i.item_id = attention_id(format('subscription/%s/${ORPHANED}', s.subscription_id)) and i.closed_real_at is null
)`;

/** The row is locked by the caller. */
export async function readAttention(db: Db, subscriptionId: SubscriptionId): Promise<readonly string[]> {
  const open = await readValue<readonly string[]>(
    db,
    `select ${ATTENTION} from subscriptions s where subscription_id = $1`,
    [subscriptionId],
  );
  return open ?? [];
}

/**
 * Opens an item for each key that the state has and that is not open, ends those that are gone, and notifies the merchant. The row
 * is locked by the caller.
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
       select attention_id(format('subscription/%s/%s', $1::text, matter)) from unnest($2::text[]) as matter
     )`,
    [subscriptionId, is],
  );
  await db.query(
    `insert into attention_items as known (
       item_id, source, kind, subscription_id, cycle, amount, since, deadline
     )
     select attention_id(format('subscription/%s/%s', s.subscription_id, m.matter)), 'standing', split_part(m.matter, ':', 1),
       s.subscription_id, m.cycle, coalesce(c.amount, s.amount), $2,
       case when c.status in ('collecting', 'dunning', 'unresolved') then least(c.retry_until, c.collect_by) end
     from subscriptions s
     cross join lateral (
       select matter, substring(matter from ':(\\d{1,6})$')::integer as cycle, min(place) as place
       from unnest($3::text[]) with ordinality as each (matter, place) group by matter
     ) m
     left join cycles c on (c.subscription_id, c.cycle) = (s.subscription_id, m.cycle)
     where s.subscription_id = $1 order by m.place
     ${OPENED_AGAIN}`,
    [subscriptionId, instantToColumn(at), is],
  );
}

/** Of whose payment a comparison has found differences, in which run. */
export interface ComparedIn {
  readonly runId: string;
  /** Null for a one-time payment. */
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId;
}

/** Each difference that a run has found waits for a person; one that it should have found and has not is over. */
export async function followDifferences(db: Db, compared: ComparedIn, found: readonly Difference[]): Promise<void> {
  const { runId, subscriptionId, paymentId } = compared;
  const keys = found.map((each) => `difference/${paymentId}/${keyOfDifference(each)}`);
  if (!found.some(({ kind }) => kind === 'not_compared')) await endDifferences(db, runId, paymentId, keys);
  if (found.length === 0) return;
  const { rows } = await db.query<{ begun_at: number }>('select begun_at from reconciliation_runs where run_id = $1', [
    runId,
  ]);
  for (const [index, each] of found.entries()) {
    const [ledger, service] = [evidenceOf(each.ledger, each), evidenceOf(each.service, each)];
    const { kind, cycle } = each;
    const amount = each.service?.amount ?? each.ledger?.amount ?? null;
    const item = { source: 'difference', kind, subscriptionId, paymentId, cycle, amount, ledger, service } as const;
    await openItem(db, { key: keys[index] ?? '', ...item }, rows[0]?.begun_at ?? 0);
  }
}

/** Those with a record in the run's span, and those without records. */
async function endDifferences(db: Db, runId: string, paymentId: PaymentId, found: readonly string[]): Promise<void> {
  const ended = await readRecords<EndedItem>(
    db,
    `update attention_items i set closed_real_at = clock_timestamp()
     from reconciliation_runs r
     where r.run_id = $1 and i.payment_id = $2 and i.source = 'difference' and i.closed_real_at is null
       and i.item_id not in (select attention_id(key) from unnest($3::text[]) as key)
       and (
         (i.ledger is null and i.service is null)
         or ((i.ledger ->> 'at')::timestamptz >= r.span_from and (i.ledger ->> 'at')::timestamptz < r.span_to)
         or ((i.service ->> 'at')::timestamptz >= r.span_from and (i.service ->> 'at')::timestamptz < r.span_to)
       )
     returning ${TURNED}, r.begun_at as at`,
    [runId, paymentId, found],
  );
  for (const each of ended) await recordTurn(db, 'cleared', each, each.at);
}

function evidenceOf(side: Side | null, { captureId, authorizationId, serviceRefundId, refundId }: Difference) {
  if (side === null) return null;
  const id = serviceRefundId ?? refundId ?? captureId ?? authorizationId;
  return { state: side.state, amount: side.amount, at: toIso(side.at), ...(id === null ? {} : { id }) };
}
