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

/** The actor, and the business time of the act. */
export interface Act extends Actor {
  readonly at: Instant;
}

/** An act with its real time as well. */
export interface TimedAct extends Act {
  readonly realAt: number;
}

/** The content of an audit entry. No personal data. */
export interface NewEntry {
  readonly type: EventType;
  /** The decision and its facts. Instants as ISO text. */
  readonly data: EventData;
}

/** What the entries of one act share. */
interface Subject extends Act {
  /** Null if it concerns no subscription but, for example, an API key. */
  readonly subscriptionId: SubscriptionId | null;
  /** Set if it concerns a one-time payment. */
  readonly paymentId?: PaymentId | null | undefined;
  /**
   * Together with the ordinal of an entry, identifies it within its subscription or payment: an entry that is written again is
   * left unchanged.
   */
  readonly changeKey?: string;
}

/** One audit entry to write. */
export interface NewEvent extends Subject, NewEntry {}

/** The audit entries of one act, in order. */
export interface NewEvents extends Subject {
  readonly entries: readonly NewEntry[];
}

export interface EventRecord extends Omit<ChainedEntry, 'changeKey' | 'ordinal'> {
  readonly subscriptionId: SubscriptionId | null;
  /** Null if it concerns no one-time payment. */
  readonly paymentId: PaymentId | null;
  /** The id of the API key that acted, see {@link Actor}; null if none did. */
  readonly keyId: string | null;
  /** The rule that the decision was based on; null if no rule decides it. */
  readonly rule: CitedRule | null;
}

export interface EventFilter {
  readonly subscriptionId?: SubscriptionId | undefined;
  /** The audit entries of a one-time payment. */
  readonly ofPayment?: PaymentId | undefined;
  readonly actor?: string | undefined;
  /** Acts performed with this key. */
  readonly keyId?: string | undefined;
  readonly type?: string | undefined;
  /** Business time, inclusive. */
  readonly from?: Instant | undefined;
  /** Business time, exclusive. */
  readonly to?: Instant | undefined;
}

/** The actor of automatic acts. */
export const DUEDAY = 'dueday';

/** Writes one entry, as {@link insertEvents} does. */
export async function insertEvent(db: Db, { type, data, ...subject }: NewEvent): Promise<void> {
  await insertEvents(db, { ...subject, entries: [{ type, data }] });
}

/**
 * Writes entries once, and their merchant events in the same statement. Each entry is stored with the rule that it is based on,
 * so that it remains explained when the rules change.
 */
export async function insertEvents(db: Db, events: NewEvents): Promise<void> {
  if (events.entries.length === 0) return;
  const { text, values } = withParts([eventsPart(events)], 'select');
  await db.query(text, values);
}

/** An audit entry of one act on many subscriptions. */
export interface NewEntryOf extends NewEntry, Pick<Subject, 'changeKey'> {
  readonly subscriptionId: SubscriptionId;
}

/** Writes the audit entries of one act on many subscriptions, one each, with the merchant events, in one statement. */
export async function insertEventsOfMany(
  db: Db,
  { at, actor, keyId = null }: Act,
  entries: readonly NewEntryOf[],
): Promise<void> {
  if (entries.length === 0) return;
  const toMerchant = entries.flatMap((each) =>
    merchantEventsOf({ ...each, actor }).map((event) => ({ ...event, subscriptionId: each.subscriptionId })),
  );
  await db.query(
    `with entry as (
       insert into events (subscription_id, change_key, at, actor, key_id, ordinal, type, data)
       select subscription_id, change_key, $1, $2, $3, 0, type, data::jsonb
       from unnest($4::text[], $5::text[], $6::text[], $10::text[])
         with ordinality as given (subscription_id, type, data, change_key, nth)
       order by nth
       on conflict do nothing
       returning subscription_id
     )
     insert into merchant_events (type, subscription_id, at, data)
     select given.type, entry.subscription_id, $1, given.data::jsonb
     from entry join ${eventsGiven(7)} on entry.subscription_id = ($9::text[])[nth] order by nth`,
    [
      instantToColumn(at),
      actor,
      keyId,
      entries.map(({ subscriptionId }) => subscriptionId),
      entries.map(({ type }) => type),
      entries.map((each) => jsonToColumn(withRule(each))),
      ...columnsOf(toMerchant),
      toMerchant.map(({ subscriptionId }) => subscriptionId),
      entries.map(({ changeKey = null }) => changeKey),
    ],
  );
}

function eventsPart(events: NewEvents): StatementPart {
  const { subscriptionId, paymentId = null, changeKey = null, at, actor, keyId = null, entries } = events;
  const toMerchant = entries.flatMap((each, ordinal) =>
    merchantEventsOf({ ...each, subscriptionId, actor }).map((event) => ({ ...event, ordinal })),
  );
  const values = [
    subscriptionId,
    paymentId,
    changeKey,
    instantToColumn(at),
    actor,
    keyId,
    entries.map(({ type }) => type),
    entries.map((each) => jsonToColumn(withRule(each))),
  ];
  return (first) => {
    const [types, data] = [first + 6, first + 7];
    const entry = `entry as (
      insert into events (subscription_id, payment_id, change_key, at, actor, key_id, ordinal, type, data)
      select ${parameters(first, 6)}, nth - 1, type, data::jsonb
      from unnest($${types}::text[], $${data}::text[]) with ordinality as given (type, data, nth)
      order by nth
      on conflict do nothing
      returning ordinal, subscription_id, payment_id, at
    )`;
    if (toMerchant.length === 0) return { text: entry, values };
    const merchantPart = `merchant_event as (
      insert into merchant_events (type, subscription_id, payment_id, at, data)
      select given.type, entry.subscription_id, entry.payment_id, entry.at, given.data::jsonb
      from entry join ${eventsGiven(first + 8)} on entry.ordinal = ($${first + 10}::integer[])[nth] order by nth
    )`;
    const ordinals = toMerchant.map(({ ordinal }) => ordinal);
    return { text: `${entry}, ${merchantPart}`, values: [...values, ...columnsOf(toMerchant), ordinals] };
  };
}

/** Arguments of `append_entries`: the subject of the entries, the entries, and the merchant events. */
export function entryColumns({ at, entries, ...subject }: NewEvents): [string | null, string | null, string | null] {
  const { subscriptionId, actor } = subject;
  const toMerchant = entries.flatMap((each, ordinal) =>
    merchantEventsOf({ ...each, subscriptionId, actor }).map((event) => ({ ...event, ordinal })),
  );
  return [
    jsonToColumn({ ...subject, at: instantToColumn(at) }),
    jsonToColumn(entries.map((each) => ({ type: each.type, data: withRule(each) }))),
    jsonToColumn(toMerchant),
  ];
}

/**
 * The key of the cited rule within the data. It is not `rule`, because in the data of a refusal that key holds the name of the
 * rule.
 */
const CITED = 'cited';

function withRule({ type, data }: NewEntry): EventData {
  const rule = citeRule(type, data);
  return rule === null ? data : { ...data, [CITED]: rule };
}

const SELECT = `
  select id, subscription_id, payment_id, at, recorded_at, actor, key_id, type, data - '${CITED}'::text as data,
    data -> '${CITED}' as rule
  from events`;

/** The last id of the audit log; 0 if it is empty. */
export async function lastEntryId(db: Db): Promise<number> {
  const row = await readRecord<{ readonly id: number }>(db, 'select coalesce(max(id), 0) as id from events');
  return row?.id ?? 0;
}

/** Null if the audit log has no entry with this id. */
export function getEvent(db: Db, id: number): Promise<EventRecord | null> {
  return readRecord<EventRecord>(db, `${SELECT} where id = $1`, [id]);
}

/** Newest first. With an empty filter: the whole audit log. */
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
