import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Extent, extentOf } from './extent';
import { type RowProps, TableHead, TableRow } from './table';

/** Rows of a block: few enough that one block more fits into a frame. */
const BLOCK = 10;
/** Px that a row is taken for until it was seen. */
const ROW = 38;
/** Px above and below the window that are in the page, too. */
const BEYOND = 800;

/** Where the user is in a long table. It changes as they scroll; given to the table again, it is shown from there. */
export interface Place {
  /** Of the blocks that were seen, in px. */
  readonly heights: number[];
  /** What is in the page, in px below the top of the rows. */
  span: Span;
  /** Px that the window is scrolled by. */
  scrolled: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export function newPlace(): Place {
  return { heights: [], span: { from: 0, to: 3 * BEYOND }, scrolled: 0 };
}

export interface LongTableProps<Row> extends RowProps<Row> {
  /** Names the table for those who do not see it. */
  readonly label: string;
  /** Rows that are known of. */
  readonly count: number;
  /** Whether no more follow. */
  readonly isWhole: boolean;
  /** Undefined while it is being read. Another row is another object. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Which rows the page has from now on; `to` is exclusive. */
  readonly onShown: (from: number, to: number) => void;
  readonly place: Place;
}

/**
 * A table of any length, of which the rows near the window are in the page. Columns keep their widths while it is scrolled,
 * by their shares; `columns`, `hrefOf` and `onOpen` stay the same.
 */
export function LongTable<Row>({ label, count, isWhole, onShown, place, ...props }: LongTableProps<Row>): VNode {
  const table = useRef<HTMLTableElement>(null);
  const { first, last, before, after } = useExtent(table, Math.ceil(count / BLOCK), place);
  useEffect(() => onShown(first * BLOCK, last * BLOCK), [first, last]);
  useLayoutEffect(() => scrollTo(0, place.scrolled), []);
  const blocks = Array.from({ length: last - first }, (_, index) => first + index);
  return (
    <table
      ref={table}
      role="table"
      class="table table-long"
      aria-label={label}
      aria-rowcount={isWhole ? count + 1 : -1}
    >
      <TableHead columns={props.columns} isShared />
      <Gap key="before" height={before} />
      {blocks.map((block) => (
        <Block key={block} block={block} end={Math.min(count, (block + 1) * BLOCK)} place={place} {...props} />
      ))}
      <Gap key="after" height={after} />
    </table>
  );
}

/** Follows the window. Heights are taken of what is in the page already, so that nothing is laid out twice. */
function useExtent(table: RefObject<HTMLTableElement>, blocks: number, place: Place): Extent {
  const [span, setSpan] = useState(place.span);
  const extent = extentOf(heightsOf(place, blocks), span.from, span.to);
  const drawn = useRef({ blocks, extent });
  drawn.current = { blocks, extent };
  useEffect(() => {
    const look = () => {
      if (table.current === null) return;
      noteHeights(table.current, place);
      place.span = spanOf(table.current);
      place.scrolled = scrollY;
      const { first, last } = extentOf(heightsOf(place, drawn.current.blocks), place.span.from, place.span.to);
      if (first !== drawn.current.extent.first || last !== drawn.current.extent.last) setSpan(place.span);
    };
    const resized = () => {
      place.heights.length = 0;
      look();
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', resized);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', resized);
    };
  }, []);
  return extent;
}

function heightsOf({ heights }: Place, blocks: number): readonly number[] {
  return Array.from({ length: blocks }, (_, block) => heights[block] ?? BLOCK * ROW);
}

function noteHeights({ tBodies }: HTMLTableElement, { heights }: Place): void {
  for (const body of tBodies) {
    const { block } = body.dataset;
    if (block !== undefined) heights[Number(block)] = body.getBoundingClientRect().height;
  }
}

function spanOf({ tBodies }: HTMLTableElement): Span {
  const top = tBodies[0]?.getBoundingClientRect().top ?? 0;
  return { from: -top - BEYOND, to: innerHeight - top + BEYOND };
}

/** Holds the room of blocks that are not in the page. */
function Gap({ height }: { readonly height: number }): VNode {
  return (
    <tbody aria-hidden="true">
      <tr class="gap">
        <td style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  );
}

interface BlockProps<Row> extends RowProps<Row>, Pick<LongTableProps<Row>, 'rowAt' | 'place'> {
  readonly block: number;
  /** Of its rows, exclusive. */
  readonly end: number;
}

/** Its rows, drawn again where one is another; its room while one of them is being read. */
function Block<Row>({ block, end, rowAt, place, ...props }: BlockProps<Row>): VNode {
  const start = block * BLOCK;
  const rows = Array.from({ length: end - start }, (_, index) => rowAt(start + index));
  const drawn = useRef<{ readonly rows: readonly (Row | undefined)[]; readonly body: VNode } | null>(null);
  if (drawn.current === null || !areSame(drawn.current.rows, rows)) {
    const known = rows.filter((row) => row !== undefined);
    const body =
      known.length < rows.length ? (
        <Gap height={place.heights[block] ?? BLOCK * ROW} />
      ) : (
        <tbody role="rowgroup" data-block={block}>
          {known.map((row, index) => (
            <TableRow key={start + index} row={row} number={start + index + 1} {...props} />
          ))}
        </tbody>
      );
    drawn.current = { rows, body };
  }
  return drawn.current.body;
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
