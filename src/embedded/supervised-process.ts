import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** How a program ended: `exit code 1`, `SIGKILL`, with its last lines of output. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  lastLines: string[];
}

export interface SupervisedProcess {
  /** The supervisor's process id; it lives exactly as long as the program. */
  pid: number;
  ended: Promise<Ending>;
  /** Asks the program to end, waits, and kills it if it does not. Resolves once the whole process group has ended. */
  stop: () => Promise<void>;
}

export interface SupervisedCommand {
  command: string;
  args: readonly string[];
  /** The program's only variables. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  account?: { uid: number; gid: number };
  /** The signal for an orderly end. */
  stopSignal: 'INT' | 'TERM';
  /** Real ms after the stop signal before the program is killed. */
  stopTimeoutMs: number;
  onLine: (line: string) => void;
}

/**
 * A small shell between this process and the program. It reads from a pipe that only this process writes to: when the
 * pipe closes, because the program must stop or because this process has ended, also by `kill -9`, the shell signals
 * the program.
 */
const SUPERVISOR = `
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ read -r _ <&3; kill -s "$0" "$program"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$program"; code=$?
kill "$watcher" 2>/dev/null
exit "$code"`;

const KEPT_LINES = 20;

/** Starts a program that dies with this process, in its own session: Ctrl-C reaches only us, and we decide the order of stopping. */
export function startSupervised(options: SupervisedCommand): SupervisedProcess {
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, options.stopSignal, options.command, ...options.args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options.account,
  });
  // The pipe may break while being closed if the program has just ended by itself: `ended` reports that already.
  child.stdin.on('error', () => undefined);
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      options.onLine(line);
    });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, lastLines });
    });
    // If only the supervisor was killed, its whole group must end.
    child.once('exit', () => killGroup(child.pid));
  });
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const timeout = new AbortController();
    const late = pause(options.stopTimeoutMs, 'late' as const, { signal: timeout.signal }).catch(() => 'late' as const);
    const first = await Promise.race([ended, late]);
    timeout.abort();
    if (first === 'late') killGroup(child.pid);
    await ended;
  };
  return { pid: child.pid ?? 0, ended, stop };
}

/** Runs a program to its end; it also dies with this process. */
export async function runSupervised(options: Omit<SupervisedCommand, 'stopSignal' | 'stopTimeoutMs'>): Promise<Ending> {
  return startSupervised({ ...options, stopSignal: 'TERM', stopTimeoutMs: 5_000 }).ended;
}

/** One line for error messages. */
export function describeEnding({ code, signal, lastLines }: Ending): string {
  const how = signal ?? `exit code ${code ?? 'unknown'}`;
  return lastLines.length === 0 ? how : `${how}; its last output:\n  ${lastLines.join('\n  ')}`;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
