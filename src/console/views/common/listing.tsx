import type { ComponentChildren } from 'preact';
import { Pager, Table, type TableProps } from '../../parts';
import { useAddress } from './address';
import { type Asked, Shown } from './answers';
import type { PageOf } from './schemas';

interface ListingProps<T> extends Omit<TableProps<T>, 'label' | 'rows'> {
  /** Such as `subscriptions`. */
  readonly what: string;
  readonly page: Asked<PageOf<T>>;
}

/** A list by its pages, in each of its states. */
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

/** The page that the address names, so that "back" leads to the one before, and the way to the others. */
export function Pages<T>({ what, page, children }: PagesProps<T>) {
  const { query, change } = useAddress();
  const toFirst = query['cursor'] === undefined ? undefined : () => change({ cursor: undefined });
  return (
    <Shown what={what} of={page}>
      {({ items, nextCursor }) => (
        <>
          {children(items)}
          <Pager next={nextCursor} onNext={(cursor) => change({ cursor })} onFirst={toFirst} />
        </>
      )}
    </Shown>
  );
}
