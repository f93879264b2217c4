import { isUtf8 } from 'node:buffer';
import { invalidRequest, type Problem } from '../http/problems';
import { bytesOf, type Line, type RawLine, readRawLines } from './lines';

/** Cells that hold whole numbers; all others are text. */
const NUMBERS: ReadonlySet<string> = new Set(['amount.value', 'consentAmount.value']);

/** Its keys are the merchant's own, and may have dots. */
const METADATA = 'metadata.';

/**
 * The records of RFC 4180 after a header row, as the NDJSON line of the same fields: `billingAddress.city` is the field `city` of
 * `billingAddress`, an empty cell is a field left out. A header that cannot be read is answered alone, and nothing after it is.
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
  for (const [index, name] of columns.entries()) {
    const isNested = columns.some((other) => other.startsWith(`${name}.`));
    if (name === '') throw refusal(`expected a name for each column; got none for column ${index + 1}`);
    if (columns.indexOf(name) !== index) throw refusal(`expected each column once; got ${name} twice`);
    if (isNested) throw refusal(`expected ${name} as one column or as its fields; got both`);
    if (name.split('.').includes('__proto__')) throw refusal('expected no column named __proto__; got one');
  }
  return columns;
}

function recordOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  if (cells.length !== columns.length) {
    throw refusal(`expected ${columns.length} cells, as the header has; got ${cells.length}`);
  }
  const record: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell !== '') set(record, pathOf(name), NUMBERS.has(name) && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell);
  }
  return record;
}

function pathOf(name: string): readonly string[] {
  return name.startsWith(METADATA) ? ['metadata', name.slice(METADATA.length)] : name.split('.');
}

function set(record: Record<string, unknown>, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) record[name] = value;
  else set((record[name] ??= {}) as Record<string, unknown>, inner, value);
}

/** @throws Problem if it is too long, no UTF-8, or its quotes are not as RFC 4180 has them */
function cellsOf(raw: RawLine): readonly string[] {
  const bytes = bytesOf(raw);
  if (!isUtf8(bytes)) throw refusal('expected UTF-8; got bytes that are not');
  const text = bytes.toString('utf8');
  if (text.includes('\u0000')) throw refusal('expected text without NUL; got some');
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

/** One cell, from where it begins. */
const CELL = /"[^"]*(?:""[^"]*)*"|[^",]*/y;
const QUOTING =
  'expected cells with quotes around them or without any; got a quote elsewhere, or one that is not closed';

function refusal(message: string): Problem {
  return invalidRequest([{ path: '', message }]);
}
