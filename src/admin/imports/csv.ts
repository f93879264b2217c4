import { isUtf8 } from 'node:buffer';
import { parseJsonValue } from '../http/json/body';
import { invalidRequest, Problem, within } from '../http/problems';
import { withoutPrototype } from '../http/storable';
import { bytesOf, type Line, type RawLine, readRawLines } from './lines';

/** Cells that hold whole numbers. Cells named neither here nor in {@link JSON_CELLS} hold text. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...['amount.value', 'consentAmount.value'],
  ...['state.pendingAmountChange.amount.value', 'state.pendingAmountChange.fromCycle'],
]);

/** Cells that hold JSON, as an export writes them. */
export const JSON_CELLS: ReadonlySet<string> = new Set(['metadata', 'state.skippedCycles', 'state.postponements']);

/** Keys of metadata are chosen by the merchant, and may contain dots. */
const METADATA = 'metadata.';

/** The most columns of a header: each is compared with all others. */
const MAX_COLUMNS = 1_000;

/**
 * Reads RFC 4180 records after a header row as if they were NDJSON lines: `billingAddress.city` is the field `city` of
 * `billingAddress`, and an empty cell is an omitted field. If the header is invalid, only its error is reported, and the rest is
 * not read.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  let columns: readonly string[] | null = null;
  for await (const raw of readRawLines(chunks, true)) {
    if (columns !== null) {
      const names = columns;
      yield { number: raw.number, read: () => recordOf(names, cellsOf(raw)) };
      continue;
    }
    try {
      columns = columnsOf(raw);
    } catch (error) {
      yield {
        number: raw.number,
        read: () => {
          throw error;
        },
      };
      return;
    }
  }
}

function columnsOf(raw: RawLine): readonly string[] {
  const columns = cellsOf(raw).map((name) => name.trim());
  if (columns.length > MAX_COLUMNS) throw refusal(`expected at most ${MAX_COLUMNS} columns; got ${columns.length}`);
  for (const [index, name] of columns.entries()) {
    const isNested = columns.some((other) => other.startsWith(`${name}.`));
    if (name === '') throw refusal(`expected a name for each column; got none for column ${index + 1}`);
    if (columns.indexOf(name) !== index) throw refusal(`expected each column once; got ${name} twice`);
    if (isNested) throw refusal(`expected ${name} as one column or as its fields; got both`);
    if (name.split('.').includes('__proto__')) throw refusal('a column must not be named __proto__');
  }
  return columns;
}

function recordOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  if (cells.length !== columns.length) {
    throw refusal(`expected ${columns.length} cells, as in the header; got ${cells.length}`);
  }
  const record = withoutPrototype();
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell !== '') set(record, pathOf(name), valueOf(name, cell));
  }
  // A payer without details is an object without fields, for which there are no cells.
  record['payer'] ??= withoutPrototype();
  return record;
}

/** A cell that is not a number although its column requires one stays text, which the schema refuses. @throws Problem if JSON is invalid */
function valueOf(name: string, cell: string): unknown {
  if (NUMBERS.has(name)) return /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
  if (!JSON_CELLS.has(name)) return cell;
  try {
    return parseJsonValue(Buffer.from(cell));
  } catch (error) {
    throw error instanceof Problem ? within(name, error) : error;
  }
}

function pathOf(name: string): readonly string[] {
  return name.startsWith(METADATA) ? ['metadata', name.slice(METADATA.length)] : name.split('.');
}

function set(record: Record<string, unknown>, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) record[name] = value;
  else set((record[name] ??= withoutPrototype()) as Record<string, unknown>, inner, value);
}

/** @throws Problem if the line is too long, not UTF-8, contains NUL, or its quotes do not follow RFC 4180 */
function cellsOf(raw: RawLine): readonly string[] {
  const bytes = bytesOf(raw);
  if (!isUtf8(bytes)) throw refusal('expected UTF-8; got invalid bytes');
  const text = bytes.toString('utf8');
  if (text.includes('\u0000')) throw refusal('expected text without NUL characters');
  const cells: string[] = [];
  for (let at = 0; at <= text.length;) {
    CELL.lastIndex = at;
    const [cell = ''] = CELL.exec(text) ?? [];
    at += cell.length;
    if (at < text.length && text[at] !== ',') throw refusal(QUOTING);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    at += 1;
  }
  return cells;
}

/** One cell, from its first character. */
const CELL = /"[^"]*(?:""[^"]*)*"|[^",]*/y;
const QUOTING =
  'expected cells that are completely quoted or contain no quotes; got a quote elsewhere, or an unclosed one';

function refusal(message: string): Problem {
  return invalidRequest([{ path: '', message }]);
}
