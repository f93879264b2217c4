import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { BadInputError, CommandError } from '../../process/command-error';
import { print } from '../output';
import { type Access, accessOf, openStream } from './call';
import { drawProgress } from './progress';
import { confirm } from './terminal';

/** The answer to one line: what became a subscription, or why it did not. */
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
 * Sends a file of mandates, one JSON object a line, and prints the answer to each as it comes.
 * @throws CommandError where a line was refused: the others are still taken, and the file may be sent again
 */
export async function runImport(file: string, { yes = false, approval }: ImportArguments): Promise<void> {
  const access = accessOf(process.env);
  const source = await open(file);
  if (!yes) await confirm(`Every mandate of ${file} is collected from its next due date on.`);
  const progress = drawProgress('bytes', source.bytes);
  const tally = { taken: 0, refused: 0 };
  const body = source.stream.on('data', (chunk: Buffer | string) => progress.advance(Buffer.byteLength(chunk)));
  for await (const answer of answersOf(access, body, approval)) {
    if (answer.problem === undefined) tally.taken += 1;
    else tally.refused += 1;
    print(JSON.stringify(answer));
  }
  progress.stop();
  process.stderr.write(`${tally.taken} lines taken, ${tally.refused} refused\n`);
  if (tally.refused > 0) throw new CommandError(`${tally.refused} lines were refused; the rest was taken`);
}

async function open(file: string): Promise<{ readonly stream: Readable; readonly bytes: number | null }> {
  if (file === '-') return { stream: process.stdin, bytes: null };
  const { size } = await stat(file).catch((error: unknown) => {
    throw new BadInputError([`<file>: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`]);
  });
  return { stream: createReadStream(file), bytes: size };
}

async function* answersOf(access: Access, body: Readable, approval: string | undefined): AsyncGenerator<LineAnswer> {
  const answer = await openStream(access, '/v1/subscriptions/import', 'application/x-ndjson', { body, approval });
  for await (const line of createInterface({ input: answer })) if (line !== '') yield JSON.parse(line) as LineAnswer;
}
