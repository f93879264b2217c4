/** The parts that every view is made of. */
export { type ChosenColumn, useColumns } from './chosen-columns';
export { Confirm, type ConfirmProps, Consequences, useTask } from './confirm';
export { CsvButton } from './csv-button';
export { Dialog } from './dialog';
export { Field, Refused } from './field';
export { LongTable, newPosition, type ScrollPosition } from './long-table';
export { Empty, ErrorNote, Loading } from './notes';
export { StackedBars } from './stacked-bars';
export { type Column, type RowProps, Table, type TableProps } from './table';
export { announce, offerUndo, Undo, UNDONE } from './undo';
export { Instant, Money, StatusBadge } from './values';
