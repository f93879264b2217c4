import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../../client';
import { BadInputError } from '../../process/command-error';
import { print } from '../output';
import { type Access, accessOf, ApiUnavailableError, callApi, openStream, readItems } from './call';
import type { ApiCommand } from './commands';
import { bodyOf, queryOf, readFields, type Typed } from './options';
import { drawProgress, followJob, isJob } from './progress';
import { confirm, showList, showOne } from './terminal';

/** Asks for confirmation if the command requires it, makes the call, and shows the result. */
export async function runApiCommand(
  operation: Operation,
  wanted: ApiCommand,
  path: Record<string, string>,
  typed: Typed,
): Promise<void> {
  const access = accessOf(process.env);
  const asJson = typed['json'] === true || !process.stdout.isTTY;
  const query = readFields(queryOf(operation), typed);
  const asked = {
    path,
    query,
    body: bodyOf(operation, typed, wanted.preset),
    idempotencyKey:
      operation.method === 'post' ? ((typed['idempotencyKey'] as string | undefined) ?? randomUUID()) : undefined,
    approval: typed['approval'] as string | undefined,
  };
  if (wanted.asks !== undefined && typed['yes'] !== true && typed['dryRun'] !== true) await confirm(wanted.asks);
  if (typed['csv'] === true || wanted.isStream === true) {
    const type = typed['csv'] === true ? 'text/csv' : 'application/x-ndjson';
    await printStream(access, `${operation.url}?${queryText(query)}`, type);
    return;
  }
  const read = async (): Promise<unknown> =>
    operation.isList
      ? readItems(access, operation, asked, limitOf(typed))
      : callApi(access, operation, asked).catch((fault: unknown) => {
          throw withKey(fault, asked.idempotencyKey);
        });
  const show = (answer: unknown) => {
    if (Array.isArray(answer)) showList(answer as Record<string, unknown>[], wanted, asJson);
    else showOne(answer, asJson);
  };
  if (typed['watch'] === true) await watch(read, show);
  else {
    const answer = await read();
    show(wanted.startsJob === true && isJob(answer) ? await followJob(access, answer) : answer);
  }
}

/** A call without an answer may have been carried out: the user needs its key to repeat it without doing it twice. */
function withKey(fault: unknown, key: string | undefined): unknown {
  if (key === undefined || !(fault instanceof ApiUnavailableError)) return fault;
  const why = fault.message.replace(/\.$/, '');
  return new ApiUnavailableError(`${why}. To repeat it without doing it twice, add --idempotency-key ${key}`);
}

/** A list that is answered whole is shown whole unless a limit is given. */
function limitOf({ limit: text }: Typed): number {
  if (text === undefined) return Infinity;
  if (typeof text === 'string' && /^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  throw new BadInputError([`--limit: expected a whole number of at least 1; got ${JSON.stringify(text)}`]);
}

async function printStream(access: Access, path: string, type: string): Promise<void> {
  const progress = drawProgress('bytes', null);
  try {
    for await (const chunk of await openStream(access, path, type)) {
      progress.advance((chunk as Buffer).length);
      if (!process.stdout.write(chunk as Buffer)) await once(process.stdout, 'drain');
    }
  } finally {
    progress.stop();
  }
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(Object.entries(query).flatMap(([name, value]) => pairsOf(name, value))).toString();
}

/** An object has one pair for each field, such as `metadata[shop]`. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([field, inner]) => [`${name}[${field}]`, String(inner)]);
}

const WATCH_EVERY = 2_000;
const CLEAR = '\u001b[2J\u001b[H';

async function watch(read: () => Promise<unknown>, show: (answer: unknown) => void): Promise<never> {
  let last = '';
  for (;;) {
    const answer = await read();
    const text = JSON.stringify(answer);
    if (text !== last) {
      if (process.stdout.isTTY) process.stdout.write(CLEAR);
      else if (last !== '') print();
      show(answer);
      last = text;
    }
    await pause(WATCH_EVERY);
  }
}
