import { pino, type Logger } from 'pino';

export type { Logger };

/** Names whose values never reach a log line (decisions 28 and 29). */
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
  return pino({
    level,
    base: options.name === undefined ? {} : { part: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), censor: '[masked]' },
    ...(options.pretty === true ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {}),
  });
}

/** Plain lines on standard error, for the person who waits: standard output is the result's alone. */
export function createProgressLog(level = 'info'): Logger {
  return pino(
    { level },
    { write: (line) => void process.stderr.write(`${(JSON.parse(line) as { msg: string }).msg}\n`) },
  );
}
