import type { SubscriptionId } from '../../domain/ids';
import type { LostInHour } from '../../domain/reports/forecast';
import type { Instant } from '../../domain/time';
import { creationCursor, type Page, type PageOf, toPage } from '../sql/cursor';
import { type Db, instantToColumn, readRecord, readRecords } from '../sql/statements';
import type { SubscriptionFilter } from '../subscriptions/subscriptions';

/** A hold: no attempt of the subscriptions that its filter matched starts until it ends. Their due dates remain. */
export interface HoldRecord {
  readonly holdId: string;
  /** What selected the subscriptions. */
  readonly filter: SubscriptionFilter;
  /** Business time at which it ends by itself. */
  readonly until: Instant;
  readonly reason: string;
  /** How many subscriptions it holds. */
  readonly matched: number;
  /** Business time. */
  readonly createdAt: Instant;
  /** The name of the API key. */
  readonly heldBy: string;
  /** Business time at which it was lifted; or `until`, once a process has noticed that it is over; null before. */
  readonly endedAt: Instant | null;
  /** The name of the key that lifted it; null if none did. */
  readonly liftedBy: string | null;
  /** When the first window ends while it is in force, as computed in the last hour; null if none does. */
  readonly firstWindowLostAt: Instant | null;
  /** The windows of the next 14 days, by hour, computed at the same time. */
  readonly windowsLost: readonly LostInHour[];
}

const COLUMNS = `hold_id, filter, until, reason, matched, created_at, held_by, ended_at, lifted_by, first_window_lost_at,
  windows_lost`;

/** Null if there is none with this id, or it ended more than 90 days ago. */
export function readHold(db: Db, holdId: string): Promise<HoldRecord | null> {
  return readRecord<HoldRecord>(db, `select ${COLUMNS} from holds where hold_id = $1`, [holdId]);
}

/** @throws if it is not in the ledger. */
export async function requireHold(db: Db, holdId: string): Promise<HoldRecord> {
  const hold = await readHold(db, holdId);
  if (hold === null) throw new Error(`the hold ${holdId} is not in the ledger`);
  return hold;
}

export interface HoldFilter {
  /** Only holds that are in force, or only those that are not; null: all. */
  readonly isInForce: boolean | null;
  /** Only holds of this subscription; null: all. */
  readonly subscriptionId: SubscriptionId | null;
}

/** Newest first. @param now business time */
export async function listHolds(
  db: Db,
  { isInForce, subscriptionId }: HoldFilter,
  now: Instant,
  page: Page,
): Promise<PageOf<HoldRecord>> {
  const after = creationCursor.read(page.cursor);
  const holds = await readRecords<HoldRecord>(
    db,
    `select ${COLUMNS} from holds
     where ($1::boolean is null or (ended_at is null and until > $2) = $1)
       and ($3::timestamptz is null or (created_at, hold_id) < ($3, $4))
       and ($6::text is null or hold_id in (select hold_id from held_subscriptions where subscription_id = $6))
     order by created_at desc, hold_id desc limit $5`,
    [
      isInForce,
      instantToColumn(now),
      instantToColumn(after?.createdAt ?? null),
      after?.id ?? null,
      page.limit + 1,
      subscriptionId,
    ],
  );
  return toPage(holds, page.limit, ({ createdAt, holdId }) => [createdAt, holdId]);
}

/** The key of its attention item. */
export const holdItemKey = (holdId: string) => `hold/${holdId}`;

/** Few enough for the time-out of a statement. */
const AT_ONCE = 5_000;

/** Splits a list into parts of at most {@link AT_ONCE} items, in their order. */
export function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, part) =>
    all.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
}
