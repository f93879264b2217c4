import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createDuedayClient, type Operation, type OperationId, OPERATIONS } from '../../client';
import { loadConfig } from '../../config';
import { BadInputError, CommandError } from '../../process/command-error';
import { flagOf } from './options';

/** The address of the admin API, and a key for it. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Reads address and key from the environment alone: a key on a command line would be visible to every process on the
 * machine.
 * @throws BadInputError if no key is configured
 */
export function accessOf(env: NodeJS.ProcessEnv): Access {
  const { DUEDAY_URL, DUEDAY_KEY, ADMIN_HOST, ADMIN_PORT, ADMIN_BOOTSTRAP_KEY } = loadConfig(env, []);
  const key = DUEDAY_KEY ?? ADMIN_BOOTSTRAP_KEY;
  if (key === undefined)
    throw new BadInputError(['DUEDAY_KEY: missing; expected a key of the admin API, see dueday keys create']);
  const host = EVERYWHERE.has(ADMIN_HOST) ? '127.0.0.1' : ADMIN_HOST;
  const url = DUEDAY_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${ADMIN_PORT}`;
  return { url: url.replace(/\/+$/, ''), key };
}

export interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Null if the call takes none. */
  readonly body: unknown;
  readonly idempotencyKey?: string | undefined;
  /** The id of an approval by a second person. */
  readonly approval?: string | undefined;
}

/** The API, or a proxy in front of it, cannot be reached or answers unexpectedly. Exit code 3. */
export class ApiUnavailableError extends CommandError {
  override readonly code = 3;
}

/** The rate limit was exceeded; the same call may succeed later. Exit code 1. */
export class ApiBusyError extends CommandError {}

/** The input is not valid: the API names each fault. Exit code 2. */
export class ApiRefusedInputError extends CommandError {
  override readonly code = 2;
}

type Request = (
  method: Operation['method'],
  url: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/**
 * One call of the admin API.
 * @throws CommandError with the API's own text if it refuses; the exit code says why: 1 refused, 2 invalid input,
 * 3 unavailable
 */
export async function callApi({ url, key }: Access, operation: Operation, asked: Asked): Promise<unknown> {
  // The operation table and the types are generated from the same description; only the table exists at run time.
  const request = createDuedayClient({ url, key }).request as unknown as Request;
  const headers = {
    ...(operation.method === 'post' ? { 'idempotency-key': asked.idempotencyKey ?? randomUUID() } : {}),
    ...approvalHeader(asked.approval),
  };
  const { data, error, response } = await request(operation.method, operation.url, {
    params: { path: asked.path, query: asked.query },
    ...(asked.body === null ? {} : { body: asked.body }),
    headers,
  }).catch((fault: unknown) => {
    throw unreachable(url, fault);
  });
  if (error === undefined && response.ok) return data;
  throw refusalOf(response.status, error);
}

function approvalHeader(approval: string | undefined): Record<string, string> {
  return approval === undefined ? {} : { 'dueday-approval': approval };
}

/** The API's maximum page size. */
const PAGE = 200;

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/**
 * Reads a list page by page, up to `limit` items.
 * @throws CommandError as {@link callApi} does
 */
export async function readItems(
  access: Access,
  operation: Operation,
  asked: Asked,
  limit: number,
): Promise<readonly unknown[]> {
  const takes = new Set(operation.query.map(({ name }) => name));
  const cursorName = ['cursor', 'after'].find((name) => takes.has(name));
  const items: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const query = {
      ...asked.query,
      ...(takes.has('limit') ? { limit: Math.min(PAGE, limit - items.length) } : {}),
      ...(cursor === null || cursorName === undefined ? {} : { [cursorName]: cursor }),
    };
    const page = (await callApi(access, operation, { ...asked, query })) as Page;
    items.push(...page.items);
    cursor = page.nextCursor ?? null;
    // A feed returns a cursor after its last event, too.
    if (cursor === null || cursorName === undefined || page.items.length === 0 || items.length >= limit)
      return items.slice(0, limit);
  }
}

/**
 * Makes one call, given the name of its operation.
 * @throws CommandError as {@link callApi} does
 */
export async function ask<Answer>(access: Access, operation: OperationId, asked: Partial<Asked>): Promise<Answer> {
  return (await callApi(access, OPERATIONS[operation], { ...NOTHING_ASKED, ...asked })) as Answer;
}

/**
 * Reads a whole list.
 * @throws CommandError as {@link callApi} does
 */
export async function askList<Item>(access: Access, operation: OperationId, asked: Partial<Asked>): Promise<Item[]> {
  return (await readItems(access, OPERATIONS[operation], { ...NOTHING_ASKED, ...asked }, Infinity)) as Item[];
}

const NOTHING_ASKED: Asked = { path: {}, query: {}, body: null };

export interface StreamRequest {
  /** Streamed by POST; without a body, the request is a GET. */
  readonly body?: Readable;
  /** Content type of the body, if it differs from that of the answer. */
  readonly contentType?: string;
  /** The event after which the stream continues; null: only new events. */
  readonly lastEventId?: string | null;
  /** The id of an approval by a second person. */
  readonly approval?: string | undefined;
}

/**
 * Opens an answer that is read as it arrives; it fails with ApiUnavailableError if the connection breaks.
 * @throws CommandError as {@link callApi} does
 */
export async function openStream(
  { url, key }: Access,
  path: string,
  type: string,
  { body, contentType = type, lastEventId = null, approval }: StreamRequest = {},
): Promise<Readable> {
  const headers = new Headers({ authorization: `Bearer ${key}`, accept: type, ...approvalHeader(approval) });
  if (lastEventId !== null) headers.set('last-event-id', lastEventId);
  if (body !== undefined) headers.set('content-type', contentType);
  const request: RequestInit =
    body === undefined
      ? { headers }
      : { method: 'POST', headers, body: Readable.toWeb(body) as ReadableStream, duplex: 'half' };
  const answer = await fetch(`${url}${path}`, request).catch((fault: unknown) => {
    throw unreachable(url, fault);
  });
  if (answer.ok && answer.body !== null) return readableOf(answer.body, url);
  throw refusalOf(answer.status, await answer.json().catch(() => null));
}

/** A broken connection fails as an unavailable API does. */
function readableOf(body: ReadableStream<Uint8Array>, url: string): Readable {
  const reader = body.getReader();
  return new Readable({
    read() {
      reader.read().then(
        ({ value = null }) => this.push(value),
        (fault: unknown) =>
          this.destroy(new ApiUnavailableError(`the answer of the admin API at ${url} broke off: ${causeOf(fault)}`)),
      );
    },
    destroy(fault, done) {
      const end = () => done(fault);
      reader.cancel(fault).then(end, end);
    },
  });
}

/** Yields the parts of a text, each as soon as it is complete; an incomplete last part is dropped. */
export async function* wholeParts(text: Readable, separator: string): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const parts = `${rest}${chunk as string}`.split(separator);
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

interface ProblemBody {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

function refusalOf(status: number, body: unknown): CommandError {
  const { code, detail, errors = [] } = (typeof body === 'object' && body !== null ? body : {}) as ProblemBody;
  // The API speaks of the header; on the command line, an option sets it.
  const why = detail?.replaceAll('the header Dueday-Approval', '--approval') ?? 'no readable answer';
  const text = `${code ?? `status ${status}`}: ${why}`;
  if (status >= 500 || code === undefined) return new ApiUnavailableError(text);
  if (status === 429) return new ApiBusyError(text);
  if (status !== 400) return new CommandError(text);
  const faults = errors.map(({ path, message }) => (path === '' ? message : `${flagOf(path)}: ${message}`));
  return new ApiRefusedInputError(faults.length === 0 ? text : faults.join('\n'));
}

function unreachable(url: string, fault: unknown): ApiUnavailableError {
  return new ApiUnavailableError(`the admin API cannot be reached at ${url}: ${causeOf(fault)}`);
}

/** A readable reason why a connection could not be opened, or broke. */
function causeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  return fault.cause instanceof Error ? fault.cause.message || fault.message : fault.message;
}
