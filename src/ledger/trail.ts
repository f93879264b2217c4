import type { ChainedEntry } from '../domain/trail/chain';
import type { Actor, EventData, CitedRule } from '../domain/trail/event';
import { type EventType, citeRule } from '../domain/trail/events';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { instantToColumn, jsonToColumn, type Db, readRecord, readRecords } from './database';
import { type Page, type PageOf, numberCursor, toPage } from './cursor';
import { columnsOf, eventsGiven, merchantEventsOf } from './events/emission';

/** Who acts, and when in business time. */
export interface Act extends Actor {
  readonly at: Instant;
}

/** The same with the real time, where that counts too. */
export interface TimedAct extends Act {
  readonly realAt: number;
}

/** One entry of the trail, to be written. No personal data. */
export interface NewEvent extends Act {
  /** Null for what concerns no subscription, such as an API key. */
  readonly subscriptionId: SubscriptionId | null;
  /** Of what concerns a one-time payment. */
  readonly paymentId?: PaymentId | null | undefined;
  readonly type: EventType;
  /** What was decided, from what. Instants as ISO texts. */
  readonly data: EventData;
  /** With `ordinal` makes the entry unique in its subscription or payment: written again, it is left as it was. */
  readonly changeKey?: string;
  readonly ordinal?: number;
}

export interface EventRecord extends Omit<ChainedEntry, 'changeKey' | 'ordinal'> {
  readonly subscriptionId: SubscriptionId | null;
  /** Null for what concerns no one-time payment. */
  readonly paymentId: PaymentId | null;
  /** Of the key that acted, see {@link Actor}; null in entries of releases that did not name it. */
  readonly keyId: string | null;
  /** The rule that the decision rested on when it was made; null for what no rule decides, and for old entries. */
  readonly rule: CitedRule | null;
}

export interface EventFilter {
  readonly subscriptionId?: SubscriptionId | undefined;
  /** The trail of a one-time payment. */
  readonly ofPayment?: PaymentId | undefined;
  readonly actor?: string | undefined;
  /** What was done with this key. */
  readonly keyId?: string | undefined;
  readonly type?: string | undefined;
  /** Business time, inclusive. */
  readonly from?: Instant | undefined;
  /** Business time, exclusive. */
  readonly to?: Instant | undefined;
}

/** Who acts where no person does. */
export const DUEDAY = 'dueday';

/**
 * Writes an entry once, together with the rule that it rests on, so that it stays explained when the rules change, and,
 * in the same statement, the events for the merchant.
 */
export async function insertEvent(db: Db, event: NewEvent): Promise<void> {
  const values = [
    event.subscriptionId,
    event.paymentId ?? null,
    event.changeKey ?? null,
    event.ordinal ?? 0,
    instantToColumn(event.at),
    event.actor,
    event.type,
    jsonToColumn(withRule(event)),
    event.keyId ?? null,
  ];
  const toMerchant = merchantEventsOf(event);
  await (toMerchant.length === 0
    ? db.query(INSERT, values)
    : db.query(INSERT_WITH_EVENTS, [...values, ...columnsOf(toMerchant)]));
}

const INSERT = `
  insert into events (subscription_id, payment_id, change_key, ordinal, at, actor, type, data, key_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing`;

const INSERT_WITH_EVENTS = `
  with entry as (${INSERT} returning subscription_id, payment_id, at)
  insert into merchant_events (type, subscription_id, payment_id, at, data)
  select given.type, entry.subscription_id, entry.payment_id, entry.at, given.data::jsonb
  from entry, ${eventsGiven(10)} order by nth`;

/** Where the cited rule is kept among the data. An entry's own `rule` is the name by which a refusal is answered. */
const CITED = 'cited';

function withRule({ type, data }: NewEvent): EventData {
  const rule = citeRule(type, data);
  return rule === null ? data : { ...data, [CITED]: rule };
}

const SELECT = `
  select id, subscription_id, payment_id, at, recorded_at, actor, key_id, type, data - '${CITED}'::text as data,
    data -> '${CITED}' as rule
  from events`;

/** The id that the trail has given last; 0 where it is empty. */
export async function lastEntryId(db: Db): Promise<number> {
  const row = await readRecord<{ readonly id: number }>(db, 'select coalesce(max(id), 0) as id from events');
  return row?.id ?? 0;
}

/** Null where the trail has no entry of this id. */
export function getEvent(db: Db, id: number): Promise<EventRecord | null> {
  return readRecord<EventRecord>(db, `${SELECT} where id = $1`, [id]);
}

/** Newest first. Without a subscription: the whole trail. */
export async function listEvents(db: Db, filter: EventFilter, page: Page): Promise<PageOf<EventRecord>> {
  const events = await readRecords<EventRecord>(
    db,
    `${SELECT}
     where ($1::text is null or subscription_id = $1)
       and ($2::text is null or actor = $2)
       and ($3::text is null or type = $3)
       and ($4::timestamptz is null or at >= $4)
       and ($5::timestamptz is null or at < $5)
       and ($6::bigint is null or id < $6)
       and ($8::text is null or payment_id = $8)
       and ($9::uuid is null or key_id = $9)
     order by id desc
     limit $7`,
    [
      filter.subscriptionId ?? null,
      filter.actor ?? null,
      filter.type ?? null,
      instantToColumn(filter.from ?? null),
      instantToColumn(filter.to ?? null),
      numberCursor.read(page.cursor),
      page.limit + 1,
      filter.ofPayment ?? null,
      filter.keyId ?? null,
    ],
  );
  return toPage(events, page.limit, ({ id }) => [id]);
}
