import type { ComponentChildren, VNode, TargetedMouseEvent } from 'preact';
import { useLocation } from 'preact-iso';
import { Empty } from './notes';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `end` for numbers, so that their digits are aligned. */
  readonly align?: 'start' | 'end';
  /** Whether it holds a control, such as a checkbox, and so cannot name the row. */
  readonly isControl?: boolean;
  /** Its share of a long table's width; 1 by default. */
  readonly share?: number;
}

/** What a table shows of each row. */
export interface RowProps<Row> {
  readonly columns: readonly Column<Row>[];
  /** The page that a row opens: the cell that names the row becomes the link. */
  readonly hrefOf?: (row: Row) => string;
  /** Instead of `hrefOf`, if a row opens on the same page: the cell that names the row becomes a button. */
  readonly onOpen?: (row: Row) => void;
  readonly isOpen?: (row: Row) => boolean;
}

export interface TableProps<Row> extends RowProps<Row> {
  /** The name of the table for screen readers. */
  readonly label?: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The sentence shown if there are no rows. */
  readonly empty: string;
}

/** A table. On a narrow page each row becomes a card whose cells have the names of their columns. `j` and `k` move between rows. */
export function Table<Row>(props: TableProps<Row>): VNode {
  const { label, rows, columns, keyOf, empty } = props;
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <table role="table" class="table" aria-label={label}>
      <TableHead columns={columns} />
      <tbody role="rowgroup">
        {rows.map((row) => (
          <TableRow key={keyOf(row)} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

/** The names of the columns. */
export function TableHead<Row>({ columns }: Pick<RowProps<Row>, 'columns'>): VNode {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ head, align }) => (
          <th key={head} role="columnheader" scope="col" class={align === 'end' ? 'end' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface OneRowProps<Row> extends RowProps<Row> {
  readonly row: Row;
  /** The number of this row, from 1, if only a part of the rows is rendered. */
  readonly number?: number;
}

export function TableRow<Row>(props: OneRowProps<Row>): VNode {
  const { row, columns, isOpen, number } = props;
  const { route } = useLocation();
  const open = (event: TargetedMouseEvent<HTMLTableRowElement>) => {
    if (event.target instanceof Element && event.target.closest('a, button, input, select, label, summary') !== null)
      return;
    // The user is selecting text.
    if (String(getSelection()) !== '') return;
    if (props.hrefOf !== undefined) route(props.hrefOf(row));
    else props.onOpen?.(row);
  };
  const leads = props.hrefOf !== undefined || props.onOpen !== undefined;
  const current = isOpen?.(row) === true;
  const naming = columns.find(({ isControl = false }) => !isControl);
  return (
    <tr
      role="row"
      class={leads ? 'leads' : undefined}
      aria-current={current ? 'true' : undefined}
      // The header row is number 1.
      aria-rowindex={number === undefined ? undefined : number + 1}
      onClick={open}
    >
      {columns.map((column) => {
        const { head, cell, align } = column;
        const isNaming = column === naming;
        return (
          <td key={head} role="cell" data-head={head} class={isNaming ? 'names' : align}>
            {isNaming ? <Leading {...props}>{cell(row)}</Leading> : <span class="cell">{cell(row)}</span>}
          </td>
        );
      })}
    </tr>
  );
}

function Leading<Row>(props: OneRowProps<Row> & { readonly children: ComponentChildren }): ComponentChildren {
  const { row, hrefOf, onOpen, children } = props;
  if (hrefOf !== undefined) {
    return (
      <a href={hrefOf(row)} data-row>
        {children}
      </a>
    );
  }
  if (onOpen === undefined) return children;
  return (
    <button type="button" class="as-link" data-row onClick={() => onOpen(row)}>
      {children}
    </button>
  );
}
