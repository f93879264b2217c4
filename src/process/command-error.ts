/** A command cannot do its work; the message says what to do about it. No stack is shown. */
export class CommandError extends Error {
  /** Exit code. */
  readonly code: number = 1;
  override readonly name: string = 'CommandError';
}

/** The command line or a setting is not valid: exit code 2, as for an invalid variable. One line for each fault. */
export class BadInputError extends CommandError {
  override readonly code = 2;
  override readonly name = 'BadInputError';

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/**
 * Runs work that depends on another program, which may be unavailable or refuse.
 * @param what describes what could not be done, without secrets
 * @throws CommandError if the fault is that program's or the network's; faults of our own are rethrown unchanged.
 */
export async function reaching<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFromOutside(error)) throw error;
    throw new CommandError(`${what}: ${messageOf(error)}`, { cause: error });
  }
}

/** Errors of the system, PostgreSQL and gRPC have codes, and time-outs say so; a bug of ours has neither. */
function isFromOutside(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return 'code' in error || /timeout|deadline/i.test(error.message) || isFromOutside(error.cause);
}

/** The message of an error. An error after trying several addresses has none of its own, and gets those of all tries. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
