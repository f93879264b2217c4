import { describeEnding, startSupervised } from './supervised-process';

/** A command on the user's machine (go, mvn, java, node), run to its end in the user's own environment. */
export interface OutsideCommand {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  onLine?: (line: string) => void;
  /** Aborts the command with the signal's reason. */
  giveUp?: AbortSignal;
}

/** @throws if the exit code is not 0, with the last lines of output, or if it was aborted. */
export async function runOutside(options: OutsideCommand): Promise<void> {
  const child = startSupervised({
    command: options.command,
    args: options.args,
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stopSignal: 'TERM',
    stopTimeoutMs: 5_000,
    onLine: (line) => options.onLine?.(line),
  });
  const giveUp = (): void => void child.stop();
  options.giveUp?.addEventListener('abort', giveUp, { once: true });
  const ending = await child.ended.finally(() => options.giveUp?.removeEventListener('abort', giveUp));
  options.giveUp?.throwIfAborted();
  if (ending.code === 127) throw new Error(`${options.command} is not installed`);
  if (ending.code !== 0) throw new Error(`${options.command} failed: ${describeEnding(ending)}`);
}

/** The output of a short command. @throws if it is not installed, fails, or takes longer than a minute, as on a busy machine. */
export async function readOutput(command: string, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await runOutside({ command, args, onLine: (line) => lines.push(line), giveUp: AbortSignal.timeout(60_000) });
  return lines.join('\n');
}
