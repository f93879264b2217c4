import { parse } from 'node:querystring';
import { z } from 'zod';
import type { Instant } from '../../domain/time';
import {
  type Db,
  isByDueDate,
  storeSnapshot,
  type ListOrder,
  MAX_IN_SNAPSHOT,
  type Page,
  type PageOf,
  creationCursor,
  readList,
  readSnapshot,
  snapshotCursor,
  SORTS,
} from '../../ledger';
import { withReadableDomains } from '../../platform/email-address';
import { withoutPrototype } from './storable';
import { type AdminDeps, listing } from '../dependencies';
import { checkPeriod, InstantIn, line, MetadataIn, PAGE_FIELDS, type PageRequest, pageOf } from './fields';
import { invalidRequest, Problem } from './problems';

/** The filters that subscriptions and payments share. */
export const LIST_FILTERS = {
  createdFrom: InstantIn.optional().meta({ description: 'Only items created at or after this time' }),
  createdTo: InstantIn.optional().meta({ description: 'Only items created before this time' }),
  dueFrom: InstantIn.optional().meta({
    description: 'Only subscriptions next due, or payments with `captureBy`, at or after this time',
  }),
  dueTo: InstantIn.optional().meta({
    description: 'Only subscriptions next due, or payments with `captureBy`, before this time',
  }),
  metadata: MetadataIn.meta({
    style: 'deepObject',
    explode: true,
    description: 'Matches items that have all of these pairs, each given as metadata[key]=value',
  }).optional(),
  q: line(200)
    .transform(withReadableDomains)
    .optional()
    .meta({ description: 'Searches ids, and references, names and e-mail addresses of payers' }),
};

/** The query fields that the lists of subscriptions and payments share. */
export const LIST_FIELDS = {
  ...PAGE_FIELDS,
  ...LIST_FILTERS,
  sort: z
    .enum(SORTS)
    .default('-createdAt')
    .meta({ description: 'A hyphen sorts latest first. Sorting by dueAt lists only items that have a due date' }),
};

/** Reports periods that end before they start. */
export function checkPeriods(
  query: Partial<Record<PeriodEnd, Instant | undefined>>,
  context: z.core.$RefinementCtx,
): void {
  for (const period of PERIODS) checkPeriod(query, period, context);
}

const PERIODS = [
  ['createdFrom', 'createdTo'],
  ['dueFrom', 'dueTo'],
] as const;
type PeriodEnd = (typeof PERIODS)[number][number];

const METADATA_KEY = /^metadata\[(.+)\]$/s;

/** Parses a query; fields of the form `metadata[key]` become one field `metadata`. */
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

/** A list that can be sorted by a due date, which may change. */
interface SortedList<Filter, Item> {
  readonly page: (db: Db, filter: Filter, page: Page) => Promise<PageOf<Item>>;
  /** The ids of the whole list, in order. */
  readonly ids: (db: Db, filter: Filter) => Promise<readonly string[]>;
  readonly byId: (db: Db, ids: readonly string[]) => Promise<readonly Item[]>;
}

interface ListRequest<Filter> {
  readonly filter: Filter & ListOrder;
  readonly query: PageRequest;
  readonly keyId: string;
}

/**
 * Reads a page. If the list is sorted by due date, the order at the first page is stored and used for the pages that follow:
 * a row whose due date changes in between is neither lost nor shown twice.
 * @throws Problem `cursor_expired` once the stored order has been deleted
 */
export async function readSortedPage<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  request: ListRequest<Filter>,
): Promise<PageOf<Item>> {
  const { filter, query } = request;
  if (!isByDueDate(filter.sort)) {
    const page = pageOf(query, creationCursor.is);
    return readList(listing(deps), (db) => list.page(db, filter, page));
  }
  const page = pageOf(query, snapshotCursor.is);
  return page.cursor === null ? readFirstPage(deps, list, request, page) : readNextPage(deps, list, request, page);
}

async function readFirstPage<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  { filter, keyId }: ListRequest<Filter>,
  page: Page,
): Promise<PageOf<Item>> {
  const { items, ids } = await readList(listing(deps), async (db) => {
    const first = await list.page(db, filter, page);
    return { items: first.items, ids: first.nextCursor === null ? null : await list.ids(db, filter) };
  });
  if (ids === null) return { items, nextCursor: null };
  const nextCursor = await storeSnapshot(deps.db, { keyId, ids, realNow: deps.clock.realNow() }, items.length);
  return { items, nextCursor };
}

async function readNextPage<Filter, Item>(
  deps: AdminDeps,
  list: SortedList<Filter, Item>,
  { keyId }: ListRequest<Filter>,
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
        'The order of a list by due date is kept for 15 minutes. Start again without a cursor.',
      );
    case 'too_long':
      throw invalidRequest([{ path: 'cursor', message: TOO_LONG }]);
  }
}

const TOO_LONG = `a list sorted by due date may have at most ${MAX_IN_SNAPSHOT} items; narrow it with dueFrom and dueTo, or sort by createdAt`;
