import type { ComponentChildren } from 'preact';
import { type Column, ErrorNote, Loading, Pager, Table } from '../../parts';
import { useAddress } from './address';
import type { PageOf } from './schemas';

/** How a query stands, as far as it is shown. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: unknown;
}

interface ListingProps<T> {
  /** Such as `subscriptions`. */
  readonly what: string;
  readonly page: Asked<PageOf<T>>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly hrefOf?: (row: T) => string;
  readonly onOpen?: (row: T) => void;
  readonly isOpen?: (row: T) => boolean;
  /** Said where there is none. */
  readonly empty: string;
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

interface ShownProps<T> {
  readonly what: string;
  readonly of: Asked<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** What was answered; until then that it is asked for, or why it cannot be had. What was had before stays below a fault. */
export function Shown<T>({ what, of: { data, error }, children }: ShownProps<T>) {
  if (data === undefined) return error === null ? <Loading what={what} /> : <ErrorNote error={error} />;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {children(data)}
    </>
  );
}
