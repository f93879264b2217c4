import { z } from 'zod';
import type { Accepted, ReadValue, ServiceResult } from './answer';
import { headerText, type WireHeaders } from './http-exchange';

/** One page of a list, and whether more follow. */
interface ListPage<T> {
  readonly items: readonly T[];
  /** The URL of a `Link` header with `rel="next"`; null without one. */
  readonly next: string | null;
  /** How the body shows that there are further records; null if it does not. */
  readonly more: string | null;
  /** The total number of records according to the body; null if it does not say. */
  readonly total: number | null;
}

const page = z.object({
  items: z.array(z.unknown()),
  hasMore: z.unknown().optional(),
  nextCursor: z.unknown().optional(),
  next: z.unknown().optional(),
  total: z.unknown().optional(),
});

const MAX_PAGES = 20;

/** Every item or nothing: an unreadable item could be the debit that is being looked for. */
function readPage<T>(readItem: ReadValue<T>): ReadValue<ListPage<T>> {
  return (body, headers) => {
    const parsed = page.safeParse(body);
    if (!parsed.success) return null;
    const items = parsed.data.items.map((item) => readItem(item));
    if (!items.every((item) => item !== null)) return null;
    const { total } = parsed.data;
    return {
      items,
      next: nextLink(headers?.['link']),
      more: hintOfMore(parsed.data),
      total: typeof total === 'number' ? total : null,
    };
  };
}

function hintOfMore({ hasMore, nextCursor, next }: z.output<typeof page>): string | null {
  if (hasMore === true) return 'hasMore is true';
  if (isGiven(nextCursor)) return 'nextCursor is set';
  return isGiven(next) ? 'next is set' : null;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}

/** RFC 8288: among several links, the one whose `rel` contains `next`. */
function nextLink(header: WireHeaders[string]): string | null {
  const text = Array.isArray(header) ? header.join(', ') : (headerText(header) ?? '');
  for (const [, url, parameters] of text.matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters ?? '')) return url ?? null;
  }
  return null;
}

/** How the items of a list are read, and the service's id of each. */
export interface Items<T> {
  readonly read: ReadValue<T>;
  readonly idOf: (item: T) => string;
}

/**
 * Reads a list with the further pages that it links to (rule 39). A list that says there is more without linking to it is
 * `incomplete`. A record created meanwhile may move another one to the next page: a repeated record counts once, as last read.
 * @param ask reads one page, by its path below the base URL
 * @param baseUrl only links below it are followed
 */
export async function readWhole<T>(
  path: string,
  { read: readItem, idOf }: Items<T>,
  baseUrl: string,
  ask: (path: string, read: ReadValue<ListPage<T>>) => Promise<ServiceResult<ListPage<T>>>,
): Promise<ServiceResult<readonly T[]>> {
  const read = readPage(readItem);
  const first = await ask(path, read);
  if (first.kind !== 'accepted') return withoutValue(first);
  const items = new Map<string, T>();
  const add = (some: readonly T[]) => some.forEach((item) => items.set(idOf(item), item));
  add(first.value.items);
  let last = first.value;
  const visited = new Set([path]);
  for (let current = path; last.next !== null;) {
    const following = pathBelow(last.next, current, baseUrl);
    if (following === null) return listOf(first, items, 'the next page is at another address');
    if (visited.has(following)) return listOf(first, items, 'it links back to a page already read');
    if (visited.size === MAX_PAGES) return listOf(first, items, `it has more than ${MAX_PAGES} pages`);
    visited.add(following);
    current = following;
    const answer = await ask(following, read);
    if (answer.kind !== 'accepted') return withoutValue(answer);
    last = answer.value;
    add(last.items);
  }
  const { total, more } = last;
  const isShort = total !== null && total > items.size;
  return listOf(first, items, more ?? (isShort ? `it shows ${items.size} of ${total} records` : null));
}

function listOf<T>(
  first: Accepted<unknown>,
  items: ReadonlyMap<string, T>,
  incomplete: string | null,
): Accepted<readonly T[]> {
  return { ...first, value: [...items.values()], ...(incomplete === null ? {} : { incomplete }) };
}

function withoutValue<T>(answer: Exclude<ServiceResult<unknown>, Accepted<unknown>>): ServiceResult<T> {
  if (answer.kind !== 'rejected') return answer;
  const { kind, failure } = answer;
  return { kind, failure };
}

/** The link's path below the base URL; null if it leads elsewhere. */
function pathBelow(link: string, from: string, baseUrl: string): string | null {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const current = new URL(`${base.origin}${prefix}${from}`);
  if (!URL.canParse(link, current.href)) return null;
  const { origin, pathname, search } = new URL(link, current.href);
  if (origin !== base.origin || !`${pathname}/`.startsWith(`${prefix}/`)) return null;
  return pathname.slice(prefix.length) + search;
}
