import type { Fault } from '../problems';

/** No valid request, and no valid line of an import, nests deeper than 4. */
const MAX_DEPTH = 20;
/**
 * Counts fields and array items. The largest valid request is the line of an import with 1,000 skipped cycles, 1,000 postponements
 * of three values each, and fewer than 100 other values.
 */
const MAX_VALUES = 4_100;

/** Field names in a request may have any length. */
const MAX_NAME_BYTES = 200;

const [QUOTE, BACKSLASH, COMMA] = [...Buffer.from('"\\,')];
const OPENING = new Set(Buffer.from('{['));
const CLOSING = new Set(Buffer.from('}]'));
const SPACE = new Set(Buffer.from(' \t\r\n'));

/**
 * Bounds the work of one request before its body is parsed: `JSON.parse` takes half a second for 1 MB of nested arrays, and
 * a duplicate field hides the values of the first one from any count afterwards. Reads bytes, because no regular expression
 * reads invalid JSON in linear time. The path of the fault is the field of the request with the value that is one too many.
 * @param body UTF-8; what is not JSON is counted as if it were
 * @returns null if the body is small enough to be parsed
 */
export function findOversize(body: Buffer): Fault | null {
  let [depth, values, previous] = [0, 1, 0];
  let field = '';
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (SPACE.has(byte)) continue;
    const isClosing = CLOSING.has(byte);
    // A comma announces a value, and so does an opening bracket, unless it is closed at once.
    if (byte === COMMA || (OPENING.has(previous) && !isClosing)) values += 1;
    if (OPENING.has(byte)) depth += 1;
    else if (isClosing) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(body, at);
      if (depth === 1) field = body.toString('utf8', at + 1, Math.min(end, at + 1 + MAX_NAME_BYTES));
      at = end;
    }
    previous = byte;
    if (depth > MAX_DEPTH) return { path: '', message: `expected at most ${MAX_DEPTH} levels of nesting; got more` };
    if (values > MAX_VALUES) {
      const message = `expected at most ${MAX_VALUES} values in a request; got more`;
      return { path: depth > 1 ? field : '', message };
    }
  }
  return null;
}

/** The index of the quote that ends a text, or of the end of the body. */
function endOfText(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
