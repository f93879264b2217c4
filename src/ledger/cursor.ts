import type { Instant } from '../domain/time';

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

/** Of lists by their items' creation: subscriptions, payments. */
export interface CreationPlace {
  readonly createdAt: Instant;
  readonly id: string;
}

export function isCreationCursor(text: string): boolean {
  return decode(text, isCreationPlace) !== null;
}

/** The place before every item of such a list, for a page that is full without any. */
export function creationStart(): string {
  return encode([LATEST, '']);
}

export interface DeadlinePlace {
  readonly deadline: Instant;
  readonly subscriptionId: string;
  readonly dueAt: Instant;
}

export function isDeadlineCursor(text: string): boolean {
  return decode(text, isDeadlinePlace) !== null;
}

/** Of cycles and of events, which are listed by number. */
export function isNumberCursor(text: string): boolean {
  return decode(text, isNumberPlace) !== null;
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isCreationCursor} first. */
export function readCreationCursor(cursor: string | null): CreationPlace | null {
  if (cursor === null) return null;
  const [createdAt, id] = known(decode(cursor, isCreationPlace));
  return { createdAt, id };
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isDeadlineCursor} first. */
export function readDeadlineCursor(cursor: string | null): DeadlinePlace | null {
  if (cursor === null) return null;
  const [deadline, subscriptionId, dueAt] = known(decode(cursor, isDeadlinePlace));
  return { deadline, subscriptionId, dueAt };
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isNumberCursor} first. */
export function readNumberCursor(cursor: string | null): number | null {
  return cursor === null ? null : known(decode(cursor, isNumberPlace))[0];
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

/** One page of several lists, each newest first and read behind the same place. */
export function mergePages<T extends CreationPlace>(limit: number, pages: readonly PageOf<T>[]): PageOf<T> {
  const all = pages.flatMap(({ items }) => items).sort(newestFirst);
  const items = all.slice(0, limit);
  const last = items.at(-1);
  const hasMore = all.length > limit || pages.some(({ nextCursor }) => nextCursor !== null);
  return { items, nextCursor: hasMore && last !== undefined ? encode([last.createdAt, last.id]) : null };
}

function newestFirst(one: CreationPlace, other: CreationPlace): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt;
  return one.id < other.id ? 1 : -1;
}

function encode(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function decode<P>(text: string, isPlace: (value: unknown) => value is P): P | null {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isPlace(place) && encode(place as readonly unknown[]) === text ? place : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The widest instants that PostgreSQL and ISO texts of four-digit years share. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function isCreationPlace(value: unknown): value is [number, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [createdAt, id] = value as unknown[];
  return isWhole(createdAt) && createdAt <= LATEST && typeof id === 'string' && !id.includes('\0');
}

function isDeadlinePlace(value: unknown): value is [number, string, number] {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [deadline, id, dueAt] = value as unknown[];
  return isCreationPlace([deadline, id]) && isWhole(dueAt) && dueAt <= LATEST;
}

function isNumberPlace(value: unknown): value is [number] {
  return Array.isArray(value) && value.length === 1 && isWhole(value[0]);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function known<P>(place: P | null): P {
  if (place === null) throw new RangeError('the cursor belongs to another list');
  return place;
}
