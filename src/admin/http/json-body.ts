import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalidRequest, type Problem } from './problems';

/** Bodies above it are refused with 413 before they are read. */
export const BODY_LIMIT = 1024 * 1024;

/** No request of ours nests deeper than 3. */
const MAX_DEPTH = 20;

/** Reads JSON bodies strictly: UTF-8 only, bounded depth, no NUL, no half of a surrogate pair, no `__proto__`. */
export function readJsonBodies(app: FastifyInstance): void {
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
  if (objection !== null) throw refusal(objection);
  return value;
}

function refusal(message: string): Problem {
  return invalidRequest([{ path: '', message }]);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal(`expected JSON; got ${body.length} bytes that are not`);
    throw error;
  }
}

/** Walks without recursion, so that depth costs no stack. PostgreSQL stores neither NUL nor a lone surrogate. */
function objectTo(root: unknown): string | null {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && isBroken(value)) return 'expected text without NUL and lone surrogates; got some';
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) return `expected at most ${MAX_DEPTH} levels of nesting; got more`;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__') return 'expected no field named __proto__; got one';
      if (isBroken(key)) return 'expected field names without NUL and lone surrogates; got some';
      open.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}

function isBroken(text: string): boolean {
  return text.includes('\u0000') || /\p{Surrogate}/u.test(text);
}
