import { AsyncLocalStorage } from 'node:async_hooks';
import { isNativeError } from 'node:util/types';
import { trace } from '@opentelemetry/api';
import { destination, pino, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { RepeatedLines } from './repeated-lines';

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

/** Of pino's levels: what is worse is a fault of ours, and each request that met one is in the log. */
const WARN = 40;

/** Whether the line is about work that failed and is tried again; others, such as security events, are each of their own. */
function isFailure(fields: unknown, level: number): fields is Fields {
  return level === WARN && typeof fields === 'object' && fields !== null && ('err' in fields || 'operation' in fields);
}

/** Failures that repeat are summarised, each process for itself: see {@link RepeatedLines}. */
function summarizeRepeated(): NonNullable<LoggerOptions['hooks']> {
  const repeated = new RepeatedLines();
  return {
    logMethod(args, method, level) {
      const [fields, message] = args as unknown as readonly [unknown, unknown];
      if (!isFailure(fields, level) || typeof message !== 'string') {
        method.apply(this, args);
        return;
      }
      repeated.add(fields, message, (shown, text) => method.apply(this, [shown, text]));
    },
  };
}

/**
 * JSON lines on standard output; pretty on a terminal. Secrets and personal data are masked by name, and failures that repeat are
 * written once a minute with their count.
 */
export function createLogger(level: string, options: { pretty?: boolean; name?: string } = {}): Logger {
  const how: LoggerOptions = {
    level,
    base: options.name === undefined ? {} : { part: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: fieldsAtHand,
    hooks: summarizeRepeated(),
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

/**
 * PostgreSQL's faults carry whole rows in their details, and rows carry people (rule 28): only what is safe is kept. The message is
 * that of what failed first, where the error has none of its own: all addresses of a host were tried in vain, for example.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!isNativeError(error)) return { type: typeof error };
  const { name, message, stack } = error;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = codeOf(error) ?? codeOf(first);
  const words = message === '' && isNativeError(first) ? first.message : message;
  return { type: name, message: words, stack, ...(code === undefined ? {} : { code }) };
}

function codeOf(error: unknown): unknown {
  return isNativeError(error) && 'code' in error ? error.code : undefined;
}
