import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { requireFreshBuild } from '../support/fresh-build';
import { waitUntil } from '../support/wait-until';

const PROGRAM = join(__dirname, '..', '..', 'bin', 'dueday.js');
/** Real ms that a command may take on a busy machine. */
const TIMEOUT = 180_000;

type Variables = Readonly<Record<string, string>>;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One line of the program's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly url?: string;
  readonly slots?: { readonly collecting: number; readonly others: number };
}

/** The built program in its own process. */
export interface DuedayProcess {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  hasEnded(): boolean;
  stdout(): string;
  stderr(): string;
  log(): LogLine[];
  /** The first log line that starts with the text; fails if the process ends without it. */
  says(beginning: string): Promise<LogLine>;
  /** Stops reading its standard output. */
  closeStdout(): void;
  /** Sends SIGTERM if the process is running, and waits for its end. */
  stop(): Promise<Ending>;
}

/**
 * Starts the built program with these variables, besides PATH, HOME and TMPDIR.
 * @param group whether it leads its own process group, by which its children can be found
 * @param program the path of another release
 * @throws Error if the program was built from other sources
 */
export function startDueday(args: readonly string[], env: Variables, group = false, program = PROGRAM): DuedayProcess {
  if (program === PROGRAM) requireFreshBuild();
  const { PATH, HOME, TMPDIR } = process.env;
  const inherited = Object.fromEntries(
    Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined),
  );
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
  });
  let [stdout, stderr] = ['', ''];
  let hasEnded = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    hasEnded = true;
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const log = () => readLog(stdout);
  const find = (beginning: string) => log().find(({ msg }) => msg.startsWith(beginning));
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => hasEnded,
    stdout: () => stdout,
    stderr: () => stderr,
    log,
    async says(beginning) {
      await waitUntil(`it says "${beginning}"`, () => hasEnded || find(beginning) !== undefined);
      const line = find(beginning);
      if (line === undefined)
        throw new Error(`it ended without saying "${beginning}":\n${(stdout + stderr).slice(-2000)}`);
      return line;
    },
    closeStdout: () => void child.stdout.destroy(),
    stop() {
      if (!hasEnded) child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Only complete lines; text that is not JSON is not a log line. */
function readLog(stdout: string): LogLine[] {
  return stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}

export interface Finished extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, with another release's program if given. */
export async function runDueday(args: readonly string[], env: Variables = {}, program?: string): Promise<Finished> {
  const running = startDueday(args, env, false, program);
  const tooLate = setTimeout(() => process.kill(running.pid, 'SIGKILL'), TIMEOUT);
  const ending = await running.ended;
  clearTimeout(tooLate);
  return { ...ending, stdout: running.stdout(), stderr: running.stderr() };
}
