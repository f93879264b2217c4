import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export interface Ended {
  readonly code: number | null;
  /** What the program printed to standard output and standard error. */
  readonly output: string;
}

interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], { cwd, env = {}, signal }: Where): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Runs a program that must succeed. @returns what it printed @throws Error with its last lines if the exit code is not 0 */
export async function must(command: string, args: readonly string[], where: Where): Promise<string> {
  const { code, output } = await run(command, args, where);
  if (code === 0) return output;
  throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${code}:\n${output.slice(-3_000)}`);
}

/** The commands among these that are not on the PATH. */
export async function missing(commands: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(commands.map(isOnPath));
  return commands.filter((_, at) => found[at] === false);
}

async function isOnPath(command: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const tries = folders.map((folder) => access(join(folder, command), constants.X_OK));
  return (await Promise.allSettled(tries)).some(({ status }) => status === 'fulfilled');
}
