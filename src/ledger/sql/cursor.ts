import { z } from 'zod';
import type { SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { readTransactionId } from './transaction-id';

/** Places in lists, as opaque text. A place is a key, never a count: rows that come or go move nothing else. */

export interface Page {
  /** Items at most. */
  readonly limit: number;
  /** `nextCursor` of the page before; null for the first. */
  readonly cursor: string | null;
}

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The cursors of one kind of list. */
interface Cursor<P> {
  readonly is: (text: string) => boolean;
  /** @throws RangeError where the text is no cursor of this list; ask {@link Cursor.is} first. */
  readonly read: (cursor: string | null) => P | null;
}

/** @param place the values by which the list is ordered, as {@link toPage} writes them */
function cursorOf<P>(place: z.ZodType<P>): Cursor<P> {
  const decode = (text: string): P | undefined => {
    const values = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
    const read = place.safeParse(values);
    return read.success && encode(values) === text ? read.data : undefined;
  };
  return {
    is: (text) => decode(text) !== undefined,
    read: (cursor) => {
      if (cursor === null) return null;
      const read = decode(cursor);
      if (read === undefined) throw new RangeError('the cursor belongs to another list');
      return read;
    },
  };
}

/** Undefined where the text is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function encode(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The widest instants that PostgreSQL and ISO texts of four-digit years share. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const whole = z.int().min(0);
const instant = whole.max(LATEST);
const name = z.string().refine((text) => !text.includes('\0'));

function byCreation(id: z.ZodType<string>) {
  return z.tuple([instant, id]).transform(([createdAt, id]) => ({ createdAt, id }));
}

/** Of lists by their items' creation: subscriptions, payments. */
export const creationCursor = cursorOf(byCreation(name));

/** A position in a list whose order was kept when its first page was read. */
export interface SnapshotPlace {
  readonly snapshotId: string;
  /** How many of its ids were shown. */
  readonly position: number;
}

/** Distinguished from cursors of other lists. */
const SNAPSHOT = 'snapshot';

export const snapshotCursor: Cursor<SnapshotPlace> = cursorOf(
  z
    .tuple([z.literal(SNAPSHOT), z.uuid(), whole.max(1_000_000)])
    .transform(([, snapshotId, position]) => ({ snapshotId, position })),
);

export function snapshotCursorAt({ snapshotId, position }: SnapshotPlace): string {
  return encode([SNAPSHOT, snapshotId, position]);
}

/** Of notices, by their creation. */
export const noticeCursor = cursorOf(byCreation(name.startsWith('msg_')));

/** Of requests that wait for a second person, by their creation. */
export const approvalCursor = cursorOf(byCreation(name.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)));

/** Of failing payers, by the id of their subscription. */
export const failingCursor = cursorOf(
  z.tuple([z.literal('failing'), name]).transform(([, id]) => id as SubscriptionId),
);

/** Of jobs, by their creation; distinguished from those of other lists by its first value. */
export const jobCursor = cursorOf(
  z.tuple([z.literal('job'), instant, z.uuid()]).transform(([, createdAt, id]) => ({ createdAt, id })),
);

/** Of what waits for a person: by a number of its own, those that are alike by the order in which they came. */
export const pairCursor = cursorOf(z.tuple([instant, whole]));

/** The place before every item of such a list, for a page that is full without any. */
export function pairStart(sortsDown: boolean): string {
  return encode(sortsDown ? [LATEST, Number.MAX_SAFE_INTEGER] : [0, 0]);
}

/** Of open cycles, by their deadline. */
export const deadlineCursor = cursorOf(
  z
    .tuple([instant, name, instant])
    .transform(([deadline, subscriptionId, dueAt]) => ({ deadline, subscriptionId, dueAt })),
);

/** Of movements of money. */
export interface TransactionPlace {
  /** When it began. */
  readonly createdAt: Instant;
  readonly transactionId: string;
}

export const transactionCursor: Cursor<TransactionPlace> = cursorOf(
  z
    .tuple([instant, name.refine((text) => readTransactionId(text) !== null)])
    .transform(([createdAt, transactionId]) => ({ createdAt, transactionId })),
);

/** Of cycles and of events, which are listed by number. */
export const numberCursor = cursorOf(z.tuple([whole]).transform(([number]) => number));

/** Distinguished from other numbers: programs keep these for long. */
const FEED = 'event';

/** A place among the merchant's events. */
export interface FeedPlace {
  readonly position: number;
  /** How often the ledger was restored before the position was given. */
  readonly epoch: number;
}

/** Of the merchant's events. One without an epoch is of the first, 0. */
export const feedCursor: Cursor<FeedPlace> = cursorOf(
  z.tuple([z.literal(FEED), whole, whole.optional()]).transform(([, position, epoch = 0]) => ({ position, epoch })),
);

/** A place of the first epoch, unless another is named. */
export function feedCursorAt(position: number, epoch = 0): string {
  return encode(epoch === 0 ? [FEED, position] : [FEED, position, epoch]);
}

/**
 * Cuts off the row that was read beyond the limit, which says only that there is a next page.
 * @param placeOf the values by which the list is ordered
 */
export function toPage<T>(rows: readonly T[], limit: number, placeOf: (row: T) => readonly unknown[]): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? encode(placeOf(last)) : null };
}
