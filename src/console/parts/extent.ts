/** The blocks of a long list that are rendered, and the height of the others, in px. */
export interface Extent {
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

/** The blocks of a list. Heights are read at each scroll event: a function avoids building a list of all of them. */
export interface Blocks {
  readonly count: number;
  /** Px. */
  readonly heightOf: (block: number) => number;
}

/**
 * The blocks that lie at least partly between `from` and `to`; at least one unless the list is empty.
 * @param from px below the top of the list, as is `to`; both may lie outside it
 */
export function extentOf({ count, heightOf }: Blocks, from: number, to: number): Extent {
  let [first, before] = [0, 0];
  while (first < count - 1 && before + heightOf(first) <= from) {
    before += heightOf(first);
    first += 1;
  }
  let [last, end] = [first, before];
  while (last < count && (last === first || end < to)) {
    end += heightOf(last);
    last += 1;
  }
  let after = 0;
  for (let block = last; block < count; block += 1) after += heightOf(block);
  return { first, last, before, after };
}
