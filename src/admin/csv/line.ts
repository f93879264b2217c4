import type { Money } from '../../domain/money';

/** Lines of comma-separated values, by RFC 4180. */

export type Cell = string | number | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

/** `19.99`: beside the cents, for programs that read decimals. */
export function decimalOf({ value }: Money): string {
  return `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = withoutFormulas(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Each begins a formula; the last four are the full-width forms of the first. */
const SIGN = '=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20';

/** Whatever a spreadsheet takes for the beginning of a cell: some split at other separators, and inside quotes. */
const BEGINNING = new RegExp(`(?<=^|[;,\\t"'])(?=[${SIGN}])`, 'g');

/** An apostrophe before a sign keeps a spreadsheet from running what follows as a formula. */
function withoutFormulas(text: string): string {
  return text.replace(BEGINNING, "'");
}
