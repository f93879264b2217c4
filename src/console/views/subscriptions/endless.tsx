import { useQueries } from '@tanstack/preact-query';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count as formatCount } from '../../format';
import { Empty, ErrorNote, Loading, LongTable, newPosition, type ScrollPosition, type RowProps } from '../../parts';
import { pagesNear, PAGE, type Rows, type Starts, startsAfter, wholePages } from '../common/pages';
import type { PageOf } from '../common/schemas';

interface EndlessProps<T> extends RowProps<T> {
  /** Such as `subscriptions`. */
  readonly what: string;
  /** The collection, then all filters. Use it as the component's `key`, too: another list is another component. */
  readonly queryKey: readonly unknown[];
  readonly read: (page: { limit: number; cursor: string | undefined }, signal: AbortSignal) => Promise<PageOf<T>>;
  /** Shown if the list is empty. */
  readonly empty: string;
}

/**
 * A list of any length, loaded by cursor during scrolling. The pages near the window are kept up to date, and the
 * browser's "back" restores the scroll position.
 */
export function Endless<T>({ what, queryKey, read, empty, ...table }: EndlessProps<T>) {
  const [position] = useState(positionOfEntry);
  const [starts, setStarts] = useState(position.starts);
  const [near, setNear] = useState<Rows>([0, 0]);
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
  // A page whose cursor has changed stays until it is loaded again.
  const before = useRef<Pages<T>>(new Map());
  const pages: Pages<T> = new Map(indexes.map((index, at) => [index, results[at]?.data ?? before.current.get(index)]));
  before.current = pages;
  for (const [index, page] of pages) if (page !== undefined) position.sizes[index] = page.items.length;
  const follow = startsAfter(starts, pages);
  useLayoutEffect(() => {
    position.starts = follow;
    if (follow !== starts) setStarts(follow);
  });
  const error = results.find((each) => each.error !== null)?.error ?? null;
  const isRead = position.sizes[starts.length - 1] !== undefined;
  const isWhole = isRead && follow === starts && (pages.get(starts.length - 1)?.nextCursor ?? null) === null;
  const count = (starts.length - 1) * PAGE + (position.sizes[starts.length - 1] ?? 0);
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
          onShown={(from, to) => setNear((before) => wholePages([from, to], before))}
          position={position}
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

/** Below the rows: says whether there are more. */
function End({ what, count, isWhole, hasFailed, empty }: EndProps) {
  if (isWhole) return count === 0 ? <Empty>{empty}</Empty> : <p class="hint">End of the list: {formatCount(count)}.</p>;
  if (hasFailed) return null;
  return count === 0 ? <Loading what={what} /> : <p class="hint">More follow as you scroll.</p>;
}

interface ListPosition extends ScrollPosition {
  starts: Starts;
  /** Number of rows of each loaded page. */
  readonly sizes: number[];
}

/** Stored positions, by the id of their browser history entry. */
const positions = new Map<string, ListPosition>();
const MAX_POSITIONS = 50;

/** The position of the current history entry: a stored one after "back", else a new one. */
function positionOfEntry(): ListPosition {
  const state: unknown = history.state;
  const known = typeof state === 'string' ? positions.get(state) : undefined;
  if (known !== undefined) return known;
  const position = { ...newPosition(), starts: [undefined], sizes: [] };
  const name = crypto.randomUUID();
  history.replaceState(name, '');
  positions.set(name, position);
  const [oldest] = positions.keys();
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
  return position;
}
