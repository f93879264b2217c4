/** A real process that may die at any moment, and comes back on the same data and the same port. */
export interface Killable {
  readonly name: string;
  /** The id of the process that gets a signal; null while it is down. */
  readonly pid: number | null;
  /** `kill -9` by default; resolves once the process has ended completely. */
  kill(signal?: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Stops it in order and resolves once it has ended; does nothing while it is down. */
  stop(): Promise<void>;
  /** Resolves once it serves. @throws Error if it is already up, or does not come up in time. */
  start(): Promise<void>;
}
