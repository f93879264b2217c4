import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** Response bodies that a client must survive. */
export const HTML_PAGE =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

export function malformedBody(variant: 'truncated' | 'html' | 'wrong_types', body: string): string {
  switch (variant) {
    case 'truncated':
      return body.slice(0, Math.ceil(body.length / 2));
    case 'html':
      return HTML_PAGE;
    case 'wrong_types':
      return JSON.stringify(withWrongTypes(JSON.parse(body)));
  }
}

/** Strings become numbers, numbers become strings, booleans become 0; the structure is kept. */
function withWrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withWrongTypes);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withWrongTypes(inner)]));
  }
  if (typeof value === 'string') return value.length;
  return typeof value === 'number' ? String(value) : 0;
}

const CHUNK = 1_000_000;
/** White space, so that the body is still valid JSON. */
const PADDING = Buffer.alloc(CHUNK, ' ');

/** The body, followed by at least `bytes` of white space. */
export function hugeBody(body: string, bytes: number): Readable {
  return Readable.from(padded(body, bytes, PADDING, CHUNK), { objectMode: false });
}

/** A body that decompresses to at least `bytes`, about a thousand times its size. Concatenated gzip members form a valid gzip file. */
export function gzipBomb(body: string, bytes: number): Readable {
  const chunk = 10 * CHUNK;
  return Readable.from(padded(gzipSync(body), bytes, gzipSync(Buffer.alloc(chunk, ' ')), chunk), { objectMode: false });
}

function* padded(start: string | Buffer, bytes: number, padding: Buffer, each: number): Generator<string | Buffer> {
  yield start;
  for (let sent = 0; sent < bytes; sent += each) yield padding;
}

/** Sends one byte every `delayMs`; the rest at once when the server closes. */
export function slowBody(body: string, delayMs: number, closing: AbortSignal): Readable {
  return Readable.from(drip(body, delayMs, closing), { objectMode: false });
}

async function* drip(body: string, delayMs: number, closing: AbortSignal): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(body)) {
    yield Buffer.from([byte]);
    await pause(delayMs, closing);
  }
}

/** Waits for real milliseconds; ends early, without an error, when the server closes. */
export async function pause(ms: number, closing: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: closing, ref: false });
  } catch (error) {
    if (!closing.aborted) throw error;
  }
}
