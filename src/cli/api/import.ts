import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BadInputError, CommandError } from '../../process/command-error';
import { print } from '../output';
import { type Access, accessOf, openStream, wholeParts } from './call';
import { drawProgress } from './progress';
import { confirm } from './terminal';

/** The answer to one line: the subscription it became, or the reason why it was refused. */
interface LineAnswer {
  readonly line: number;
  readonly subscriptionId?: string;
  readonly problem?: { readonly code: string; readonly detail: string };
}

export interface ImportArguments {
  readonly yes?: boolean;
  readonly approval?: string;
}

/**
 * Sends a file of mandates (CSV, or one JSON object per line) and prints the answer to each line as it arrives.
 * @throws CommandError if a line was refused: the others are still accepted. If the answer breaks off, later lines may or may
 *   not have been accepted. Either way the file can be sent again
 */
export async function runImport(file: string, { yes = false, approval }: ImportArguments): Promise<void> {
  const access = accessOf(process.env);
  const source = await openSource(file);
  if (!yes) await confirm(`Every mandate of ${file} will be collected from its next due date.`);
  const progress = drawProgress('bytes', source.bytes);
  const tally = { accepted: 0, refused: 0 };
  const body = source.stream.on('data', (chunk: Buffer | string) => progress.advance(Buffer.byteLength(chunk)));
  try {
    for await (const answer of answersOf(access, body, mediaTypeOf(file), approval)) {
      if (answer.problem === undefined) tally.accepted += 1;
      else tally.refused += 1;
      print(JSON.stringify(answer));
    }
  } finally {
    progress.stop();
    process.stderr.write(`lines accepted: ${tally.accepted}, refused: ${tally.refused}\n`);
  }
  if (tally.refused > 0) throw new CommandError(`lines refused: ${tally.refused}; the others were accepted`);
}

/** @throws BadInputError if the file cannot be read, before anything is sent or confirmed */
async function openSource(file: string): Promise<{ readonly stream: Readable; readonly bytes: number | null }> {
  if (file === '-') return { stream: process.stdin, bytes: null };
  const unreadable = (why: string) => new BadInputError([`<file>: ${file} cannot be read: ${why}`]);
  const opened = await open(file).catch((error: unknown) => {
    throw unreadable((error as NodeJS.ErrnoException).code ?? 'unknown');
  });
  const stats = await opened.stat();
  if (!stats.isDirectory()) return { stream: opened.createReadStream(), bytes: stats.size };
  await opened.close();
  throw unreadable('EISDIR');
}

const NDJSON = 'application/x-ndjson';

/** Chosen by the file's name; standard input is NDJSON. */
function mediaTypeOf(file: string): string {
  return file.toLowerCase().endsWith('.csv') ? 'text/csv' : NDJSON;
}

async function* answersOf(
  access: Access,
  body: Readable,
  mediaType: string,
  approval: string | undefined,
): AsyncGenerator<LineAnswer> {
  const sent = { body, contentType: mediaType, approval };
  const answer = await openStream(access, '/v1/subscriptions/import', NDJSON, sent);
  for await (const line of wholeParts(answer, '\n')) yield JSON.parse(line) as LineAnswer;
}
