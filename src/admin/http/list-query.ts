import { parse } from 'node:querystring';
import { z } from 'zod';
import type { Instant } from '../../domain/time';
import {
  type Db,
  isByDueDate,
  keepSnapshot,
  type ListOrder,
  MOST_IN_SNAPSHOT,
  type Page,
  type PageOf,
  creationCursor,
  readList,
  readSnapshot,
  snapshotCursor,
  SORTS,
} from '../../ledger';
import { type AdminDeps, listing } from '../dependencies';
import { checkSpan, InstantIn, line, MetadataIn, PAGE_FIELDS, type PageAsked, pageOf } from './fields';
import { invalidRequest, Problem } from './problems';

/** What subscriptions and payments alike can be chosen by. */
export const LIST_FILTERS = {
  createdFrom: InstantIn.meta({ description: 'Inclusive' }).optional(),
  createdTo: InstantIn.meta({ description: 'Exclusive' }).optional(),
  dueFrom: InstantIn.meta({ description: 'Inclusive' }).optional(),
  dueTo: InstantIn.meta({ description: 'Exclusive' }).optional(),
  metadata: MetadataIn.meta({
    style: 'deepObject',
    explode: true,
    description: 'All of these pairs, each as metadata[key]=value',
  }).optional(),
  q: line(200).optional(),
};

/** What the lists of subscriptions and of payments have in common. */
export const LIST_FIELDS = {
  ...PAGE_FIELDS,
  ...LIST_FILTERS,
  sort: z
    .enum(SORTS)
    .default('-createdAt')
    .meta({ description: 'The latest first where there is a hyphen. By dueAt, only those that have one are listed' }),
};

/** Finds the spans that end before they begin. */
export function checkSpans(query: Partial<Record<SpanEnd, Instant | undefined>>, context: z.core.$RefinementCtx): void {
  for (const span of SPANS) checkSpan(query, span, context);
}

const SPANS = [
  ['createdFrom', 'createdTo'],
  ['dueFrom', 'dueTo'],
] as const;
type SpanEnd = (typeof SPANS)[number][number];

const METADATA_KEY = /^metadata\[(.+)\]$/s;

/** A query's fields, with those of the form `metadata[key]` as one field `metadata`. */
export function parseQuery(text: string): Record<string, unknown> {
  const fields = withoutPrototype();
  const metadata = withoutPrototype();
  for (const [name, value] of Object.entries(parse(text))) {
    const key = METADATA_KEY.exec(name)?.[1];
    if (key === undefined || key === '__proto__') fields[name] = value;
    else metadata[key] = value;
  }
  if (Object.keys(metadata).length > 0) fields['metadata'] ??= metadata;
  return fields;
}

/** Takes any name as one of its own. */
function withoutPrototype(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** A list that can be sorted by what changes. */
interface SortedList<Filter, Item> {
  readonly page: (db: Db, filter: Filter, page: Page) => Promise<PageOf<Item>>;
  /** The ids of the whole list, in its order. */
  readonly ids: (db: Db, filter: Filter) => Promise<readonly string[]>;
  readonly byId: (db: Db, ids: readonly string[]) => Promise<readonly Item[]>;
}

interface Asked<Filter> {
  readonly filter: Filter & ListOrder;
  readonly query: PageAsked;
  readonly keyId: string;
}

/**
 * A page. Where the list is sorted by what changes, the order of the first page is kept and holds for those behind it: a row
 * that falls due later meanwhile is neither lost nor shown twice.
 * @throws Problem `cursor_expired` once it is kept no more
 */
export async function readSortedPage<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  asked: Asked<Filter>,
): Promise<PageOf<Item>> {
  const { filter, query } = asked;
  if (!isByDueDate(filter.sort)) {
    const page = pageOf(query, creationCursor.is);
    return readList(listing(deps), (db) => list.page(db, filter, page));
  }
  const page = pageOf(query, snapshotCursor.is);
  return page.cursor === null ? readFirst(deps, list, asked, page) : readOn(deps, list, asked, page);
}

async function readFirst<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  { filter, keyId }: Asked<Filter>,
  page: Page,
): Promise<PageOf<Item>> {
  const { items, ids } = await readList(listing(deps), async (db) => {
    const first = await list.page(db, filter, page);
    return { items: first.items, ids: first.nextCursor === null ? null : await list.ids(db, filter) };
  });
  if (ids === null) return { items, nextCursor: null };
  const nextCursor = await keepSnapshot(deps.db, { keyId, ids, realNow: deps.clock.realNow() }, items.length);
  return { items, nextCursor };
}

async function readOn<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  { keyId }: Asked<Filter>,
  page: Page,
): Promise<PageOf<Item>> {
  const read = await readSnapshot(deps.db, page, { keyId, realNow: deps.clock.realNow() });
  switch (read.kind) {
    case 'page':
      return {
        items: await readList(listing(deps), (db) => list.byId(db, read.ids)),
        nextCursor: read.nextCursor,
      };
    case 'expired':
      throw new Problem(
        'cursor_expired',
        'The order of a list by due date is kept for 15 minutes. Start without cursor.',
      );
    case 'too_long':
      throw invalidRequest([{ path: 'cursor', message: TOO_LONG }]);
  }
}

const TOO_LONG = `expected a list of at most ${MOST_IN_SNAPSHOT} by due date; got a longer one: narrow it by dueFrom and dueTo, or sort it by createdAt`;
