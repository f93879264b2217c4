import type { ComponentChildren } from 'preact';
import { Table, type TableProps } from '../../parts';
import { useAddress } from './address';
import { type QueryState, Shown, useStill } from './answers';
import type { PageOf } from './schemas';

interface ListingProps<T> extends Omit<TableProps<T>, 'label' | 'rows'> {
  /** Such as `subscriptions`. */
  readonly what: string;
  readonly page: QueryState<PageOf<T>>;
}

/** A paged table: loading, failed, empty or filled. */
export function Listing<T>({ what, page, ...table }: ListingProps<T>) {
  return (
    <Pages what={what} page={page}>
      {(items) => <Table label={what} rows={items} {...table} />}
    </Pages>
  );
}

interface PagesProps<T> extends Pick<ListingProps<T>, 'what' | 'page'> {
  readonly children: (items: readonly T[]) => ComponentChildren;
}

/** The page of the address, and buttons for the others. */
export function Pages<T>({ what, page: { data, error }, children }: PagesProps<T>) {
  return (
    <Shown what={what} of={{ data: useStill(data), error }}>
      {({ items, nextCursor }) => (
        <>
          {children(items)}
          <Pager next={nextCursor} />
        </>
      )}
    </Shown>
  );
}

/** Goes forward by cursor. The browser's own button goes back, as the cursor is in the address. */
function Pager({ next }: { readonly next: string | null }) {
  const { query, change } = useAddress();
  const isFirst = query['cursor'] === undefined;
  if (next === null && isFirst) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isFirst ? null : (
        <button type="button" onClick={() => change({ cursor: undefined })}>
          First page
        </button>
      )}
      {next === null ? (
        <span class="hint">This is the last page.</span>
      ) : (
        <button type="button" onClick={() => change({ cursor: next })}>
          Next page
        </button>
      )}
    </nav>
  );
}
