/** The blocks of a long list that are rendered, and the height of the others, in px. */
export interface Extent {
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The blocks that lie at least partly between `from` and `to`; at least one unless the list is empty.
 * @param heights of all blocks, in px
 * @param from px below the top of the list, as is `to`; both may lie outside it
 */
export function extentOf(heights: readonly number[], from: number, to: number): Extent {
  let [first, before] = [0, 0];
  while (first < heights.length - 1 && before + heightOf(heights, first) <= from) {
    before += heightOf(heights, first);
    first += 1;
  }
  let [last, end] = [first, before];
  while (last < heights.length && (last === first || end < to)) {
    end += heightOf(heights, last);
    last += 1;
  }
  return { first, last, before, after: sumOf(heights.slice(last)) };
}

export function sumOf(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, 0);
}

function heightOf(heights: readonly number[], index: number): number {
  return heights[index] ?? 0;
}
