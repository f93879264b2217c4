import { isNativeError } from 'node:util/types';
import { pino, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';

export type { Logger };

/** Names whose values never reach a log line (rules 28 and 29). */
const SECRET_PATHS = [
  'authorization',
  'secret',
  'clientSecret',
  'apiKey',
  'password',
  'token',
  'billingAddress',
  'email',
];

/** JSON lines on standard output; pretty on a terminal. Secrets and personal data are masked by name. */
export function createLogger(level: string, options: { pretty?: boolean; name?: string } = {}): Logger {
  const how: LoggerOptions = {
    level,
    base: options.name === undefined ? {} : { part: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), censor: '[masked]' },
  };
  // In this thread and at once, as everything that is printed: otherwise a line comes after what was said later.
  return options.pretty === true ? pino(how, pretty({ ignore: 'pid,hostname', sync: true })) : pino(how);
}

/** Plain lines on standard error, for the person who waits: standard output is the result's alone. */
export function createProgressLog(level = 'info'): Logger {
  return pino(
    { level },
    { write: (line) => void process.stderr.write(`${(JSON.parse(line) as { msg: string }).msg}\n`) },
  );
}

/** PostgreSQL's faults carry whole rows in their details, and rows carry people (rule 28): only what is safe is kept. */
export function loggable(error: unknown): Record<string, unknown> {
  if (!isNativeError(error)) return { type: typeof error };
  const { name, message, stack } = error;
  return { type: name, message, stack, ...('code' in error ? { code: error.code } : {}) };
}
