import type { Pool } from 'pg';
import { isClosable } from '../../domain/findings';
import type { OrderId, PaymentId, SubscriptionId } from '../../domain/ids';
import type { Money } from '../../domain/money';
import type { PaymentStatus } from '../../domain/payment/payment';
import type { SubscriptionStatus } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { AttemptRecord } from '../rows/attempt';
import { type Page, type PageOf, pairCursor, toPage } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import { type PayerDetails, payerColumns } from '../rows/subscription';
import { UNDELIVERED } from '../webhooks/dead-letters';
import { type Act, insertEvent } from '../audit/entries';
import { type Evidence, type NewItem, recordItemEvent } from '../rows/attention-item';

/** Something that waits for an operator. */
export interface AttentionItem {
  readonly itemId: string;
  readonly source: NewItem['source'];
  readonly kind: string;
  readonly subscriptionId: SubscriptionId | null;
  readonly paymentId: PaymentId | null;
  /** Status of the subscription or the payment; null if it is about neither. */
  readonly status: SubscriptionStatus | PaymentStatus | null;
  /** All fields are null if the item is about no payer, or once the payer is erased. */
  readonly payer: PayerDetails;
  readonly cycle: number | null;
  readonly orderId: OrderId | null;
  readonly endpointId: string | null;
  readonly amount: Money | null;
  /** Business time. */
  readonly since: Instant;
  readonly deadline: Instant | null;
  /** What the ledger and the service showed when the item was last updated; null if the fields below show it. */
  readonly ledger: Evidence | null;
  readonly service: Evidence | null;
  readonly consent: { readonly status: string | null; readonly checkedAt: Instant | null };
  /** Only for the source `standing`: the last attempt of the item's cycle; all fields are null if there is none. */
  readonly attempt: Nullable<
    Pick<
      AttemptRecord,
      'state' | 'amount' | 'at' | 'authorizationId' | 'captureId' | 'authorizationCreatedAt' | 'detail' | 'reason'
    >
  >;
  /** For a contradiction about the second debit of its cycle: that debit; otherwise all fields are null. */
  readonly secondDebit: Nullable<Pick<AttemptRecord, 'amount' | 'captureId'>>;
  /** For a contradiction about a cycle that was both collected and paid by link: the payment by link; otherwise all fields are null. */
  readonly linkDebit: Nullable<Pick<AttemptRecord, 'paymentId' | 'amount' | 'captureId'>>;
  /** Whether a contradiction is a late success, and the subscription is paused, perhaps due to refusals (rule 36). */
  readonly isPausedByRefusals: boolean | null;
  /** Other open items of the same subscription or payment, the newest 20. */
  readonly related: readonly string[];
  /** For dead letters: the current state of their endpoint; otherwise all fields are null. */
  readonly endpoint: {
    readonly enabled: boolean | null;
    /** Events that were given up and not delivered since; {@link MAX_COUNTED} if there are more. */
    readonly undelivered: number | null;
  };
  readonly assignee: string | null;
  readonly note: string | null;
  readonly isOpen: boolean;
}

export const ATTENTION_SORTS = ['-since', 'since', 'deadline', '-amount'] as const;
type AttentionSort = (typeof ATTENTION_SORTS)[number];

/** Undelivered events of an endpoint are counted up to this number. */
export const MAX_COUNTED = 10_000;

export interface AttentionFilter {
  readonly kind?: string | undefined;
  /** Empty: items without an assignee. */
  readonly assignee?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** The id of a one-time payment. */
  readonly paymentId?: string | undefined;
  readonly sort?: AttentionSort | undefined;
}

/** The SQL value that each sort compares, and its direction. */
const SORTINGS: Readonly<Record<AttentionSort, readonly [value: string, direction: 'asc' | 'desc']>> = {
  '-since': ['since', 'desc'],
  since: ['since', 'asc'],
  deadline: [`coalesce(deadline, timestamptz '9999-12-31 23:59:59.999+00')`, 'asc'],
  '-amount': ['coalesce(amount, 0)', 'desc'],
};

/**
 * Items folded into an item of the whole installation are not listed separately. A filter by subscription or payment changes the
 * SQL text, so that PostgreSQL plans it with the index on that column.
 */
function filteredBy(subscriptionId: string | null, paymentId: string | null): string {
  return `closed_real_at is null and folded_into is null
    and ($1::text is null or kind = $1) and ($2::text is null or coalesce(assignee, '') = $2)
    and ${subscriptionId === null ? '$3::text is null' : 'subscription_id = $3'}
    and ${paymentId === null ? '$4::text is null' : 'payment_id = $4'}`;
}

/** Excludes the item of a halt, see {@link readHaltItem}. */
export async function listAttention(
  db: Db,
  { kind = null, assignee = null, subscriptionId = null, paymentId = null, sort = '-since' }: Nullable<AttentionFilter>,
  page: Page,
): Promise<PageOf<AttentionItem>> {
  const [value, direction] = SORTINGS[sort ?? '-since'];
  const position = sort === '-amount' ? value : `(extract(epoch from ${value}) * 1000)::bigint`;
  const after = pairCursor.read(page.cursor);
  const bound = sort === '-amount' ? '$5::bigint' : '$5::timestamptz';
  const from = after === null || sort === '-amount' ? after?.[0] : instantToColumn(after[0]);
  const rows = await readRecords<AttentionItem & ItemPosition>(
    db,
    `select ${columnsOf(position)} from (
       select * from attention_items
       where ${filteredBy(subscriptionId, paymentId)} and source <> 'halt'
         and (${bound} is null or (${value}, number) ${direction === 'asc' ? '>' : '<'} (${bound}, $6::bigint))
       order by ${value} ${direction}, number ${direction} limit $7
     ) i ${JOINS}
     order by ${value.replaceAll(/\b(since|deadline|amount)\b/g, 'i.$1')} ${direction}, i.number ${direction}`,
    [kind, assignee, subscriptionId, paymentId, from ?? null, after?.[1] ?? null, page.limit + 1],
  );
  return toPage(rows, page.limit, ({ position, number }) => [position, number]);
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

interface ItemPosition {
  readonly position: number;
  readonly number: number;
}

/** Null unless sending is halted and the filter includes it. */
export function readHaltItem(
  db: Db,
  { kind = null, assignee = null, subscriptionId = null, paymentId = null }: Nullable<AttentionFilter>,
): Promise<AttentionItem | null> {
  return readRecord(
    db,
    `select ${columnsOf('0')} from (
       select * from attention_items where ${filteredBy(subscriptionId, paymentId)} and source = 'halt'
     ) i ${JOINS}`,
    [kind, assignee, subscriptionId, paymentId],
  );
}

/** Closed items too; null if there never was one with this id. */
function getAttentionItem(db: Db, itemId: string): Promise<AttentionItem | null> {
  return readRecord(db, `select ${columnsOf('0')} from (select * from attention_items where item_id = $1) i ${JOINS}`, [
    itemId,
  ]);
}

function columnsOf(position: string): string {
  return `i.item_id, i.source, i.kind, i.subscription_id, coalesce(i.payment_id, s.payment_id) as payment_id,
    coalesce(s.status, p.status) as status, ${payerColumns('payer')}, i.cycle, i.order_id, i.endpoint_id, i.amount, i.since, i.deadline, i.ledger, i.service,
    coalesce(s.consent_status, p.consent_status) as "consent.status",
    coalesce(s.consent_checked_at, p.consent_checked_at) as "consent.checked_at",
    a.state as "attempt.state", a.amount as "attempt.amount", a.at as "attempt.at",
    a.authorization_id as "attempt.authorization_id", a.authorization_created_at as "attempt.authorization_created_at",
    a.capture_id as "attempt.capture_id", second.amount as "second_debit.amount",
    second.capture_id as "second_debit.capture_id",
    link.payment_id as "link_debit.payment_id", link.amount as "link_debit.amount", link.capture_id as "link_debit.capture_id",
    i.kind = 'contradiction' and i.service ->> 'state' = 'successful' and s.status = 'paused' and s.on_exhausted = 'pause'
      as is_paused_by_refusals,
    array(
      select item_id from attention_items r
      where r.closed_real_at is null and r.item_id <> i.item_id
        and (r.subscription_id = i.subscription_id or r.payment_id = coalesce(i.payment_id, s.payment_id))
      order by r.since desc, r.number desc limit 20
    ) as related,
    a.detail as "attempt.detail", a.reason as "attempt.reason", w.enabled as "endpoint.enabled",
    dead.undelivered as "endpoint.undelivered",
    i.assignee, i.note, i.closed_real_at is null as is_open, ${position.replaceAll(/\b(since|deadline|amount)\b/g, 'i.$1')} as position, i.number`;
}

const JOINS = `
  left join subscriptions s on s.subscription_id = i.subscription_id
  left join payments p on p.payment_id = i.payment_id and i.subscription_id is null
  left join payers payer on payer.payer_id = coalesce(s.payer_id, p.payer_id)
  left join lateral (
    select * from attempts
    where i.source = 'standing' and (subscription_id, cycle) = (i.subscription_id, i.cycle)
    order by attempt desc, send desc limit 1
  ) a on true
  left join lateral (
    select amount, capture_id from attempts
    where i.kind = 'contradiction' and (subscription_id, cycle) = (i.subscription_id, i.cycle) and state = 'successful'
      and authorization_id = i.service ->> 'id'
      and exists (
        select from attempts other
        where (other.subscription_id, other.cycle) = (i.subscription_id, i.cycle) and other.state = 'successful'
          and (other.attempt, other.send) <> (attempts.attempt, attempts.send)
      )
    limit 1
  ) second on true
  left join lateral (
    select p.payment_id, p.amount, p.booking_id as capture_id
    from payment_links l
    join payments p using (request_id)
    join cycles c on (c.subscription_id, c.cycle) = (l.subscription_id, l.cycle)
    where i.kind = 'contradiction' and (l.subscription_id, l.cycle) = (i.subscription_id, i.cycle) and l.state = 'paid'
      and c.status = 'collected'
  ) link on true
  left join webhook_endpoints w on w.endpoint_id = i.endpoint_id
  left join lateral (
    select count(*) as undelivered from (
      select distinct event_id from ${UNDELIVERED} and d.endpoint_id = i.endpoint_id limit ${MAX_COUNTED}
    ) as counted
  ) dead on i.source = 'endpoint'`;

/** An action by an operator on an item. */
export type AttentionAction =
  | { readonly kind: 'assign'; readonly assignee: string | null }
  | { readonly kind: 'note'; readonly note: string | null }
  /** The item has been explained or is no longer needed; only for the kinds of {@link isClosable}. */
  | { readonly kind: 'close'; readonly reason: string };

export type AttentionResult =
  | { readonly kind: 'done'; readonly item: AttentionItem }
  | { readonly kind: 'unknown' }
  /** The item is already closed; nothing was written. */
  | { readonly kind: 'closed'; readonly item: AttentionItem }
  /** The item closes only when its cause ends. */
  | { readonly kind: 'not_closable'; readonly item: AttentionItem };

/** Records an operator's action on an item, with an audit entry. */
export async function actOnAttention(
  pool: Pool,
  itemId: string,
  action: AttentionAction,
  act: Act,
): Promise<AttentionResult> {
  return inTransaction(pool, async (db): Promise<AttentionResult> => {
    await db.query('select 1 from attention_items where item_id = $1 for update', [itemId]);
    const before = await getAttentionItem(db, itemId);
    if (before === null) return { kind: 'unknown' };
    if (!before.isOpen) return { kind: 'closed', item: before };
    if (action.kind === 'close' && !isClosable(before.kind)) return { kind: 'not_closable', item: before };
    await write(db, before, action, act);
    await recordEvent(db, before, action, act);
    const item = await getAttentionItem(db, itemId);
    return { kind: 'done', item: item ?? before };
  });
}

async function write(db: Db, item: AttentionItem, action: AttentionAction, { actor, at }: Act): Promise<void> {
  const { itemId } = item;
  switch (action.kind) {
    case 'assign':
      await db.query('update attention_items set assignee = $2 where item_id = $1', [itemId, action.assignee]);
      return;
    case 'note':
      await db.query('update attention_items set note = $2 where item_id = $1', [itemId, action.note]);
      return;
    case 'close':
      await db.query(
        `update attention_items set closed_real_at = clock_timestamp(), closed_by = $2, close_reason = $3 where item_id = $1`,
        [itemId, actor, action.reason],
      );
      await recordItemEvent(db, 'cleared', item, at);
  }
}

const TYPES = { assign: 'attention.assigned', note: 'attention.noted', close: 'attention.closed' } as const;

async function recordEvent(db: Db, item: AttentionItem, action: AttentionAction, act: Act): Promise<void> {
  const { kind, ...details } = action;
  const { subscriptionId } = item;
  const paymentId = subscriptionId === null ? item.paymentId : null;
  const data = { item: item.itemId, kind: item.kind, ...details };
  await insertEvent(db, { subscriptionId, paymentId, ...act, type: TYPES[kind], data });
}
