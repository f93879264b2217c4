/** A real process that may die at any moment, and comes back on the same data and the same port. */
export interface Killable {
  readonly name: string;
  /** Of the process that a signal is meant for; null while it is down. */
  readonly pid: number | null;
  /** `kill -9` where nothing else is said; then it resolves once nothing of the process is left. */
  kill(signal?: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Politely, and resolves once it has ended; nothing where it is down. */
  stop(): Promise<void>;
  /** Resolves once it serves. @throws Error where it is up, or does not come up in time. */
  start(): Promise<void>;
}
