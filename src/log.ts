import { AsyncLocalStorage } from 'node:async_hooks';
import { isNativeError } from 'node:util/types';
import { trace } from '@opentelemetry/api';
import { destination, pino, type Logger, type LoggerOptions } from 'pino';
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
  // With it, whoever reaches Temporal can answer for an activity.
  'taskToken',
  'billingAddress',
  'email',
];

/** As pino takes it: fields of a line, and of objects in it. */
export const REDACTED = {
  paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]),
  censor: '[masked]',
};

type Fields = Readonly<Record<string, unknown>>;

const atHand = new AsyncLocalStorage<Fields>();

/** Runs the work; every line that is logged during it has these fields, unless it has its own of the same name. */
export function withLogFields<T>(fields: Fields, work: () => T): T {
  return atHand.run(fields, work);
}

/** The fields of the work at hand, and the trace and the span that it is in, by OpenTelemetry's names for logs. */
export function fieldsAtHand(): Record<string, unknown> {
  const span = trace.getActiveSpan();
  if (span?.isRecording() !== true) return { ...atHand.getStore() };
  const { traceId, spanId } = span.spanContext();
  return { ...atHand.getStore(), trace_id: traceId, span_id: spanId };
}

/** JSON lines on standard output; pretty on a terminal. Secrets and personal data are masked by name. */
export function createLogger(level: string, options: { pretty?: boolean; name?: string } = {}): Logger {
  const how: LoggerOptions = {
    level,
    base: options.name === undefined ? {} : { part: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: fieldsAtHand,
    redact: REDACTED,
  };
  // In this thread and at once, as everything that is printed: otherwise a line comes after what was said later.
  return pino(
    how,
    options.pretty === true ? pretty({ ignore: 'pid,hostname', sync: true }) : destination({ sync: true }),
  );
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
