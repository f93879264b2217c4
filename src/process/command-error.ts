/** A command cannot do what it was asked; the message says what to do about it. No stack is shown. */
export class CommandError extends Error {
  /** Exit code. */
  readonly code: number = 1;
  override readonly name: string = 'CommandError';
}

/** What was typed cannot be meant: exit code 2, as for the configuration. One line for each fault. */
export class BadInputError extends CommandError {
  override readonly code = 2;
  override readonly name = 'BadInputError';

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/**
 * Runs what needs another program, which may be away or refuse.
 * @param what says what could not be done, without secrets
 * @throws CommandError where the fault is that program's or the network's; faults of ours stay as they are.
 */
export async function reaching<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFromOutside(error)) throw error;
    throw new CommandError(`${what}: ${messageOf(error)}`, { cause: error });
  }
}

/** Errors of the system, PostgreSQL and gRPC carry codes, those of time-outs say so; a mistake of ours has neither. */
function isFromOutside(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return 'code' in error || /timeout|deadline/i.test(error.message) || isFromOutside(error.cause);
}

/** Having tried several addresses in vain leaves an error without words of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
