import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Blocks, type Extent, extentOf } from './extent';
import { type RowProps, TableHead, TableRow } from './table';

/** Rows per block: few enough that one more block renders within a frame. */
const BLOCK = 5;
/** Assumed height of a row in px until it is rendered. */
const ROW_HEIGHT = 53;
/** Px above and below the window that are rendered, too. */
const OVERSCAN = 800;

/** The scroll position in a long table. The table updates it on scrolling, and starts from it when rendered again. */
export interface ScrollPosition {
  /** The heights of the blocks rendered so far, in px. */
  readonly heights: number[];
  /** The rendered part, in px below the top of the rows. */
  range: Range;
  /** The window's scroll offset in px. */
  scrolled: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export function newPosition(): ScrollPosition {
  return { heights: [], range: { from: 0, to: 3 * OVERSCAN }, scrolled: 0 };
}

export interface LongTableProps<Row> extends RowProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  /** Number of rows known so far. */
  readonly count: number;
  /** Whether these are all rows. */
  readonly isWhole: boolean;
  /** Undefined while the row is loading. A changed row is a new object. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Called with the rows that are rendered from now on; `to` is exclusive. */
  readonly onShown: (from: number, to: number) => void;
  readonly position: ScrollPosition;
}

/**
 * A table of any length that renders only the rows near the window. Columns have fixed shares of the width, so that they
 * do not move during scrolling; `columns`, `hrefOf` and `onOpen` must not change.
 */
export function LongTable<Row>({ label, count, isWhole, onShown, position, ...props }: LongTableProps<Row>): VNode {
  const table = useRef<HTMLTableElement>(null);
  const { first, last, before, after } = useExtent(table, Math.ceil(count / BLOCK), position);
  useEffect(() => onShown(first * BLOCK, last * BLOCK), [first, last]);
  useLayoutEffect(() => scrollTo(0, position.scrolled), []);
  const blocks = Array.from({ length: last - first }, (_, index) => first + index);
  return (
    <table
      ref={table}
      role="table"
      class="table table-long"
      style={{ '--columns': props.columns.map(({ share = 1 }) => `minmax(0, ${share}fr)`).join(' ') }}
      aria-label={label}
      aria-rowcount={isWhole ? count + 1 : -1}
    >
      <TableHead columns={props.columns} />
      <Gap key="before" height={before} />
      {blocks.map((block) => (
        <Block key={block} block={block} end={Math.min(count, (block + 1) * BLOCK)} position={position} {...props} />
      ))}
      <Gap key="after" height={after} />
    </table>
  );
}

/** Follows the scrolling of the window. Measures only what is already rendered, so that nothing is laid out twice. */
function useExtent(table: RefObject<HTMLTableElement>, blocks: number, position: ScrollPosition): Extent {
  const [range, setRange] = useState(position.range);
  const extent = extentOf(blocksOf(position, blocks), range.from, range.to);
  const drawn = useRef({ blocks, extent });
  drawn.current = { blocks, extent };
  useEffect(() => {
    const update = () => {
      if (table.current === null) return;
      noteHeights(table.current, position);
      position.range = rangeOf(table.current);
      position.scrolled = scrollY;
      const { from, to } = position.range;
      const { first, last } = extentOf(blocksOf(position, drawn.current.blocks), from, to);
      if (first !== drawn.current.extent.first || last !== drawn.current.extent.last) setRange(position.range);
    };
    const resized = () => {
      position.heights.length = 0;
      update();
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', resized);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', resized);
    };
  }, []);
  return extent;
}

function blocksOf({ heights }: ScrollPosition, count: number): Blocks {
  return { count, heightOf: (block) => heights[block] ?? BLOCK * ROW_HEIGHT };
}

function noteHeights({ tBodies }: HTMLTableElement, { heights }: ScrollPosition): void {
  for (const body of tBodies) {
    const { block } = body.dataset;
    if (block !== undefined) heights[Number(block)] = body.getBoundingClientRect().height;
  }
}

function rangeOf({ tBodies }: HTMLTableElement): Range {
  const top = tBodies[0]?.getBoundingClientRect().top ?? 0;
  return { from: -top - OVERSCAN, to: innerHeight - top + OVERSCAN };
}

/** Takes up the height of blocks that are not rendered. */
function Gap({ height }: { readonly height: number }): VNode {
  return (
    <tbody aria-hidden="true">
      <tr class="gap">
        <td style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  );
}

interface BlockProps<Row> extends RowProps<Row>, Pick<LongTableProps<Row>, 'rowAt' | 'position'> {
  readonly block: number;
  /** Index after its last row. */
  readonly end: number;
}

/** The rows of one block, rendered again only if a row has changed; a gap of the block's height while a row is loading. */
function Block<Row>({ block, end, rowAt, position, ...props }: BlockProps<Row>): VNode {
  const start = block * BLOCK;
  const rows = Array.from({ length: end - start }, (_, index) => rowAt(start + index));
  const drawn = useRef<{ readonly rows: readonly (Row | undefined)[]; readonly body: VNode } | null>(null);
  if (drawn.current === null || !areSame(drawn.current.rows, rows)) {
    const known = rows.filter((row) => row !== undefined);
    const body =
      known.length < rows.length ? (
        <Gap height={position.heights[block] ?? BLOCK * ROW_HEIGHT} />
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
