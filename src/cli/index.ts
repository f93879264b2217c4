import { CommanderError } from 'commander';
import { ConfigError } from '../config';
import { CommandError } from '../process/command-error';
import { ownVersion } from '../process/version';
import { buildProgram } from './program';

/** Exit code for bad input: configuration or command line. */
const BAD_INPUT = 2;

/** Runs one command; every expected fault becomes one clear message and an exit code. */
async function main(argv: readonly string[]): Promise<void> {
  try {
    const program = buildProgram(ownVersion());
    const { default: addCompletion } = await import('@bomb.sh/tab/commander');
    addCompletion(program, { completionCommandName: 'completion' });
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT;
  if (error instanceof ConfigError) {
    process.stderr.write(`The configuration is not valid:\n${error.message}\n`);
    return BAD_INPUT;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`dueday: ${error.message}\n`);
    return error.code;
  }
  process.stderr.write(`dueday: ${(error instanceof Error ? error.stack : undefined) ?? String(error)}\n`);
  return 1;
}

/** The reader may stop early, as `head` does: the command then exits as if ended by SIGPIPE. */
const BROKEN_PIPE = 141;

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A process that runs until a signal handles this like any other fault, and shuts down properly.
    if (error.code !== 'EPIPE' || process.listenerCount('uncaughtException') > 0) throw error;
    process.exit(BROKEN_PIPE);
  });

void main(process.argv);
