import type { PageOf } from './schemas';

/** Rows of a page. */
export const PAGE = 100;

/** @param near rows that are shown @returns the pages that they are on, and the next one */
export function pagesNear([from, to]: readonly [number, number], pages: number): readonly number[] {
  const first = Math.min(pages - 1, Math.floor(from / PAGE));
  const last = Math.min(pages - 1, Math.floor(Math.max(0, to - 1) / PAGE) + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Where each page begins. The first begins with the list, each other where the one before it ends. */
export type Starts = readonly (string | undefined)[];

/** By what was read. A list from whose top rows were pushed down is joined anew, page by page as each is read. */
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
 * Each entry with a key that it keeps when newer ones come on top. One of a single thing has no id: what it says is its key,
 * and those that say the same are counted from the oldest on.
 */
export function withKeys<Entry>(entries: readonly Entry[]): readonly (readonly [key: string, entry: Entry])[] {
  const counts = new Map<string, number>();
  return entries
    .toReversed()
    .map((entry) => {
      const said = JSON.stringify(entry);
      const nth = counts.get(said) ?? 0;
      counts.set(said, nth + 1);
      return [`${nth} ${said}`, entry] as const;
    })
    .toReversed();
}
