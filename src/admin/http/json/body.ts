import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOversize } from './size';
import { FairQueue } from './fair-queue';
import { invalidRequest, Problem } from '../problems';
import { findUnstorable } from '../storable';
import { shapeOf } from '../validation';

/** Larger bodies are rejected with 413 and never parsed. */
export const BODY_LIMIT = 1024 * 1024;

/**
 * Parses JSON bodies strictly: UTF-8 only, bounded depth and number of values, no duplicate fields, no NUL, no lone surrogates,
 * no `__proto__`, no compression. The same rules hold for every call. Through a {@link FairQueue}, one body of each key is parsed
 * per round of the event loop.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers }) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() === 'identity') return;
    throw new Problem('unsupported_media_type', `Content-Encoding: expected none; got ${shapeOf(encoding)}.`);
  });
  app.removeAllContentTypeParsers();
  const queue = new FairQueue();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    await queue.enter(request.caller?.firstKeyId ?? request.ip);
    return parseJson(body);
  });
}

/** Zero bytes are not a body; each route decides whether it needs one. @throws Problem `invalid_request` */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const value = parseJsonValue(body);
  if (isNotObject(value)) throw refusal(`expected an object; got ${shapeOf(value)}`);
  return value;
}

/** Parses JSON that need not be an object. @throws Problem `invalid_request` */
export function parseJsonValue(body: Buffer): unknown {
  if (!isUtf8(body)) throw refusal('expected UTF-8; got invalid bytes');
  const oversize = findOversize(body);
  if (oversize !== null) throw invalidRequest([oversize]);
  const value = parse(body);
  const unstorable = findUnstorable(value);
  if (unstorable !== null) throw invalidRequest([unstorable]);
  const repeated = repeatedField(textOf(body));
  if (repeated !== null) throw invalidRequest([{ path: repeated, message: 'duplicate field' }]);
  return value;
}

/** Null counts as an omitted body. */
function isNotObject(value: unknown): boolean {
  return typeof value !== 'object' || Array.isArray(value);
}

/** Some programs start a UTF-8 file with a byte order mark. */
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
    if (error instanceof SyntaxError) throw refusal(`expected JSON; got ${body.length} bytes that are not valid JSON`);
    throw error;
  }
}

/** Strings and punctuation of JSON. Numbers and literals in between are skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** An object or array that is being read. */
interface Open {
  /** The fields of an object so far; null for an array. */
  readonly names: Set<string> | null;
  /** The current field or index. */
  at: string;
  isNameNext: boolean;
}

/**
 * The path of the first duplicate field, or null. `JSON.parse` would silently keep only the last one.
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
        .slice(0, MAX_PATH_LENGTH);
  }
  return null;
}

/** Field names in a request may have any length. */
const MAX_PATH_LENGTH = 200;

/** Notes the token in `inner`. @returns whether it is the name of a field that the object already has */
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
