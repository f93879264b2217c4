/** Lines of comma-separated values, by RFC 4180. */

export type Cell = string | number | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = withoutFormulas(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Each of these can start a formula; the last four are the full-width forms of the first four. */
const SIGN = '=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20';

/** Positions that a spreadsheet may consider the start of a cell: some split at other separators, and inside quotes. */
const BEGINNING = new RegExp(`(?<=^|[;,\\t"'])(?=[${SIGN}])`, 'g');

/** An apostrophe before such a character keeps spreadsheets from running a formula. */
function withoutFormulas(text: string): string {
  return text.replace(BEGINNING, "'");
}
