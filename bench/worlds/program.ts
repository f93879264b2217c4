import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(__dirname, '..', '..');
const TIMEOUT = 180_000;
/** Microseconds between samples. At the default of 1000 a profiled process that does nothing never counts as idle. */
const PROFILE_STEP = '5000';

/** A measured process. */
export interface Program {
  readonly pid: number;
  /** Processor time of all its threads since it started, ms. */
  cpu(): Promise<number>;
  /** Waits for the first line of its output that contains these words. */
  says(words: string): Promise<string>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Runs a file of the project in a separate process with these variables, `PATH` and `HOME`. If `BENCH_PROFILE` is set, its
 * threads write CPU profiles into that folder when it ends.
 */
export function startProgram(file: string, args: readonly string[], env: Variables): Program {
  const { PATH = '', HOME = '', BENCH_PROFILE: folder } = process.env;
  const profiling =
    folder === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval', PROFILE_STEP, '--cpu-prof-dir', folder];
  const child = fork(join(ROOT, file), args, {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    execArgv: [...profiling, '-r', join(__dirname, 'cpu-meter.cjs'), '-r', join(ROOT, 'test/support/typescript.cjs')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  const note = (text: string) => (said = (said + text).slice(-20_000));
  child.stdout?.setEncoding('utf8').on('data', note);
  child.stderr?.setEncoding('utf8').on('data', note);
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    cpu: () => cpuOf(child),
    says: (words) => untilSaid(child, words, () => said),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('cpu');
  const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
  return (user + system) / 1000;
}

async function untilSaid(child: ChildProcess, words: string, said: () => string): Promise<string> {
  const tooLate = performance.now() + TIMEOUT;
  for (;;) {
    const lines = said().split('\n').slice(0, -1);
    const line = lines.find((each) => each.includes(words));
    if (line !== undefined) return line;
    if (child.exitCode !== null || performance.now() > tooLate)
      throw new Error(`it did not say "${words}": ${said().slice(-2000)}`);
    await pause(50);
  }
}
