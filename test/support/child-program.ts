import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A program of dueday that a test runs as a separate process, so that it can be killed. */
export interface ChildProgram {
  pid: number;
  /**
   * The first line that the program prints, parsed as JSON; without one, rejects with what it wrote to standard error.
   */
  report: Promise<unknown>;
  ended: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
}

/** Starts a TypeScript file, given relative to `test/`. */
export function startProgram(file: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProgram {
  const child = spawn(
    process.execPath,
    ['-r', join(__dirname, 'typescript.cjs'), join(__dirname, '..', file), ...args],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { pid: child.pid ?? 0, report: firstReport(child), ended, kill: (signal) => void child.kill(signal) };
}

async function firstReport(child: ChildProcess): Promise<unknown> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line);
  throw new Error(errors || 'the program ended without a report');
}
