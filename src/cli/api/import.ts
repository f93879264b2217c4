import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { counted } from '../../domain/money';
import { BadInputError, CommandError } from '../../process/command-error';
import { print } from '../output';
import { type Access, accessOf, openStream, wholeParts } from './call';
import { ImportTally, type LineAnswer } from './import-faults';
import { drawProgress } from './progress';
import { confirm, showList } from './terminal';

export interface ImportArguments {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly approval?: string;
}

/**
 * Sends a file of mandates (CSV, or one JSON object per line) and prints the answer to each line as it arrives. A dry run stores
 * nothing, and prints only the faults, each once, with the number of lines that have it.
 * @throws CommandError if a line was refused: the others are still accepted. If the answer breaks off, later lines may or may
 *   not have been accepted. Either way the file can be sent again
 */
export async function runImport(file: string, asked: ImportArguments): Promise<void> {
  const { yes = false, dryRun = false } = asked;
  const access = accessOf(process.env);
  const source = await openSource(file);
  if (!yes && !dryRun) await confirm(`Every mandate of ${file} will be collected from its next due date.`);
  const progress = drawProgress('bytes', source.bytes, dryRun);
  const tally = new ImportTally();
  const body = source.stream.on('data', (chunk: Buffer | string) => progress.advance(Buffer.byteLength(chunk)));
  try {
    for await (const answer of answersOf(access, body, mediaTypeOf(file), asked)) {
      tally.add(answer);
      if (!dryRun) print(JSON.stringify(answer));
    }
  } finally {
    // Otherwise a refused command keeps running until its standard input ends.
    body.destroy();
    progress.stop();
    process.stderr.write(`lines accepted: ${tally.accepted}, refused: ${tally.refused}\n`);
  }
  if (dryRun) showList(tally.common.map(asItem), {}, asked.json === true || !process.stdout.isTTY);
  else reportFaults(tally);
  if (tally.refused === 0) return;
  throw new CommandError(
    `lines refused: ${tally.refused}; ${dryRun ? 'nothing was imported' : 'the others were accepted'}`,
  );
}

const asItem = (fault: ImportTally['common'][number]) => ({ ...fault });

/** How many faults the summary of an import shows; the answers to its lines are already printed. */
const MAX_REPORTED = 10;

function reportFaults({ common }: ImportTally): void {
  for (const { lines, firstLine, field, message } of common.slice(0, MAX_REPORTED)) {
    const where = field === '' ? '' : `${field}: `;
    process.stderr.write(`  ${counted(lines, 'line')}, first line ${firstLine}: ${where}${message}\n`);
  }
  const rest = common.length - MAX_REPORTED;
  if (rest > 0) process.stderr.write(`  and ${rest} other faults\n`);
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
  { approval, dryRun = false }: ImportArguments,
): AsyncGenerator<LineAnswer> {
  const sent = { body, contentType: mediaType, approval };
  const path = `/v1/subscriptions/import${dryRun ? '?dryRun=true' : ''}`;
  const answer = await openStream(access, path, NDJSON, sent);
  for await (const line of wholeParts(answer, '\n')) yield JSON.parse(line) as LineAnswer;
}
