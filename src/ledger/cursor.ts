import type { Instant } from '../domain/time';
import { readTransactionId } from './transactions/transaction-id';

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

/** Of what waits for a person: by a number of its own, those that are alike by the order in which they came. */
export function isPairCursor(text: string): boolean {
  return decode(text, isPairPlace) !== null;
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isPairCursor} first. */
export function readPairCursor(cursor: string | null): readonly [number, number] | null {
  return cursor === null ? null : known(decode(cursor, isPairPlace));
}

/** The place before every item of such a list, for a page that is full without any. */
export function pairStart(sortsDown: boolean): string {
  return encode(sortsDown ? [LATEST, Number.MAX_SAFE_INTEGER] : [0, 0]);
}

export interface DeadlinePlace {
  readonly deadline: Instant;
  readonly subscriptionId: string;
  readonly dueAt: Instant;
}

export function isDeadlineCursor(text: string): boolean {
  return decode(text, isDeadlinePlace) !== null;
}

export function isNoticeCursor(text: string): boolean {
  return decode(text, isNoticePlace) !== null;
}

/** Of requests that wait for a second person. */
export function isApprovalCursor(text: string): boolean {
  return decode(text, isApprovalPlace) !== null;
}

/** Of movements of money. */
export interface TransactionPlace {
  /** When it began. */
  readonly createdAt: Instant;
  readonly transactionId: string;
}

export function isTransactionCursor(text: string): boolean {
  return decode(text, isTransactionPlace) !== null;
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

/** @throws RangeError where the text is no cursor of this list; ask {@link isNoticeCursor} first. */
export function readNoticeCursor(cursor: string | null): CreationPlace | null {
  if (cursor === null) return null;
  const [createdAt, id] = known(decode(cursor, isNoticePlace));
  return { createdAt, id };
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isTransactionCursor} first. */
export function readTransactionCursor(cursor: string | null): TransactionPlace | null {
  if (cursor === null) return null;
  const [createdAt, transactionId] = known(decode(cursor, isTransactionPlace));
  return { createdAt, transactionId };
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isNumberCursor} first. */
export function readNumberCursor(cursor: string | null): number | null {
  return cursor === null ? null : known(decode(cursor, isNumberPlace))[0];
}

/** A place among the merchant's events. */
export function feedCursor(position: number): string {
  return encode([FEED, position]);
}

export function isFeedCursor(text: string): boolean {
  return decode(text, isFeedPlace) !== null;
}

/** @throws RangeError where the text is no cursor of this list; ask {@link isFeedCursor} first. */
export function readFeedCursor(cursor: string | null): number | null {
  return cursor === null ? null : known(decode(cursor, isFeedPlace))[1];
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

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function isApprovalPlace(value: unknown): value is [number, string] {
  return isCreationPlace(value) && UUID.test(value[1]);
}

function isNoticePlace(value: unknown): value is [number, string] {
  return isCreationPlace(value) && value[1].startsWith('msg_');
}

function isTransactionPlace(value: unknown): value is [number, string] {
  return isCreationPlace(value) && readTransactionId(value[1]) !== null;
}

function isPairPlace(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, second] = value as unknown[];
  return isWhole(first) && first <= LATEST && isWhole(second);
}

function isNumberPlace(value: unknown): value is [number] {
  return Array.isArray(value) && value.length === 1 && isWhole(value[0]);
}

/** Told apart from other numbers: programs keep these for long. */
const FEED = 'event';

function isFeedPlace(value: unknown): value is [typeof FEED, number] {
  return Array.isArray(value) && value.length === 2 && value[0] === FEED && isWhole(value[1]);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function known<P>(place: P | null): P {
  if (place === null) throw new RangeError('the cursor belongs to another list');
  return place;
}
