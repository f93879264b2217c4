import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { SECOND } from '../../src/domain/time';

export interface Asked {
  readonly method: string;
  /** The path with its query, percent-encoded. */
  readonly path: string;
  /** The key; null: no key is sent. */
  readonly key: string | null;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body; empty for a stream, which has no end and is closed once it begins. */
  readonly text: string;
}

/** Sends one request on a new connection, and reads the answer, even if that comes before the whole body was read. */
export async function ask(url: string, { method, path, key, body, headers }: Asked): Promise<Said> {
  const asked = request(`${url}${path}`, {
    method,
    agent: false,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.end(body);
  const [answer] = await answered;
  // Writing the rest of the body may find the connection closed.
  asked.on('error', () => undefined);
  const said = { status: answer.statusCode ?? 0, headers: answer.headers };
  if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
    asked.destroy();
    return { ...said, text: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { ...said, text: Buffer.concat(chunks).toString('utf8') };
}

const MAX_TRIES = 15;

/**
 * Sends a request, and repeats it while the API answers 503: on a busy machine it may not be ready, which is no fault of what is
 * checked. @returns the last answer, also if the API never becomes ready
 */
export async function askWhenReady(url: string, asked: Asked): Promise<Said> {
  for (let tries = 1; ; tries += 1) {
    const said = await ask(url, asked);
    if (said.status !== 503 || tries === MAX_TRIES) return said;
    await setTimeout(tries * SECOND);
  }
}

/** Sends a request with a JSON body, if any, which may be given as text; each POST with a new idempotency key. */
export function askJson(url: string, key: string, method: string, path: string, body?: unknown): Promise<Said> {
  const order: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
  if (body === undefined) return askWhenReady(url, { method, path, key, headers: order });
  const headers = { ...order, 'content-type': 'application/json' };
  return askWhenReady(url, {
    method,
    path,
    key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });
}

/** The body of an answer that succeeded. @throws Error if it did not */
export async function bodyOf<T>(asked: Promise<Said>): Promise<T> {
  const { status, text } = await asked;
  if (status >= 300) throw new Error(`expected a success; got ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
