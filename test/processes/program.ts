import { type DuedayProcess, type Ending, startDueday } from '../cli/dueday-process';
import type { Killable } from './killable';

export type Command = 'worker' | 'api' | 'daemon';

/** The log line with which each start completes. */
const READY: Readonly<Record<Command, string>> = {
  worker: 'worker started',
  api: 'admin API on ',
  daemon: 'worker started',
};

/** The built `dueday` program, which can be restarted with the same variables. */
export class Program implements Killable {
  private running: DuedayProcess | null = null;

  constructor(
    readonly name: string,
    private readonly command: Command,
    private readonly env: Readonly<Record<string, string>>,
    /** The path of another release's program. */
    private readonly file?: string,
  ) {}

  get pid(): number | null {
    return this.running?.pid ?? null;
  }

  /** The process that was started last, with its log. @throws Error while it is down. */
  get process(): DuedayProcess {
    if (this.running === null) throw new Error(`${this.name} is down`);
    return this.running;
  }

  /** Starts it without waiting until it serves. */
  launch(): DuedayProcess {
    if (this.running !== null) throw new Error(`${this.name} is up already`);
    const launched = startDueday([this.command], this.env, false, this.file);
    this.running = launched;
    void launched.ended.then(() => {
      if (this.running === launched) this.running = null;
    });
    return launched;
  }

  async start(): Promise<void> {
    await this.launch().says(READY[this.command]);
  }

  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    const { pid, ended } = this.process;
    process.kill(pid, signal);
    if (signal === 'SIGKILL') await ended;
  }

  async stop(): Promise<void> {
    await this.end();
  }

  /** Stops the program like {@link stop}. @returns how it ended; null if it was down */
  async end(): Promise<Ending | null> {
    return (await this.running?.stop()) ?? null;
  }
}
