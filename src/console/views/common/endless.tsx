import { useQueries } from '@tanstack/preact-query';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count as inWords } from '../../format';
import { Empty, ErrorNote, Loading, LongTable, newPlace, type Place, type RowProps } from '../../parts';
import { pagesNear, PAGE, type Starts, startsAfter } from './pages';
import type { PageOf } from './schemas';

interface EndlessProps<T> extends RowProps<T> {
  /** Such as `subscriptions`. */
  readonly what: string;
  /** Collection first; all that the list is chosen by. Another list is another component: it is the `key`, too. */
  readonly queryKey: readonly unknown[];
  readonly read: (page: { limit: number; cursor: string | undefined }, signal: AbortSignal) => Promise<PageOf<T>>;
  /** Said where there is none. */
  readonly empty: string;
}

/**
 * A list of any length, read by its cursors as it is scrolled. The pages near the window are kept up to date; the browser's
 * "back" leads to where it was left.
 */
export function Endless<T>({ what, queryKey, read, empty, ...table }: EndlessProps<T>) {
  const [place] = useState(placeOfEntry);
  const [starts, setStarts] = useState(place.starts);
  const [near, setNear] = useState<readonly [from: number, to: number]>([0, 0]);
  const indexes = pagesNear(near, starts.length);
  const results = useQueries({
    queries: indexes.map((index) => {
      const page = { limit: PAGE, cursor: starts[index] };
      return {
        queryKey: [...queryKey, page],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(page, signal),
      };
    }),
  });
  // One that begins elsewhere by now stays until that is read.
  const before = useRef<Pages<T>>(new Map());
  const pages: Pages<T> = new Map(indexes.map((index, at) => [index, results[at]?.data ?? before.current.get(index)]));
  before.current = pages;
  for (const [index, page] of pages) if (page !== undefined) place.sizes[index] = page.items.length;
  const follow = startsAfter(starts, pages);
  useLayoutEffect(() => {
    place.starts = follow;
    if (follow !== starts) setStarts(follow);
  });
  const error = results.find((each) => each.error !== null)?.error ?? null;
  const isRead = place.sizes[starts.length - 1] !== undefined;
  const isWhole = isRead && follow === starts && (pages.get(starts.length - 1)?.nextCursor ?? null) === null;
  const count = (starts.length - 1) * PAGE + (place.sizes[starts.length - 1] ?? 0);
  const rowAt = (index: number) => pages.get(Math.floor(index / PAGE))?.items[index % PAGE];
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {count > 0 ? (
        <LongTable
          label={what}
          count={count}
          isWhole={isWhole}
          rowAt={rowAt}
          onShown={(from, to) => setNear([from, to])}
          place={place}
          {...table}
        />
      ) : null}
      <End what={what} count={count} isWhole={isWhole} hasFailed={error !== null} empty={empty} />
    </>
  );
}

type Pages<T> = ReadonlyMap<number, PageOf<T> | undefined>;

interface EndProps extends Pick<EndlessProps<never>, 'what' | 'empty'> {
  readonly count: number;
  readonly isWhole: boolean;
  readonly hasFailed: boolean;
}

/** Below the rows: that there are no more, or that they are on their way. */
function End({ what, count, isWhole, hasFailed, empty }: EndProps) {
  if (isWhole) return count === 0 ? <Empty>{empty}</Empty> : <p class="hint">These are all: {inWords(count)}.</p>;
  if (hasFailed) return null;
  return count === 0 ? <Loading what={what} /> : <p class="hint">More follow as you scroll.</p>;
}

interface ListPlace extends Place {
  starts: Starts;
  /** Rows of each page that was read. */
  readonly sizes: number[];
}

/** Places that are kept, by the entry of the browser's history that they belong to. */
const places = new Map<string, ListPlace>();
const MOST_PLACES = 50;

/** That of the present entry of the history: a new one, unless it is come back to. */
function placeOfEntry(): ListPlace {
  const state: unknown = history.state;
  const known = typeof state === 'string' ? places.get(state) : undefined;
  if (known !== undefined) return known;
  const place = { ...newPlace(), starts: [undefined], sizes: [] };
  const name = crypto.randomUUID();
  history.replaceState(name, '');
  places.set(name, place);
  const [oldest] = places.keys();
  if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
  return place;
}
