import { z } from 'zod';
import type { SubscriptionId } from '../../domain/ids';
import type { Instant } from '../../domain/time';
import { readTransactionId } from './transaction-id';

/** Positions in lists, as opaque text. A position is a key, never a count: rows that are added or removed do not shift it. */

export interface Page {
  /** Maximum number of items. */
  readonly limit: number;
  /** `nextCursor` of the previous page; null for the first page. */
  readonly cursor: string | null;
}

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Reads and checks the cursors of one kind of list. */
interface Cursor<P> {
  readonly is: (text: string) => boolean;
  /** @throws RangeError if the text is not a cursor of this list; check with {@link Cursor.is} first. */
  readonly read: (cursor: string | null) => P | null;
}

/** @param position the values by which the list is ordered, as {@link toPage} writes them */
function cursorOf<P>(position: z.ZodType<P>): Cursor<P> {
  const decode = (text: string): P | undefined => {
    const values = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
    const read = position.safeParse(values);
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

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function encode(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The latest instant that both PostgreSQL and ISO text with four-digit years can represent. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const whole = z.int().min(0);
const instant = whole.max(LATEST);
const name = z.string().refine((text) => !text.includes('\0'));

function byCreation(id: z.ZodType<string>) {
  return z.tuple([instant, id]).transform(([createdAt, id]) => ({ createdAt, id }));
}

/** For lists ordered by creation: subscriptions, payments. */
export const creationCursor = cursorOf(byCreation(name));

export function creationCursorAt({ createdAt, id }: { readonly createdAt: Instant; readonly id: string }): string {
  return encode([createdAt, id]);
}

/** A position in a list whose order was stored when its first page was read. */
export interface SnapshotPosition {
  readonly snapshotId: string;
  /** How many of its ids have been shown. */
  readonly position: number;
}

/** Distinguishes snapshot cursors from those of other lists. */
const SNAPSHOT = 'snapshot';

export const snapshotCursor: Cursor<SnapshotPosition> = cursorOf(
  z
    .tuple([z.literal(SNAPSHOT), z.uuid(), whole.max(1_000_000)])
    .transform(([, snapshotId, position]) => ({ snapshotId, position })),
);

export function snapshotCursorAt({ snapshotId, position }: SnapshotPosition): string {
  return encode([SNAPSHOT, snapshotId, position]);
}

/** For notices, by creation. */
export const noticeCursor = cursorOf(byCreation(name.startsWith('msg_')));

/** For requests that wait for a second approver, by creation. */
export const approvalCursor = cursorOf(byCreation(name.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)));

/** For failing payers, by subscription id. */
export const failingCursor = cursorOf(
  z.tuple([z.literal('failing'), name]).transform(([, id]) => id as SubscriptionId),
);

/** For jobs, by creation; the first value distinguishes them from the cursors of other lists. */
export const jobCursor = cursorOf(
  z.tuple([z.literal('job'), instant, z.uuid()]).transform(([, createdAt, id]) => ({ createdAt, id })),
);

/** For attention items: by their sort value, then in the order in which they were first opened. */
export const pairCursor = cursorOf(z.tuple([instant, whole]));

/** The position before every attention item, for a first page that is full without them. */
export function pairStart(sortsDown: boolean): string {
  return encode(sortsDown ? [LATEST, Number.MAX_SAFE_INTEGER] : [0, 0]);
}

/** For open cycles, by deadline. */
export const deadlineCursor = cursorOf(
  z
    .tuple([instant, name, instant])
    .transform(([deadline, subscriptionId, dueAt]) => ({ deadline, subscriptionId, dueAt })),
);

/** For transactions: debits, captures and refunds. */
export interface TransactionPosition {
  /** When the transaction started. */
  readonly createdAt: Instant;
  readonly transactionId: string;
}

export const transactionCursor: Cursor<TransactionPosition> = cursorOf(
  z
    .tuple([instant, name.refine((text) => readTransactionId(text) !== null)])
    .transform(([createdAt, transactionId]) => ({ createdAt, transactionId })),
);

/** For cycles and for audit entries, which are listed by number. */
export const numberCursor = cursorOf(z.tuple([whole]).transform(([number]) => number));

/** Distinguishes feed cursors from other numbers: clients store them for a long time. */
const FEED = 'event';

/** A position in the merchant's event feed. */
export interface FeedPosition {
  readonly position: number;
  /** How often the ledger had been restored when the position was issued. */
  readonly epoch: number;
}

/** For the merchant's event feed. A cursor without an epoch belongs to the first one, 0. */
export const feedCursor: Cursor<FeedPosition> = cursorOf(
  z.tuple([z.literal(FEED), whole, whole.optional()]).transform(([, position, epoch = 0]) => ({ position, epoch })),
);

/** A position in the first epoch, unless another is given. */
export function feedCursorAt(position: number, epoch = 0): string {
  return encode(epoch === 0 ? [FEED, position] : [FEED, position, epoch]);
}

/**
 * Drops the row that was read beyond the limit, which only shows that there is a next page.
 * @param positionOf the values by which the list is ordered
 */
export function toPage<T>(rows: readonly T[], limit: number, positionOf: (row: T) => readonly unknown[]): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? encode(positionOf(last)) : null };
}
