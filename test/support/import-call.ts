import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

/** One line of the answer. */
export interface LineAnswer {
  readonly line: number;
  readonly subscriptionId?: string;
  readonly dryRun?: boolean;
  readonly duplicate?: true;
  readonly warnings?: readonly string[];
  readonly problem?: {
    readonly code: string;
    readonly status: number;
    readonly detail: string;
    readonly errors?: readonly { readonly path: string; readonly message: string }[];
  };
}

/** An import under way, read and written by hand. */
export interface ImportCall {
  readonly request: ClientRequest;
  readonly response: Promise<IncomingMessage>;
  write(text: string | Buffer): void;
  end(): void;
  /** The next line of the response; null after the last. Rejects if the response breaks off. */
  next(): Promise<LineAnswer | null>;
  /** All remaining lines of the response. */
  rest(): Promise<LineAnswer[]>;
}

/** Opens `POST /v1/subscriptions/import` on a connection of its own. */
export function openImport(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): ImportCall {
  const call = request(`${url}/v1/subscriptions/import${query}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson', ...headers },
  });
  call.flushHeaders();
  const response = once(call, 'response').then(([answer]) => answer as IncomingMessage);
  // A caller that awaits the response gets the error; a call that is broken off on purpose is not awaited.
  response.catch(() => undefined);
  call.on('error', () => undefined);
  const lines = response.then(linesOf);
  lines.catch(() => undefined);
  const next = async () => {
    const { value, done } = await (await lines).next();
    return done === true ? null : value;
  };
  return {
    request: call,
    response,
    next,
    write: (text) => void call.write(text),
    end: () => void call.end(),
    async rest() {
      const answers: LineAnswer[] = [];
      for (let answer = await next(); answer !== null; answer = await next()) answers.push(answer);
      return answers;
    },
  };
}

async function* linesOf(answer: IncomingMessage): AsyncGenerator<LineAnswer, void> {
  const faults: Error[] = [];
  answer.once('error', (error) => faults.push(error));
  for await (const line of createInterface({ input: answer })) yield JSON.parse(line) as LineAnswer;
  if (faults.length > 0 || !answer.complete) throw new Error('the answer broke off', { cause: faults[0] });
}

/** Sends a whole file and reads the whole answer. @param piece bytes that are written at once; all if it is left out */
export async function importFile(
  url: string,
  key: string,
  text: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  piece = Infinity,
  query = '',
): Promise<LineAnswer[]> {
  const call = openImport(url, key, headers, query);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) call.write(bytes.subarray(at, Math.min(at + piece, bytes.length)));
  call.end();
  return call.rest();
}

/** Imports lines that must all be accepted. */
export async function importAll(url: string, key: string, lines: readonly string[]): Promise<void> {
  const answers = await importFile(url, key, lines.join('\n'));
  const refused = answers.filter(({ subscriptionId }) => subscriptionId === undefined);
  if (answers.length === lines.length && refused.length === 0) return;
  const detail = JSON.stringify(refused.slice(0, 3));
  throw new Error(`${refused.length} of ${lines.length} lines were refused, ${answers.length} answered: ${detail}`);
}
