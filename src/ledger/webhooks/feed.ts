import type { Pool } from 'pg';
import type { SubscriptionId } from '../../domain/ids';
import { feedCursor, feedCursorAt, type FeedPlace } from '../sql/cursor';
import { inTransaction } from '../sql/database';
import { IS_RESTORED } from '../sql/installation';
import { type Db, instantToColumn, readRecord, readRecords, readValue } from '../sql/statements';
import type { EventRecord } from '../audit/entries';
import { EVENT_COLUMNS, EVENT_SOURCE, type MerchantEvent } from '../audit/envelope';

/** Positions given at once. */
export const PLACED_AT_ONCE = 1_000;

/**
 * Gives positions and sequences to events that are committed and have none, in the order of writing. One process at a
 * time: a second one leaves it to the first. A transaction that commits late finds its place when it does. In a restored
 * ledger none is given: it may have been given before.
 * @returns how many; 0 also where another is at it.
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

/** Numbers that a subject leaves out after a restore: those of events which the restored ledger has lost. */
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

/** By which events follow one another; null for what is of no subscription and no payment. */
export function subjectOf(table: string): string {
  return `coalesce('subscription/' || ${table}.subscription_id, 'payment/' || ${table}.payment_id)`;
}

export interface FeedFilter {
  /** All where it is left out. */
  readonly types?: readonly string[] | undefined;
  readonly subscriptionId?: string | undefined;
  /** Of a one-time payment, or of a subscription's payment. */
  readonly paymentId?: string | undefined;
}

export type FeedRead =
  /** `cursor`: behind all that was looked through; where to go on. `epoch`: of the place of each event. */
  | {
      readonly kind: 'read';
      readonly events: readonly MerchantEvent[];
      readonly cursor: string;
      readonly epoch: number;
    }
  /** Events behind the cursor are gone, or it is of another ledger, or of this one before it was restored. */
  | { readonly kind: 'expired' };

/** Events behind a place, oldest first. Read it in one snapshot. @param after from the oldest on where it is null */
export async function readFeed(
  db: Db,
  filter: FeedFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<FeedRead> {
  const { epoch, placed, purged } = await readBounds(db);
  const from = feedCursor.read(after) ?? { position: purged, epoch };
  if (from.epoch !== epoch || from.position < purged || from.position > placed) return { kind: 'expired' };
  const events = await readRecords<MerchantEvent>(
    db,
    `select ${EVENT_COLUMNS} from ${EVENT_SOURCE}
     where e.position > $1 and ($3::text[] is null or e.type = any ($3))
       and ($4::text is null or e.subscription_id = $4)
       and ($5::text is null or e.payment_id = $5
            or e.subscription_id = (select subscription_id from subscriptions where payment_id = $5))
     order by e.position limit $2`,
    [from.position, limit, filter.types ?? null, filter.subscriptionId ?? null, filter.paymentId ?? null],
  );
  const last = events.at(-1)?.position ?? null;
  const reached = events.length === limit && last !== null ? last : placed;
  return { kind: 'read', events, cursor: feedCursorAt(reached, epoch), epoch };
}

/** Whose mandate a payment is; null where it is of none. */
export async function subscriptionOfPayment(db: Db, paymentId: string): Promise<SubscriptionId | null> {
  return readValue(db, 'select subscription_id from subscriptions where payment_id = $1', [paymentId]);
}

/** The place behind every event there is now. */
export async function feedEnd(db: Db): Promise<string> {
  const { placed, epoch } = await readBounds(db);
  return feedCursorAt(placed, epoch);
}

/** No cursor that was given before is taken any more: a restored ledger gives positions anew to other events. */
export async function expireCursors(db: Db): Promise<void> {
  await db.query('update event_feed set epoch = epoch + 1');
}

/**
 * Each sequence continues 1,000 above the last one that the ledger has, so that no number is used twice: it may have been
 * restored to before the last ones were given. The sequences themselves follow as their next numbers are given. A subject
 * that has none yet, and whose events wait, begins above 1,000.
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

interface FeedBounds extends Pick<FeedPlace, 'epoch'> {
  /** The position given last. */
  readonly placed: number;
  /** The last one whose event is gone. */
  readonly purged: number;
}

async function readBounds(db: Db): Promise<FeedBounds> {
  const bounds = await readRecord<FeedBounds>(db, 'select epoch, placed, purged from event_feed');
  if (bounds === null) throw new Error('the ledger has no row in event_feed: its migration made one');
  return bounds;
}

/** Null where there is none of this id, or none any more. Tests are not found. */
export async function findEvent(db: Db, eventId: string): Promise<MerchantEvent | null> {
  return readRecord<MerchantEvent>(
    db,
    `select ${EVENT_COLUMNS} from ${EVENT_SOURCE} where e.event_id = $1 and e.position is not null`,
    [eventId],
  );
}

/**
 * Removes the oldest events, `limit` at most, with what was delivered of them, and moves the beginning of the feed. Placing
 * waits for it only where there is something to remove.
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

/** Of those written first, as many as are removed at once: behind them all are younger. */
const TOO_OLD = `
  select number from (
    select number, recorded_real_at, position, is_test from merchant_events order by number limit $2
  ) as oldest
  where recorded_real_at < $1 and (position is not null or is_test)`;

/** A write, as the trail has it: of a subscription, of a one-time payment, or of neither. */
export type Change = Pick<EventRecord, 'id' | 'subscriptionId' | 'paymentId'>;

/** Entries that one look takes. */
const CHANGES_AT_ONCE = 1_000;

/** Entries of the trail behind `after`, by id. One that is committed late may be behind ids that were seen. */
export async function readChanges(db: Db, after: number): Promise<readonly Change[]> {
  return readRecords<Change>(
    db,
    `select id, subscription_id, payment_id from events where id > $1 order by id limit ${CHANGES_AT_ONCE}`,
    [after],
  );
}
