import { Columns3 } from 'lucide-preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readStored, store } from '../stored';
import type { Column } from './table';

/** A column that can be hidden, unless it is fixed. Its head is its name. */
export interface ChosenColumn<Row> extends Column<Row> {
  /** Whether it is always shown. */
  readonly isFixed?: boolean;
  /** Whether it is hidden until it is chosen. */
  readonly isExtra?: boolean;
}

type Choosable = Pick<ChosenColumn<never>, 'head' | 'isFixed' | 'isExtra'>;

interface ColumnChoice<Chosen> {
  /** The columns to show, in their usual order. */
  readonly shown: readonly Chosen[];
  /** The menu that shows and hides columns. */
  readonly menu: VNode;
}

/** The columns that this browser shows of a list. @param list the name under which the choice is stored */
export function useColumns<Chosen extends Choosable>(list: string, columns: readonly Chosen[]): ColumnChoice<Chosen> {
  const storedAs = `dueday.columns.${list}`;
  const [chosen, setChosen] = useState(() => readChoice(storedAs, columns));
  const show = (head: string, isShown: boolean) => {
    const next = isShown ? [...chosen, head] : chosen.filter((each) => each !== head);
    setChosen(next);
    store(storedAs, JSON.stringify(next));
  };
  const isShown = ({ head, isFixed = false }: Choosable) => isFixed || chosen.includes(head);
  return {
    shown: columns.filter(isShown),
    menu: <ColumnMenu columns={columns} isShown={isShown} show={show} />,
  };
}

function readChoice(storedAs: string, columns: readonly Choosable[]): readonly string[] {
  const standard = columns.filter(({ isExtra = false }) => !isExtra).map(({ head }) => head);
  const stored = readStored(storedAs);
  if (stored === null) return standard;
  try {
    const read: unknown = JSON.parse(stored);
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string') : standard;
  } catch {
    // Not written by this console: the standard columns are shown until others are chosen.
    return standard;
  }
}

interface ColumnMenuProps {
  readonly columns: readonly Choosable[];
  readonly isShown: (column: Choosable) => boolean;
  /** Shows or hides the column of this name. */
  readonly show: (head: string, isShown: boolean) => void;
}

/** A menu with a checkbox for each column that can be hidden. A click outside or Escape closes it. */
function ColumnMenu({ columns, isShown, show }: ColumnMenuProps): VNode {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current !== null && !(target instanceof Node && menu.current.contains(target)))
        menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, []);
  const press = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || menu.current?.open !== true) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details class="columns" ref={menu} onKeyDown={press}>
      <summary class="button">
        <Columns3 aria-hidden="true" size={16} /> Columns
      </summary>
      <div class="columns-menu">
        {columns
          .filter(({ isFixed = false }) => !isFixed)
          .map((column) => (
            <label key={column.head} class="menu-choice">
              {column.head}
              <input
                type="checkbox"
                checked={isShown(column)}
                onChange={({ currentTarget }) => show(column.head, currentTarget.checked)}
              />
            </label>
          ))}
      </div>
    </details>
  );
}
