/** A cell that a spreadsheet would read as a formula, including full-width characters. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]|[;,\t"'][=+\-@＝＋－＠]/;

const QUOTED = /[",\r\n]/;

/** A file according to RFC 4180 with a header row; cells that look like formulas get an apostrophe. */
export function csvOf<Row>(
  rows: readonly Row[],
  columns: readonly (readonly [string, (row: Row) => string | number])[],
): string {
  const lines = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, cell]) => cellOf(cell(row))))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Makes the browser download it. */
export function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
