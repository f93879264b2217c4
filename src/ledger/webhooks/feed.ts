import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { feedCursor, feedCursorAt, type FeedPosition } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { IS_RESTORED } from '../sql/installation';
import { type Db, instantToColumn, readRecord, readRecords, readValue } from '../sql/statements';
import type { EventRecord } from '../audit/entries';
import { EVENT_COLUMNS, EVENT_SOURCE, type MerchantEvent } from '../audit/envelope';

/** Positions assigned in one transaction. */
export const PLACED_AT_ONCE = 1_000;

/**
 * Assigns positions and sequences to committed events that have none, in the order of writing. One process at a time: a second
 * one leaves the work to the first. Events of a transaction that commits late get their positions after that. In a restored
 * ledger no position is assigned, as it may have been used before.
 * @returns how many; 0 also if another process is doing it
 */
export async function placeEvents(pool: Pool): Promise<number> {
  return inTransaction(pool, async (db) => {
    const feed = await readRecord<{ readonly placed: number }>(
      db,
      `select placed from event_feed where not ${IS_RESTORED} for update skip locked`,
    );
    if (feed === null) return 0;
    const { rowCount } = await db.query(PLACE, [feed.placed, PLACED_AT_ONCE]);
    const placed = rowCount ?? 0;
    if (placed > 0) await db.query('update event_feed set placed = placed + $1', [placed]);
    return placed;
  });
}

/** Numbers that a subject skips after a restore, as the restored ledger may have lost events with these numbers. */
const SKIPPED_BY_RESTORE = 1_000;

const PLACE = `
  with unplaced as (
    select number, subject, row_number() over (order by number) as place,
      row_number() over (partition by subject order by number) as nth, count(*) over (partition by subject) as of_subject
    from (
      select number, ${subjectOf('merchant_events')} as subject
      from merchant_events where position is null and not is_test order by number limit $2
    ) as oldest
  ), counted as (
    insert into event_sequences as s (subject, last, restores)
    select distinct u.subject, u.of_subject, f.restores from unplaced u, event_feed f where u.subject is not null
    on conflict (subject) do update set restores = excluded.restores,
      last = s.last + excluded.last + ${SKIPPED_BY_RESTORE} * (excluded.restores - s.restores)
    returning subject, last
  )
  update merchant_events e set position = $1::bigint + u.place, sequence = c.last - u.of_subject + u.nth
  from unplaced u left join counted c using (subject)
  where e.number = u.number`;

/** The subject within which events are ordered; null for events about neither a subscription nor a payment. */
export function subjectOf(table: string): string {
  return `coalesce('subscription/' || ${table}.subscription_id, 'payment/' || ${table}.payment_id)`;
}

export interface FeedFilter {
  /** All types if omitted. */
  readonly types?: readonly string[] | undefined;
  readonly subscriptionId?: string | undefined;
  /** The id of a one-time payment, or of a subscription's payment. */
  readonly paymentId?: string | undefined;
}

export type FeedRead =
  /** `cursor`: after everything that was read; continue there. `epoch`: belongs to the position of each event. */
  | {
      readonly kind: 'read';
      readonly events: readonly MerchantEvent[];
      readonly cursor: string;
      readonly epoch: number;
    }
  /** Events after the cursor were purged, or it belongs to another ledger, or to this one before it was restored. */
  | { readonly kind: 'expired' };

interface FeedPage {
  /** Null: start with the oldest event, or with the newest in {@link readNewestEvents}. */
  readonly after: string | null;
  readonly limit: number;
}

/** Events after a cursor, oldest first. Call it within one snapshot. */
export async function readFeed(db: Db, filter: FeedFilter, { after, limit }: FeedPage): Promise<FeedRead> {
  const { epoch, placed, purged } = await readBounds(db);
  const from = feedCursor.read(after) ?? { position: purged, epoch };
  if (from.epoch !== epoch || from.position < purged || from.position > placed) return { kind: 'expired' };
  const events = await readEvents(db, filter, { from: from.position, limit, order: 'asc' });
  const last = events.at(-1)?.position ?? null;
  const reached = events.length === limit && last !== null ? last : placed;
  return { kind: 'read', events, cursor: feedCursorAt(reached, epoch), epoch };
}

/**
 * Events before a cursor, newest first, for operators: events recorded meanwhile would precede the first page. Call it
 * within one snapshot.
 */
export async function readNewestEvents(db: Db, filter: FeedFilter, { after, limit }: FeedPage): Promise<FeedRead> {
  const { epoch, placed } = await readBounds(db);
  const from = feedCursor.read(after) ?? { position: placed + 1, epoch };
  if (from.epoch !== epoch || from.position > placed + 1) return { kind: 'expired' };
  const events = await readEvents(db, filter, { from: from.position, limit, order: 'desc' });
  // The oldest stored event may be purged: nothing is before it, so the cursor stays valid.
  const reached = events.length === limit ? (events.at(-1)?.position ?? 0) : 0;
  return { kind: 'read', events, cursor: feedCursorAt(reached, epoch), epoch };
}

interface EventRange {
  /** Exclusive. */
  readonly from: number;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

function readEvents(
  db: Db,
  { types, subscriptionId, paymentId }: FeedFilter,
  { from, limit, order }: EventRange,
): Promise<readonly MerchantEvent[]> {
  return readRecords<MerchantEvent>(
    db,
    `select ${EVENT_COLUMNS} from ${EVENT_SOURCE}
     where e.position ${order === 'asc' ? '>' : '<'} $1 and ($3::text[] is null or e.type = any ($3))
       and ($4::text is null or e.subscription_id = $4)
       and ($5::text is null or e.payment_id = $5
            or e.subscription_id = (select subscription_id from subscriptions where payment_id = $5))
     order by e.position ${order} limit $2`,
    [from, limit, types ?? null, subscriptionId ?? null, paymentId ?? null],
  );
}

/** The subscription that a payment belongs to; null if there is none. */
export async function subscriptionOfPayment(db: Db, paymentId: string): Promise<SubscriptionId | null> {
  return readValue(db, 'select subscription_id from subscriptions where payment_id = $1', [paymentId]);
}

/** The cursor after the newest event. */
export async function feedEnd(db: Db): Promise<string> {
  const { placed, epoch } = await readBounds(db);
  return feedCursorAt(placed, epoch);
}

/** Invalidates all earlier cursors: a restored ledger assigns the same positions to other events. */
export async function expireCursors(db: Db): Promise<void> {
  await db.query('update event_feed set epoch = epoch + 1');
}

/**
 * Makes each sequence continue 1,000 above the last number in the ledger, so that no number is used twice: the ledger may have
 * been restored to a state before the last ones were assigned. Each sequence skips when its next number is assigned. A subject
 * that has no sequence yet, but events that wait for one, starts above 1,000.
 */
export async function skipSequences(db: Db): Promise<void> {
  await db.query('update event_feed set restores = restores + 1');
  await db.query(
    `insert into event_sequences (subject, last, restores)
     select distinct ${subjectOf('e')}, ${SKIPPED_BY_RESTORE}, f.restores from merchant_events e, event_feed f
     where e.position is null and not e.is_test and ${subjectOf('e')} is not null
     on conflict do nothing`,
  );
}

interface FeedBounds extends Pick<FeedPosition, 'epoch'> {
  /** The last assigned position. */
  readonly placed: number;
  /** The last position whose event was purged. */
  readonly purged: number;
}

async function readBounds(db: Db): Promise<FeedBounds> {
  const bounds = await readRecord<FeedBounds>(db, 'select epoch, placed, purged from event_feed');
  if (bounds === null) throw new Error('the ledger has no row in event_feed, although its migration creates one');
  return bounds;
}

/** Null if there is none with this id, or it was purged. Tests are found, events without a position yet are not. */
export async function findEvent(db: Db, eventId: string): Promise<MerchantEvent | null> {
  return readRecord<MerchantEvent>(
    db,
    `select ${EVENT_COLUMNS} from ${EVENT_SOURCE} where e.event_id = $1 and (e.position is not null or e.is_test)`,
    [eventId],
  );
}

/**
 * Removes at most `limit` of the oldest events with their deliveries, and moves the start of the feed. Assigning positions waits
 * for it only if there is something to remove.
 * @param beforeReal real time
 * @returns how many.
 */
export async function purgeEvents(pool: Pool, beforeReal: number, limit: number): Promise<number> {
  const values = [instantToColumn(beforeReal), limit];
  if ((await readValue<boolean>(pool, `select exists (${TOO_OLD})`, values)) !== true) return 0;
  return inTransaction(pool, async (db) => {
    await db.query('select from event_feed for update');
    const { rows } = await db.query<{ position: number | null }>(
      `delete from merchant_events where number in (${TOO_OLD}) returning position`,
      values,
    );
    const last = Math.max(0, ...rows.map(({ position }) => position ?? 0));
    await db.query('update event_feed set purged = greatest(purged, $1)', [last]);
    return rows.length;
  });
}

/** Checks only as many of the oldest as are removed at once: all later ones are younger. */
const TOO_OLD = `
  select number from (
    select number, recorded_real_at, position, is_test from merchant_events order by number limit $2
  ) as oldest
  where recorded_real_at < $1 and (position is not null or is_test)`;

/** A change, as recorded in the audit log: of a subscription, of a one-time payment, or of neither. */
export type Change = Pick<EventRecord, 'id' | 'subscriptionId' | 'paymentId'>;

/** Changes, and which transactions could not be seen yet, by their numbers. */
export interface ChangesRead {
  /** The changes in the order of their ids. */
  readonly changes: readonly Change[];
  /** All transactions with a lower number had ended. */
  readonly endedBefore: number;
  /** No transaction with this number or a higher one had started. */
  readonly startedBefore: number;
}

/** Entries read at once. */
const CHANGES_AT_ONCE = 2_000;

/** Audit entries after `after`. A transaction that commits late has entries with lower ids than some that have been seen. */
export async function readChanges(db: Db, after: number): Promise<ChangesRead> {
  const rows = await readRecords<
    Omit<Change, 'id'> & { id: number | null; endedBefore: string; startedBefore: string }
  >(
    db,
    `select id, subscription_id, payment_id, pg_snapshot_xmin(snapshot)::text as ended_before,
       pg_snapshot_xmax(snapshot)::text as started_before
     from pg_current_snapshot() as snapshot left join
       (select id, subscription_id, payment_id from events where id > $1 order by id limit ${CHANGES_AT_ONCE}) as read
       on true
     order by id`,
    [after],
  );
  const [{ endedBefore, startedBefore } = { endedBefore: '0', startedBefore: '0' }] = rows;
  const changes = rows.flatMap(({ id, subscriptionId, paymentId }) =>
    id === null ? [] : [{ id, subscriptionId, paymentId }],
  );
  return { changes, endedBefore: Number(endedBefore), startedBefore: Number(startedBefore) };
}
