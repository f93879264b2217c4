import type { ChainedEntry } from '../../domain/audit/chain';
import type { Actor, EventData, CitedRule } from '../../domain/audit/event';
import { type EventType, citeRule } from '../../domain/audit/events';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import {
  type Db,
  instantToColumn,
  jsonToColumn,
  parameters,
  readRecord,
  readRecords,
  type StatementPart,
  withParts,
} from '../sql/statements';
import { type Page, type PageOf, numberCursor, toPage } from '../sql/cursor';
import { columnsOf, eventsGiven, merchantEventsOf } from './emission';

/** Who acts, and when in business time. */
export interface Act extends Actor {
  readonly at: Instant;
}

/** The same with the real time, where that counts too. */
export interface TimedAct extends Act {
  readonly realAt: number;
}

/** What an entry of the trail says. No personal data. */
export interface NewEntry {
  readonly type: EventType;
  /** What was decided, from what. Instants as ISO texts. */
  readonly data: EventData;
}

/** What the entries of one act have in common. */
interface Subject extends Act {
  /** Null for what concerns no subscription, such as an API key. */
  readonly subscriptionId: SubscriptionId | null;
  /** Of what concerns a one-time payment. */
  readonly paymentId?: PaymentId | null | undefined;
  /** Makes each entry unique in its subscription or payment, by its place: written again, it is left as it was. */
  readonly changeKey?: string;
}

/** One entry of the trail, to be written. */
export interface NewEvent extends Subject, NewEntry {}

/** What one act writes to the trail, in order. */
export interface NewEvents extends Subject {
  readonly entries: readonly NewEntry[];
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

/** Writes one entry, as {@link insertEvents} does. */
export async function insertEvent(db: Db, { type, data, ...subject }: NewEvent): Promise<void> {
  await insertEvents(db, { ...subject, entries: [{ type, data }] });
}

/**
 * Writes entries once, each together with the rule that it rests on, so that it stays explained when the rules change, and,
 * in the same statement, the events for the merchant.
 */
export async function insertEvents(db: Db, events: NewEvents): Promise<void> {
  if (events.entries.length === 0) return;
  const { text, values } = withParts([eventsPart(events)], 'select');
  await db.query(text, values);
}

/** An entry of the trail among those of one act on many subscriptions. */
export interface NewEntryOf extends NewEntry {
  readonly subscriptionId: SubscriptionId;
}

/** Writes what one act says of many subscriptions, one entry each, with the events for the merchant, in one statement. */
export async function insertEventsOfMany(
  db: Db,
  { at, actor, keyId = null }: Act,
  entries: readonly NewEntryOf[],
): Promise<void> {
  if (entries.length === 0) return;
  const toMerchant = entries.flatMap((each) =>
    merchantEventsOf({ ...each, actor }).map((made) => ({ ...made, subscriptionId: each.subscriptionId })),
  );
  await db.query(
    `with entry as (
       insert into events (subscription_id, at, actor, key_id, ordinal, type, data)
       select subscription_id, $1, $2, $3, 0, type, data::jsonb
       from unnest($4::text[], $5::text[], $6::text[]) with ordinality as given (subscription_id, type, data, nth)
       order by nth
     )
     insert into merchant_events (type, subscription_id, at, data)
     select given.type, ($9::text[])[nth], $1, given.data::jsonb from ${eventsGiven(7)} order by nth`,
    [
      ...[instantToColumn(at), actor, keyId],
      ...[entries.map(({ subscriptionId }) => subscriptionId), entries.map(({ type }) => type)],
      entries.map((each) => jsonToColumn(withRule(each))),
      ...[...columnsOf(toMerchant), toMerchant.map(({ subscriptionId }) => subscriptionId)],
    ],
  );
}

/**
 * What {@link insertEvents} writes, as a part of another statement: `entry` has the `id` of each that was written.
 * @param condition on which they are written, of the statement's other parts
 */
export function eventsPart(events: NewEvents, condition = 'true'): StatementPart {
  const { subscriptionId, paymentId = null, changeKey = null, at, actor, keyId = null, entries } = events;
  const toMerchant = entries.flatMap((each, ordinal) =>
    merchantEventsOf({ ...each, subscriptionId, actor }).map((made) => ({ ...made, ordinal })),
  );
  const values = [
    ...[subscriptionId, paymentId, changeKey, instantToColumn(at), actor, keyId],
    ...[entries.map(({ type }) => type), entries.map((each) => jsonToColumn(withRule(each)))],
  ];
  return (first) => {
    const [types, data] = [first + 6, first + 7];
    const entry = `entry as (
      insert into events (subscription_id, payment_id, change_key, at, actor, key_id, ordinal, type, data)
      select ${parameters(first, 6)}, nth - 1, type, data::jsonb
      from unnest($${types}::text[], $${data}::text[]) with ordinality as given (type, data, nth)
      where ${condition} order by nth
      on conflict do nothing
      returning id, ordinal, subscription_id, payment_id, at
    )`;
    if (toMerchant.length === 0) return { text: entry, values };
    const told = `told as (
      insert into merchant_events (type, subscription_id, payment_id, at, data)
      select given.type, entry.subscription_id, entry.payment_id, entry.at, given.data::jsonb
      from entry join ${eventsGiven(first + 8)} on entry.ordinal = ($${first + 10}::integer[])[nth] order by nth
    )`;
    const ordinals = toMerchant.map(({ ordinal }) => ordinal);
    return { text: `${entry}, ${told}`, values: [...values, ...columnsOf(toMerchant), ordinals] };
  };
}

/** Arguments of `append_entries`: whom the entries are of, the entries, and the events for the merchant. */
export function entryColumns({ at, entries, ...subject }: NewEvents): [string | null, string | null, string | null] {
  const { subscriptionId, actor } = subject;
  const told = entries.flatMap((each, ordinal) =>
    merchantEventsOf({ ...each, subscriptionId, actor }).map((made) => ({ ...made, ordinal })),
  );
  return [
    jsonToColumn({ ...subject, at: instantToColumn(at) }),
    jsonToColumn(entries.map((each) => ({ type: each.type, data: withRule(each) }))),
    jsonToColumn(told),
  ];
}

/** Where the cited rule is kept among the data. An entry's own `rule` is the name by which a refusal is answered. */
const CITED = 'cited';

function withRule({ type, data }: NewEntry): EventData {
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
