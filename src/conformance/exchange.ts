import { request as send } from 'undici';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface WireRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was received. */
  readonly text: string;
}

/** One request and what came back, as both went over the wire. */
export interface Exchange {
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

const LARGEST_ANSWER = 1024 * 1024;

/**
 * Follows no redirect and repeats nothing.
 * @param timeoutMs real ms for the answer's head, and again between two parts of its body
 * @throws what undici throws if no complete answer came, or an Error with the code ANSWER_TOO_LARGE
 */
export async function exchange(request: WireRequest, timeoutMs: number): Promise<Exchange> {
  const { method, url, headers, body } = request;
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const answer = await send(url, { method, headers, body: body ?? null, ...limits });
  let text = '';
  for await (const chunk of answer.body.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > LARGEST_ANSWER) throw Object.assign(new Error('too large'), { code: 'ANSWER_TOO_LARGE' });
  }
  return { request, answer: { status: answer.statusCode, headers: answer.headers, text } };
}

/** The body as JSON; undefined if it is not JSON. */
export function bodyOf({ answer }: Exchange): unknown {
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    // An unreadable body is an answer, too; a row that expects a record reports it.
    return undefined;
  }
}

/** A field deep inside a body of unknown shape: `field(body, 'status', 'result')`. */
export function field(body: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  );
}

/** A text inside a body; undefined if there is none. */
export function text(body: unknown, ...path: readonly string[]): string | undefined {
  const value = field(body, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** `{"items": […]}`; empty if it is not a list. */
export function items(body: unknown): readonly unknown[] {
  const value = field(body, 'items');
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** status.result in lower case: "a response may show it in upper case". */
export function result(record: unknown): string | undefined {
  return text(record, 'status', 'result')?.trim().toLowerCase();
}
