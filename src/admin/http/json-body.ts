import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalidRequest, Problem } from './problems';
import { objectTo } from './storable';
import { shapeOf } from './validation';

/** Bodies above it are refused with 413 before they are read. */
export const BODY_LIMIT = 1024 * 1024;

/**
 * Reads JSON bodies strictly: UTF-8 only, bounded depth, no field twice, no NUL, no half of a surrogate pair, no
 * `__proto__`. Whether it may be compressed, or be no object, is the same for every call.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers }) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() === 'identity') return;
    throw new Problem('unsupported_media_type', `Content-Encoding: expected none; got ${shapeOf(encoding)}.`);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
}

/** No bytes at all are no body, which every route judges for itself. @throws Problem `invalid_request` */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw refusal('expected UTF-8; got bytes that are not');
  const value = parse(body);
  const objection = objectTo(value);
  if (objection !== null) throw invalidRequest([objection]);
  const repeated = repeatedField(textOf(body));
  if (repeated !== null) throw invalidRequest([{ path: repeated, message: 'expected a field once; got it twice' }]);
  if (isNoObject(value)) throw refusal(`expected an object; got ${shapeOf(value)}`);
  return value;
}

/** Null is a body that is left out. */
function isNoObject(value: unknown): boolean {
  return typeof value !== 'object' || Array.isArray(value);
}

/** Some programs begin a file of UTF-8 with a byte order mark. */
function textOf(body: Buffer): string {
  return body.toString('utf8').replace(/^\ufeff/, '');
}

function refusal(message: string): Problem {
  return invalidRequest([{ path: '', message }]);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal(`expected JSON; got ${body.length} bytes that are not`);
    throw error;
  }
}

/** Strings and the signs of JSON. Numbers and literals are in between. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** An object or a list that is being read. */
interface Open {
  /** Of an object, the fields so far; null for a list. */
  readonly names: Set<string> | null;
  /** Of what is being read: a field, or an index. */
  at: string;
  isNameNext: boolean;
}

/**
 * The path of the first field that an object has twice, of which JSON's own reader keeps the last and drops the others
 * silently; null if none has.
 * @param text valid JSON
 */
function repeatedField(text: string): string | null {
  const open: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '', isNameNext: true });
    else if (token === '[') open.push({ names: null, at: '0', isNameNext: false });
    else if (token === '}' || token === ']') open.pop();
    else if (inner !== undefined && isRepeated(inner, token))
      return open
        .map(({ at }) => at)
        .join('.')
        .slice(0, LONGEST_PATH);
  }
  return null;
}

/** A caller's own names may be of any length. */
const LONGEST_PATH = 200;

/** Whether the token names a field of the object that it has already. */
function isRepeated(inner: Open, token: string): boolean {
  if (token === ':') inner.isNameNext = false;
  else if (token !== ',') return inner.isNameNext && inner.names !== null && isKnownName(inner, inner.names, token);
  else if (inner.names === null) inner.at = String(Number(inner.at) + 1);
  else inner.isNameNext = true;
  return false;
}

function isKnownName(inner: Open, names: Set<string>, token: string): boolean {
  inner.at = JSON.parse(token) as string;
  if (names.has(inner.at)) return true;
  names.add(inner.at);
  return false;
}
