import type { PageOf } from './schemas';

/** Rows per page: few enough that a new page does not delay a frame during scrolling. */
export const PAGE = 50;

/** Rows of a list, by index; `to` is exclusive. */
export type Rows = readonly [from: number, to: number];

/** The rows of all pages that contain one of these. @returns `before` if it has the same rows, so that nothing is rendered again */
export function wholePages([from, to]: Rows, before: Rows): Rows {
  const rows = [Math.floor(from / PAGE) * PAGE, Math.ceil(to / PAGE) * PAGE] as const;
  return rows[0] === before[0] && rows[1] === before[1] ? before : rows;
}

/** @param near the visible rows @returns the pages that contain them, and the next one */
export function pagesNear([from, to]: Rows, pages: number): readonly number[] {
  const first = Math.min(pages - 1, Math.floor(from / PAGE));
  const last = Math.min(pages - 1, Math.floor(Math.max(0, to - 1) / PAGE) + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The cursor of each page. The first page has none, each other page the `nextCursor` of the one before. */
export type Starts = readonly (string | undefined)[];

/** Updates the cursors from loaded pages. When rows were added at the top, cursors shift page by page as each loads. */
export function startsAfter(
  starts: Starts,
  pages: ReadonlyMap<number, Pick<PageOf<unknown>, 'nextCursor'> | undefined>,
): Starts {
  for (const [index, page] of pages) {
    if (page === undefined || index >= starts.length) continue;
    const { nextCursor } = page;
    if (nextCursor === null && index < starts.length - 1) return starts.slice(0, index + 1);
    if (nextCursor !== null && nextCursor !== starts[index + 1]) return starts.toSpliced(index + 1, 1, nextCursor);
  }
  return starts;
}

/**
 * Each entry with a key that stays the same when newer ones are added on top. Entries have no id, so the content is the
 * key; equal entries are numbered from the oldest.
 */
export function withKeys<Entry>(entries: readonly Entry[]): readonly (readonly [key: string, entry: Entry])[] {
  const counts = new Map<string, number>();
  return entries
    .toReversed()
    .map((entry) => {
      const content = JSON.stringify(entry);
      const nth = counts.get(content) ?? 0;
      counts.set(content, nth + 1);
      return [`${nth} ${content}`, entry] as const;
    })
    .toReversed();
}
